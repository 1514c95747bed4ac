import { approvalTimes } from "../../../core/approvals/approval.ts";
import { type RequestSealer, decisionContent } from "../../../core/approvals/request-seal.ts";
import type { Tickets } from "../../../core/approvals/ticket.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import type { Row, SqlValue } from "../driver/statement.ts";
import { storedInteger } from "../driver/stored-values.ts";
import { createDecisionHistory } from "./decision-history.ts";
import { createOpenRequest } from "./open-request.ts";
import { pauseStore, pauseWhenTired, toPause } from "./pause-store.ts";
import { isAskedWith, questionStore } from "./question-store.ts";
import { runStore } from "./run-store.ts";
import { createStoredDigests } from "./stored-digests.ts";
import { createTicketChange, transition } from "./ticket-change.ts";
import { asWritten, toTicket } from "./ticket-row.ts";
import { isPending, lapse, presentStatus, ticketColumns } from "./ticket-sql.ts";

/**
 * Selects the newest ticket of a call, the newest one that ran, and the clock. This query runs for every call that may
 * need approval.
 */
const identicalOnes = `WITH identical AS (SELECT seq, ${presentStatus} AS present FROM tickets
    WHERE principal = ?1 AND digest = ?2 AND config_hash = ?3)
  SELECT tickets.*, clock.now FROM (SELECT ${now} AS now) AS clock LEFT JOIN tickets ON tickets.seq IN (
    (SELECT max(seq) FROM identical), (SELECT max(seq) FROM identical WHERE present IN ('done', 'unknown')))
  ORDER BY tickets.seq DESC`;

/**
 * Creates tickets in libSQL. Each transition is one conditional UPDATE by the database's clock. Errors: those of the
 * database.
 */
export function createTickets(database: Database, sealOf: RequestSealer): Tickets {
  const history = createDecisionHistory(database);
  const mayBeStored = createStoredDigests(database);
  const change = createTicketChange(database);

  async function select(which: string, args: readonly SqlValue[]): Promise<readonly Row[]> {
    const sql = `SELECT ${ticketColumns} FROM tickets ${which}`;
    return (await database.read({ sql, args })).rows;
  }

  return {
    ...pauseStore(database),
    ...questionStore(database),
    ...runStore(database, sealOf),

    open: createOpenRequest(database, sealOf),

    find: async (ticketId) => {
      const [found] = await select("WHERE ticket_id = ?", [ticketId]);
      return found && toTicket(found);
    },

    findIdentical: async (call) => {
      // `now` is only compared with times of a ticket, and there is none. The clock of the database is not needed.
      if (!(await mayBeStored(call.digest)))
        return { ticket: undefined, ran: undefined, now: new Date() };
      const { rows } = await database.read(
        { sql: identicalOnes, args: [call.principal, call.digest, call.configHash] },
        { quick: ["tickets"] },
      );
      const [found, ended = found] = rows.filter((row) => row["ticket_id"] !== null);
      const ran = ended && toTicket(ended);
      return {
        ticket: found && toTicket(found),
        ran: ran?.status === "done" || ran?.status === "unknown" ? ran : undefined,
        now: new Date(storedInteger(rows[0]?.["now"])),
      };
    },

    findDenied: async ({ principal, tool, actsOn, configHash }, withinMs) => {
      if (actsOn === undefined) return undefined;
      const [found] = await select(
        `WHERE principal = ? AND status = 'denied' AND decided_at > ${now} - ? AND decided_at <= ${now} + ${approvalTimes.mostAhead} AND tool = ? AND acts_on = ?
          AND config_hash = ? ORDER BY decided_at DESC, seq DESC LIMIT 1`,
        [principal, withinMs, tool, actsOn, configHash],
      );
      const ticket = found && asWritten(found);
      return ticket?.status === "denied" && !ticket.decision.mayAskAgain ? ticket : undefined;
    },

    list: async ({ statuses, principal, limit }) => {
      const filters: [sql: string, value: SqlValue | undefined][] = [
        [
          `${presentStatus} IN (SELECT value FROM json_each(?))`,
          statuses && JSON.stringify(statuses),
        ],
        ["principal = ?", principal],
      ];
      const given = filters.flatMap(([sql, value]) =>
        value === undefined ? [] : [{ sql, value }],
      );
      const where = given.length === 0 ? "" : `WHERE ${given.map(({ sql }) => sql).join(" AND ")}`;
      const args = [...given.map(({ value }) => value), limit];
      return (await select(`${where} ORDER BY seq DESC LIMIT ?`, args)).map(toTicket);
    },

    markSeen: async (ticketIds) => {
      if (ticketIds.length === 0) return;
      await database.write([
        {
          sql: `UPDATE tickets SET seen_at = ${now} WHERE seen_at IS NULL AND status = 'pending'
            AND ticket_id IN (SELECT value FROM json_each(?))`,
          args: [JSON.stringify(ticketIds)],
        },
      ]);
    },

    decide: async (ticketId, decision, runWithinMs, state) => {
      const { verdict, channel, by, note, mayAskAgain } = decision;
      const isApproval = verdict === "approve";
      const sets = [
        `verdict = ?, channel = ?, decided_by = ?, decided_at = ${now}, note = ?, may_ask_again = ?, decided_seal = ?`,
        isApproval
          ? `status = 'approved', run_before = ${now} + ?`
          : `status = 'denied', ended_at = ${now}`,
        // An answer uses up its question, so that the same state never counts again.
        ...(state === undefined ? [] : ["question_answered = 'here'"]),
      ];
      const [decided, paused, found] = await database.write([
        transition(
          sets.join(", "),
          `ticket_id = ? AND ${isPending} ${state === undefined ? "" : `AND ${isAskedWith}`}`,
          [
            verdict,
            channel,
            by,
            note ?? null,
            mayAskAgain === true ? 1 : null,
            sealOf("decided", ticketId, decisionContent(decision)),
            ...(isApproval ? [runWithinMs] : []),
            ticketId,
            ...(state === undefined ? [] : [state]),
          ],
        ),
        pauseWhenTired(ticketId, by),
        { sql: `SELECT ${ticketColumns} FROM tickets WHERE ticket_id = ?`, args: [ticketId] },
      ]);
      const row = found?.rows[0];
      if (row === undefined) throw new ToolError("not_found", "The request does not exist.");
      const ticket = toTicket(row);
      const won = decided?.rows[0] !== undefined;
      if (won && channel !== "rule") await history.keep(ticket, { verdict, channel });
      const pause = paused?.rows[0];
      return { won, ticket, ...(pause && { pause: toPause(pause) }) };
    },

    withdraw: async (ticketId, error) => {
      const ended = await change(
        `status = 'expired', ended_at = ${now}, error = ?`,
        `ticket_id = ? AND ${isPending}`,
        [JSON.stringify(error), ticketId],
      );
      return ended !== undefined;
    },

    purge: async (olderThanMs) => {
      await database.write([
        { sql: lapse, args: [] },
        { sql: `DELETE FROM tickets WHERE ended_at <= ${now} - ?`, args: [olderThanMs] },
      ]);
    },
  };
}
