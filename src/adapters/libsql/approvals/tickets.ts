import { approvalTimes } from "../../../core/approvals/approval.ts";
import { fatigue, tooManyWait } from "../../../core/approvals/fatigue.ts";
import { endContent, requestContent } from "../../../core/approvals/request-content.ts";
import { type RequestSealer, decisionContent } from "../../../core/approvals/request-seal.ts";
import type { RunEnd, Ticket, TicketRequest, Tickets } from "../../../core/approvals/ticket.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import type { Row, SqlValue, Statement } from "../driver/statement.ts";
import { storedInteger } from "../driver/stored-values.ts";
import { createDecisionHistory } from "./decision-history.ts";
import { createStoredDigests } from "./stored-digests.ts";
import { isPaused, pauseStore, pauseWhenTired, toPause } from "./pause-store.ts";
import { asWritten, toTicket } from "./ticket-row.ts";
import { isOpen, isPending, lapse, mayRun, presentStatus, ticketColumns } from "./ticket-sql.ts";

const isIdentical = "tickets.principal = ? AND tickets.digest = ? AND tickets.config_hash = ?";
const isAskedWith = `tickets.question_hash = ? AND tickets.question_answered IN ('no', 'again')
  AND tickets.question_expires_at > ${now}`;
const waitingOf = `(SELECT count(*) FROM tickets WHERE tickets.principal = ? AND ${isPending})`;

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

/**
 * Selects the newest ticket of a call, the newest one that ran, and the clock. Every call that may need approval runs
 * it.
 */
const identicalOnes = `WITH identical AS (SELECT seq, ${presentStatus} AS present FROM tickets
    WHERE principal = ?1 AND digest = ?2 AND config_hash = ?3)
  SELECT tickets.*, clock.now FROM (SELECT ${now} AS now) AS clock LEFT JOIN tickets ON tickets.seq IN (
    (SELECT max(seq) FROM identical), (SELECT max(seq) FROM identical WHERE present IN ('done', 'unknown')))
  ORDER BY tickets.seq DESC`;

type Identity = Pick<TicketRequest, "principal" | "digest" | "configHash">;
const identity = ({ principal, digest, configHash }: Identity) => [principal, digest, configHash];

/**
 * Creates tickets in libSQL. Each transition is one conditional UPDATE by the database's clock. Errors: those of the
 * database.
 */
export function createTickets(database: Database, sealOf: RequestSealer): Tickets {
  const history = createDecisionHistory(database);
  const mayBeStored = createStoredDigests(database);

  async function select(which: string, args: readonly SqlValue[]): Promise<readonly Row[]> {
    const sql = `SELECT ${ticketColumns} FROM tickets ${which}`;
    return (await database.read({ sql, args })).rows;
  }

  async function selectOne(which: string, ...args: SqlValue[]): Promise<Ticket | undefined> {
    const [found] = await select(which, args);
    return found && toTicket(found);
  }

  /** Returns the changed row. Undefined if no row was changed. */
  async function change(
    set: string,
    where: string,
    args: SqlValue[],
    options?: { hasFullLockTimeout: boolean },
  ): Promise<Row | undefined> {
    const [changed] = await database.write([transition(set, where, args)], options);
    return changed?.rows[0];
  }

  async function openOnce(request: TicketRequest, ttlMs: number) {
    const { ticketId, principal } = request;
    const isTooMany = `${waitingOf} > ${fatigue.waitingAtMost}`;
    const [, , , , full, found] = await database.write([
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
    if (full?.rows[0] !== undefined) throw tooManyWait();
    const row = found?.rows[0];
    if (row === undefined) return undefined;
    const ticket = toTicket(row);
    const joined = ticket.ticketId !== ticketId;
    // The joined ticket may expire between the statements. Its caller would then wrongly learn that the user did not
    // decide.
    const isOver = ticket.status === "expired" || ticket.status === "unknown";
    return joined && isOver ? undefined : { ticket, joined };
  }

  return {
    ...pauseStore(database),

    open: async (request, ttlMs) => {
      const opened = (await openOnce(request, ttlMs)) ?? (await openOnce(request, ttlMs));
      if (opened !== undefined) return opened;
      throw new ToolError("conflict", "The request could not be stored. Nothing was done.");
    },

    find: (ticketId) => selectOne("WHERE ticket_id = ?", ticketId),

    findIdentical: async (call) => {
      // The time is only compared with those of a request.
      if (!(await mayBeStored(call.digest)))
        return { ticket: undefined, ran: undefined, now: new Date() };
      const { rows } = await database.read(
        { sql: identicalOnes, args: identity(call) },
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

    putQuestion: async (ticketId, stateHash, answerWithinMs) => {
      const put = await change(
        `question_hash = ?, question_put_at = ${now}, question_expires_at = ${now} + ?, question_answered = 'no'`,
        `ticket_id = ? AND ${isPending} AND (question_hash IS NULL
          OR (question_answered IN ('no', 'again') AND question_expires_at <= ${now}))`,
        [stateHash, answerWithinMs, ticketId],
      );
      return put !== undefined;
    },

    findQuestion: (stateHash) => selectOne(`WHERE ${isAskedWith}`, stateHash),

    repeatQuestion: async (ticketId, stateHash) => {
      const where = `ticket_id = ? AND ${isPending} AND ${isAskedWith} AND question_answered = 'no'`;
      return (
        (await change("question_answered = 'again'", where, [ticketId, stateHash])) !== undefined
      );
    },

    closeQuestion: async (ticketId, stateHash) => {
      const where = `ticket_id = ? AND ${isPending} AND ${isAskedWith}`;
      return (
        (await change("question_answered = 'elsewhere'", where, [ticketId, stateHash])) !==
        undefined
      );
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
          ...resultOf(end),
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

    purge: async (olderThanMs) => {
      await database.write([
        { sql: lapse, args: [] },
        { sql: `DELETE FROM tickets WHERE ended_at <= ${now} - ?`, args: [olderThanMs] },
      ]);
    },
  };
}

function transition(set: string, where: string, args: readonly SqlValue[]): Statement {
  return { sql: `UPDATE tickets SET ${set} WHERE ${where} RETURNING *, ${now} AS now`, args };
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

/** Returns the values of `output` and `error`. */
function resultOf(end: RunEnd): [output: string | null, error: string | null] {
  if (end.status === "done") return [JSON.stringify(end.output), null];
  return [null, JSON.stringify(end.error)];
}
