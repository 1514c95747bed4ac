import { type Database, databaseClock as now } from "../driver/database.ts";

const hourMs = 3_600_000;

/** Creates the limit on the assistant's messages to people, which all processes share. */
export function createMessageLimit(database: Database) {
  /** Counts one message. Returns false, and counts nothing, after `most` within an hour. */
  return async function takeMessage(principal: string, most: number): Promise<boolean> {
    const [, added] = await database.write([
      { sql: `DELETE FROM assistant_notes WHERE at <= ${now} - ${hourMs}`, args: [] },
      {
        sql: `INSERT INTO assistant_notes (principal, at) SELECT ?1, ${now}
          WHERE (SELECT count(*) FROM assistant_notes WHERE principal = ?1) < ?2 RETURNING seq`,
        args: [principal, most],
      },
    ]);
    return (added?.rows.length ?? 0) > 0;
  };
}
