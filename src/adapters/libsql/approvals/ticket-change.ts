import { type Database, databaseClock as now } from "../driver/database.ts";
import type { Row, SqlValue, Statement } from "../driver/statement.ts";

/** Returns the statement that changes the ticket that fulfils a condition, and returns its new row. */
export function transition(set: string, where: string, args: readonly SqlValue[]): Statement {
  return { sql: `UPDATE tickets SET ${set} WHERE ${where} RETURNING *, ${now} AS now`, args };
}

/**
 * Changes the ticket that fulfils the condition. Resolves with its new row. Undefined if there is none.
 * @param options see `Database.write`
 */
export type ChangeTicket = (
  set: string,
  where: string,
  args: readonly SqlValue[],
  options?: { hasFullLockTimeout: boolean },
) => Promise<Row | undefined>;

export function createTicketChange(database: Database): ChangeTicket {
  return async (set, where, args, options) => {
    const [changed] = await database.write([transition(set, where, args)], options);
    return changed?.rows[0];
  };
}
