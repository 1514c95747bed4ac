import { approvalTimes } from "../../../core/approvals/approval.ts";
import { databaseClock as now } from "../driver/database.ts";

// Conditions and values of the `tickets` table in SQL, for the stores that read it.

/** Columns of a row for `toTicket`: every stored one, and the clock for the status. */
export const ticketColumns = `tickets.*, ${now} AS now`;

/** Whether the status of a request can still change. */
export const isOpen = "tickets.status IN ('pending', 'approved', 'running')";

/** Whether a time was stored before the clock was set back. */
const isAhead = (column: string): string => `${column} > ${now} + ${approvalTimes.mostAhead}`;

export const isPending = `(tickets.status = 'pending' AND tickets.expires_at > ${now} AND NOT ${isAhead("tickets.created_at")})`;

/** Whether an approved request may still run. */
export const mayRun = `(tickets.status = 'approved' AND tickets.run_before > ${now} AND NOT ${isAhead("tickets.decided_at")})`;

/**
 * The status at the present time, which may differ from the stored one: `settled` of core/approvals/approval.ts in SQL.
 */
export const presentStatus = `CASE
  WHEN tickets.status = 'pending' AND NOT ${isPending} THEN 'expired'
  WHEN tickets.status = 'approved' AND NOT ${mayRun} THEN 'expired'
  WHEN tickets.status = 'running' AND (tickets.lease_until <= ${now} OR ${isAhead("tickets.lease_until")}) THEN 'unknown'
  ELSE tickets.status END`;

/** Sets the status by the clock if it differs from the stored one. A condition on the row may follow. */
export const lapse = `UPDATE tickets SET status = ${presentStatus}, ended_at = min(${now}, CASE tickets.status
    WHEN 'pending' THEN tickets.expires_at
    WHEN 'approved' THEN tickets.run_before
    ELSE tickets.lease_until END)
  WHERE ${isOpen} AND ${presentStatus} <> tickets.status`;
