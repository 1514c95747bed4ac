import { endContent } from "../../../core/approvals/request-content.ts";
import type { RequestSealer } from "../../../core/approvals/request-seal.ts";
import type { RunEnd, Tickets } from "../../../core/approvals/ticket.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import { isPaused } from "./pause-store.ts";
import { createTicketChange } from "./ticket-change.ts";
import { asWritten } from "./ticket-row.ts";
import { mayRun } from "./ticket-sql.ts";

/** Creates the part of the tickets interface for runs of approved requests. */
export function runStore(
  database: Database,
  sealOf: RequestSealer,
): Pick<Tickets, "claim" | "renew" | "finish" | "deliver"> {
  const change = createTicketChange(database);
  return {
    claim: async (ticketId, holder, configHash, leaseMs) => {
      const claimed = await change(
        `status = 'running', holder = ?, lease_until = ${now} + ?`,
        `ticket_id = ? AND ${mayRun} AND config_hash = ? AND NOT ${isPaused}`,
        [holder, leaseMs, ticketId, configHash],
      );
      const ticket = claimed && asWritten(claimed);
      return ticket?.status === "running" ? ticket : undefined;
    },

    renew: async (ticketId, holder, leaseMs) => {
      const where = `ticket_id = ? AND status = 'running' AND holder = ? AND lease_until > ${now}`;
      const set = `lease_until = ${now} + ?`;
      return (await change(set, where, [leaseMs, ticketId, holder])) !== undefined;
    },

    finish: async (ticketId, holder, end) => {
      // Removing the holder makes the result final. After the lease lapsed the holder stays stored, and may still
      // report a result.
      const finished = await change(
        `status = ?, output = ?, error = ?, ended_seal = ?, holder = NULL, ended_at = ${now}`,
        "ticket_id = ? AND status IN ('running', 'unknown') AND holder = ?",
        [
          end.status,
          ...outputAndError(end),
          sealOf("ended", ticketId, endContent(end)),
          ticketId,
          holder,
        ],
        { hasFullLockTimeout: true },
      );
      return finished !== undefined;
    },

    deliver: async (ticketId) => {
      const where = "ticket_id = ? AND status = 'done' AND delivered = 0";
      return (await change("delivered = 1", where, [ticketId])) !== undefined;
    },
  };
}

function outputAndError(end: RunEnd): [output: string | null, error: string | null] {
  if (end.status === "done") return [JSON.stringify(end.output), null];
  return [null, JSON.stringify(end.error)];
}
