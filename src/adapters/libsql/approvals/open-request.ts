import { fatigue, tooManyWait } from "../../../core/approvals/fatigue.ts";
import { requestContent } from "../../../core/approvals/request-content.ts";
import type { RequestSealer } from "../../../core/approvals/request-seal.ts";
import type { TicketRequest, Tickets } from "../../../core/approvals/ticket.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import type { SqlValue, Statement } from "../driver/statement.ts";
import { toTicket } from "./ticket-row.ts";
import { isOpen, isPending, lapse, ticketColumns } from "./ticket-sql.ts";

const isIdentical = "tickets.principal = ? AND tickets.digest = ? AND tickets.config_hash = ?";
const waitingCount = `(SELECT count(*) FROM tickets WHERE tickets.principal = ? AND ${isPending})`;

const isInChat = `EXISTS (SELECT 1 FROM chat_messages AS sent
  WHERE sent.ticket_id = waiting.ticket_id AND sent.message_id IS NOT NULL)`;

/**
 * The oldest waiting request of a principal that no person saw recently, or the oldest one if all were seen. A request
 * whose question is open in the client is never chosen.
 */
const oldestWaitingOf = `(SELECT waiting.ticket_id FROM tickets AS waiting
  WHERE waiting.principal = ? AND waiting.status = 'pending' AND waiting.expires_at > ${now}
    AND waiting.created_at <= ${now} - ${fatigue.replaceableAfterMs}
    AND NOT (coalesce(waiting.question_answered, '') = 'no' AND waiting.question_expires_at > ${now})
  ORDER BY coalesce(waiting.seen_at, 0) > ${now} - ${fatigue.seenForMs}, ${isInChat}, waiting.seq LIMIT 1)`;

type Identity = Pick<TicketRequest, "principal" | "digest" | "configHash">;
const identity = ({ principal, digest, configHash }: Identity) => [principal, digest, configHash];

/** Creates the function that stores a new request, or joins the open one of an identical call, in one transaction. */
export function createOpenRequest(database: Database, sealOf: RequestSealer): Tickets["open"] {
  async function openOnce(request: TicketRequest, ttlMs: number) {
    const { ticketId, principal } = request;
    const isTooMany = `${waitingCount} > ${fatigue.waitingAtMost}`;
    const [, , , , removed, found] = await database.write([
      { sql: `${lapse} AND ${isIdentical}`, args: identity(request) },
      insertion(request, ttlMs, sealOf("asked", ticketId, requestContent(request))),
      // The count includes the new request, which other processes do not see before the transaction ends.
      {
        sql: `UPDATE tickets SET status = 'expired', ended_at = ${now}, replaced_by = ?
          WHERE ${isTooMany} AND tickets.ticket_id = ${oldestWaitingOf}`,
        args: [ticketId, principal, principal],
      },
      {
        sql: `UPDATE tickets SET replaces =
            (SELECT old.ticket_id FROM tickets AS old WHERE old.replaced_by = ?)
          WHERE tickets.ticket_id = ?`,
        args: [ticketId, ticketId],
      },
      // The new request is deleted if there are still too many.
      {
        sql: `DELETE FROM tickets WHERE tickets.ticket_id = ? AND ${isTooMany} RETURNING ticket_id`,
        args: [ticketId, principal],
      },
      {
        sql: `SELECT ${ticketColumns} FROM tickets WHERE ${isIdentical} AND ${isOpen} LIMIT 1`,
        args: identity(request),
      },
    ]);
    if (removed?.rows[0] !== undefined) throw tooManyWait();
    const row = found?.rows[0];
    if (row === undefined) return undefined;
    const ticket = toTicket(row);
    const joined = ticket.ticketId !== ticketId;
    // The joined ticket may expire between the statements. Its caller would then wrongly learn that the user did not
    // decide.
    const isOver = ticket.status === "expired" || ticket.status === "unknown";
    return joined && isOver ? undefined : { ticket, joined };
  }

  return async (request, ttlMs) => {
    const opened = (await openOnce(request, ttlMs)) ?? (await openOnce(request, ttlMs));
    if (opened !== undefined) return opened;
    throw new ToolError("conflict", "The request could not be stored. Nothing was done.");
  };
}

function insertion(request: TicketRequest, ttlMs: number, seal: string): Statement {
  const { similar } = request;
  const values: Readonly<Record<string, SqlValue>> = {
    ticket_id: request.ticketId,
    principal: request.principal,
    tool: request.tool,
    risk: request.risk,
    args: JSON.stringify(request.args),
    digest: request.digest,
    target: request.target ?? null,
    acts_on: request.actsOn ?? null,
    effect: JSON.stringify(request.effect),
    fingerprint: request.fingerprint,
    client: request.client,
    config_hash: request.configHash,
    channels: JSON.stringify(request.channels),
    similar: similar === undefined ? null : JSON.stringify(similar),
    asked_seal: seal,
  };
  const names = Object.keys(values);
  return {
    sql: `INSERT INTO tickets (${names.join(", ")}, status, created_at, expires_at)
      VALUES (${names.map(() => "?").join(", ")}, 'pending', ${now}, ${now} + ?) ON CONFLICT DO NOTHING`,
    args: [...Object.values(values), ttlMs],
  };
}
