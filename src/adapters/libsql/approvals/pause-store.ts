import { fatigue } from "../../../core/approvals/fatigue.ts";
import { type Pause, type Tickets, everybody } from "../../../core/approvals/ticket.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import type { Row, Statement } from "../driver/statement.ts";
import { storedOneOf, storedText, storedTime } from "../driver/stored-values.ts";

/** Replaces a pause that has ended, but not an active one. */
const unlessPaused = `ON CONFLICT (scope) DO UPDATE
  SET "by" = excluded."by", at = ${now}, reason = excluded.reason, resumed_at = NULL
  WHERE pauses.resumed_at IS NOT NULL`;

/**
 * True if the ticket's principal is paused. The claim's statement contains this condition, so no run can begin during a
 * pause.
 */
export const isPaused = `EXISTS (SELECT 1 FROM pauses
  WHERE pauses.scope IN ('${everybody}', tickets.principal) AND pauses.resumed_at IS NULL)`;

/**
 * Pauses the ticket's principal after too many denials, in the transaction of the decision. Denials with "may ask
 * again" do not count.
 */
export function pauseWhenTired(ticketId: string, by: string): Statement {
  const isFresh = (denied: string): string =>
    `${denied}.status = 'denied' AND ${denied}.may_ask_again IS NULL AND ${denied}.decided_at - ${denied}.created_at < ${fatigue.freshForMs}`;
  const lastResumed = `(SELECT max(resumed_at) FROM pauses WHERE scope IN ('${everybody}', this.principal) AND resumed_at <= ${now})`;
  return {
    sql: `INSERT INTO pauses (scope, "by", at, reason, resumed_at)
      SELECT this.principal, ?, ${now}, 'denials', NULL FROM tickets AS this
      WHERE this.ticket_id = ? AND ${isFresh("this")} AND (
        SELECT count(*) FROM tickets AS earlier
        WHERE earlier.principal = this.principal AND ${isFresh("earlier")}
          AND earlier.decided_at > max(${now} - ${fatigue.denialsWithinMs}, coalesce(${lastResumed}, 0))
      ) >= ${fatigue.denialsBeforePause}
      ${unlessPaused} RETURNING *`,
    args: [by, ticketId],
  };
}

export function toPause(row: Row): Pause {
  return {
    scope: storedText(row["scope"]),
    by: storedText(row["by"]),
    at: storedTime(row["at"]),
    reason: storedOneOf(["person", "denials"], row["reason"]),
  };
}

/** Creates the pause part of the tickets interface. */
export function pauseStore(
  database: Database,
): Pick<Tickets, "pauseOf" | "pauses" | "pause" | "resume"> {
  return {
    pauseOf: async (principal) => {
      const { rows } = await database.read({
        sql: "SELECT * FROM pauses WHERE scope IN (?, ?) AND resumed_at IS NULL",
        args: [everybody, principal],
      });
      const found = rows.map(toPause);
      return found.find(({ scope }) => scope === everybody) ?? found[0];
    },
    pauses: async () => {
      // `*` sorts before every name of a principal.
      const { rows } = await database.read({
        sql: "SELECT * FROM pauses WHERE resumed_at IS NULL ORDER BY scope",
        args: [],
      });
      return rows.map(toPause);
    },
    pause: async (scope, by) => {
      const [added] = await database.write([
        {
          sql: `INSERT INTO pauses (scope, "by", at, reason) VALUES (?, ?, ${now}, 'person')
            ${unlessPaused} RETURNING *`,
          args: [scope, by],
        },
      ]);
      return (added?.rows.length ?? 0) > 0;
    },
    resume: async (scope, by) => {
      const [paused] = await database.write([
        { sql: "SELECT 1 FROM pauses WHERE scope = ? AND resumed_at IS NULL", args: [scope] },
        {
          sql: `INSERT INTO pauses (scope, "by", at, reason, resumed_at) VALUES (?, ?, ${now}, 'person', ${now})
            ON CONFLICT (scope) DO UPDATE SET resumed_at = ${now}`,
          args: [scope, by],
        },
      ]);
      return (paused?.rows.length ?? 0) > 0;
    },
  };
}
