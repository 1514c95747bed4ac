import {
  and,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNull,
  lte,
  not,
  or,
  sql,
} from "drizzle-orm";
import { fatigue, tooManyWait } from "../../../core/approvals/fatigue.ts";
import type {
  RunEnd,
  Ticket,
  TicketRequest,
  TicketStatus,
  Tickets,
} from "../../../core/approvals/ticket.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import { type Database, databaseClock } from "../driver/database.ts";
import { createDecisionHistory } from "./decision-history.ts";
import { now, typedQueries } from "../driver/query.ts";
import { isPaused, pauseStore, pauseWhenTired, toPause } from "./pause-store.ts";
import { tickets } from "../schema/core.ts";
import { type TicketRow, asWritten, toTicket } from "./ticket-row.ts";

const open: TicketStatus[] = ["pending", "approved", "running"];

/** A row, and the clock for its status. */
export const row = { ...getTableColumns(tickets), now: now.as("now") };

const after = (ms: number) => sql`${now} + ${ms}`;
const withId = (ticketId: string) => eq(tickets.ticketId, ticketId);
const withStatus = (status: TicketStatus) => eq(tickets.status, status);
export const isPending = and(withStatus("pending"), gt(tickets.expiresAt, now));
const hasOpenQuestion = (stateHash: string) =>
  and(
    eq(tickets.questionHash, stateHash),
    inArray(tickets.questionAnswered, ["no", "again"]),
    gt(tickets.questionExpiresAt, now),
  );
const isIdentical = (call: Pick<TicketRequest, "principal" | "digest" | "configHash">) =>
  and(
    eq(tickets.principal, call.principal),
    eq(tickets.digest, call.digest),
    eq(tickets.configHash, call.configHash),
  );

/** The status by the clock, whatever is stored: `settled` of core/approvals/approval.ts in SQL. */
export const presentStatus = sql<TicketStatus>`case
  when ${tickets.status} = 'pending' and ${tickets.expiresAt} <= ${now} then 'expired'
  when ${tickets.status} = 'approved' and ${tickets.runBefore} <= ${now} then 'expired'
  when ${tickets.status} = 'running' and ${tickets.leaseUntil} <= ${now} then 'unknown'
  else ${tickets.status} end`;
const lapsedAt = sql`case ${tickets.status}
  when 'pending' then ${tickets.expiresAt}
  when 'approved' then ${tickets.runBefore}
  else ${tickets.leaseUntil} end`;
const hasLapsed = and(inArray(tickets.status, open), sql`${presentStatus} <> ${tickets.status}`);

/** Creates the ticket store. Each transition is one conditional UPDATE by the database's clock. */
export function ticketStore(database: Database): Tickets {
  const { reads, writes } = typedQueries(database);
  const history = createDecisionHistory(database);

  const lapse = (which = sql`true`) =>
    writes
      .update(tickets)
      .set({ status: presentStatus, endedAt: lapsedAt })
      .where(and(hasLapsed, which));

  /** Returns the changed row. Undefined if no row was changed. */
  async function changes(query: ReturnType<typeof transition>): Promise<TicketRow | undefined> {
    const [[changed]] = await writes.batch([query]);
    return changed;
  }

  function transition(
    change: Parameters<ReturnType<typeof writes.update<typeof tickets>>["set"]>[0],
    ...when: Parameters<typeof and>
  ) {
    return writes
      .update(tickets)
      .set(change)
      .where(and(...when))
      .returning(row);
  }

  async function openOnce(request: TicketRequest, ttlMs: number) {
    const isTooMany = gt(waitingOf(request.principal), fatigue.waitingAtMost);
    const [, , , , [full], [found]] = await writes.batch([
      lapse(isIdentical(request)),
      writes
        .insert(tickets)
        .values({ ...request, status: "pending", createdAt: now, expiresAt: after(ttlMs) })
        .onConflictDoNothing(),
      // Counted including the new one. The transaction hides it from others until then.
      writes
        .update(tickets)
        .set({ status: "expired", endedAt: now, gaveWayTo: request.ticketId })
        .where(and(isTooMany, eq(tickets.ticketId, oldestWaitingOf(request.principal)))),
      writes
        .update(tickets)
        .set({ tookPlaceOf: gaveWayTo(request.ticketId) })
        .where(withId(request.ticketId)),
      // The new request is deleted if there are still too many.
      writes
        .delete(tickets)
        .where(and(withId(request.ticketId), isTooMany))
        .returning({ ticketId: tickets.ticketId }),
      writes
        .select(row)
        .from(tickets)
        .where(and(isIdentical(request), inArray(tickets.status, open)))
        .limit(1),
    ]);
    if (full !== undefined) throw tooManyWait();
    if (found === undefined) return undefined;
    const joined = found.ticketId !== request.ticketId;
    const ticket = toTicket(found);
    // The joined ticket may expire between the statements. A caller that joined it would believe that it went
    // undecided.
    return joined && !open.includes(ticket.status) ? undefined : { ticket, joined };
  }

  /** Returns the oldest waiting request, except one that is being asked in the client. */
  const oldestWaitingOf = (
    principal: string,
  ) => sql`(SELECT waiting.ticket_id FROM ${tickets} AS waiting
    WHERE waiting.principal = ${principal} AND waiting.status = 'pending' AND waiting.expires_at > ${now}
      AND waiting.created_at <= ${now} - ${fatigue.givesWayAfterMs}
      AND NOT (coalesce(waiting.question_answered, '') = 'no' AND waiting.question_expires_at > ${now})
    ORDER BY waiting.seq LIMIT 1)`;
  const gaveWayTo = (ticketId: string) =>
    sql`(SELECT old.ticket_id FROM ${tickets} AS old WHERE old.gave_way_to = ${ticketId})`;

  const waitingOf = (principal: string) =>
    writes.$count(tickets, and(eq(tickets.principal, principal), isPending));

  async function find(ticketId: string): Promise<Ticket | undefined> {
    const [[found]] = await reads.batch([reads.select(row).from(tickets).where(withId(ticketId))]);
    return found && toTicket(found);
  }

  return {
    ...pauseStore(database),

    open: async (request, ttlMs) => {
      const opened = (await openOnce(request, ttlMs)) ?? (await openOnce(request, ttlMs));
      if (opened !== undefined) return opened;
      throw new ToolError("conflict", "The request could not be stored. Nothing was done.");
    },

    find,

    findIdentical: async (call) => {
      const newest = (...which: Parameters<typeof and>) =>
        reads
          .select(row)
          .from(tickets)
          .where(and(isIdentical(call), ...which))
          .orderBy(desc(tickets.seq))
          .limit(1);
      const [[found], [ended]] = await reads.batch([
        newest(),
        newest(inArray(presentStatus, ["done", "unknown"])),
      ]);
      if (found === undefined) {
        const { rows } = await database.read({ sql: `SELECT ${databaseClock} AS now`, args: [] });
        return { ticket: undefined, ran: undefined, now: new Date(Number(rows[0]?.["now"])) };
      }
      const ran = ended && toTicket(ended);
      return {
        ticket: toTicket(found),
        ran: ran?.status === "done" || ran?.status === "unknown" ? ran : undefined,
        now: new Date(found.now),
      };
    },

    findDenied: async ({ principal, tool, actsOn, configHash }, withinMs) => {
      if (actsOn === undefined) return undefined;
      const [[found]] = await reads.batch([
        reads
          .select(row)
          .from(tickets)
          .where(
            and(
              eq(tickets.principal, principal),
              withStatus("denied"),
              gt(tickets.decidedAt, sql`${now} - ${withinMs}`),
              eq(tickets.tool, tool),
              eq(tickets.actsOn, actsOn),
              eq(tickets.configHash, configHash),
            ),
          )
          .orderBy(desc(tickets.decidedAt), desc(tickets.seq))
          .limit(1),
      ]);
      const ticket = found && asWritten(found);
      return ticket?.status === "denied" && !ticket.decision.mayAskAgain ? ticket : undefined;
    },

    list: async ({ statuses, principal, limit }) => {
      const [found] = await reads.batch([
        reads
          .select(row)
          .from(tickets)
          .where(
            and(
              statuses && inArray(presentStatus, [...statuses]),
              principal === undefined ? undefined : eq(tickets.principal, principal),
            ),
          )
          .orderBy(desc(tickets.seq))
          .limit(limit),
      ]);
      return found.map(toTicket);
    },

    putQuestion: async (ticketId, stateHash, answerWithinMs) => {
      const put = transition(
        {
          questionHash: stateHash,
          questionPutAt: now,
          questionExpiresAt: after(answerWithinMs),
          questionAnswered: "no",
        },
        withId(ticketId),
        isPending,
        or(
          isNull(tickets.questionHash),
          and(
            inArray(tickets.questionAnswered, ["no", "again"]),
            lte(tickets.questionExpiresAt, now),
          ),
        ),
      );
      return (await changes(put)) !== undefined;
    },

    findQuestion: async (stateHash) => {
      const [[found]] = await reads.batch([
        reads.select(row).from(tickets).where(hasOpenQuestion(stateHash)),
      ]);
      return found && toTicket(found);
    },

    repeatQuestion: async (ticketId, stateHash) => {
      const unanswered = eq(tickets.questionAnswered, "no");
      const asked = and(withId(ticketId), isPending, hasOpenQuestion(stateHash), unanswered);
      return (await changes(transition({ questionAnswered: "again" }, asked))) !== undefined;
    },

    closeQuestion: async (ticketId, stateHash) => {
      const asked = and(withId(ticketId), isPending, hasOpenQuestion(stateHash));
      return (await changes(transition({ questionAnswered: "elsewhere" }, asked))) !== undefined;
    },

    decide: async (ticketId, { verdict, channel, by, ...said }, runWithinMs, stateHash) => {
      const decision = { verdict, channel, decidedBy: by, decidedAt: now, ...said };
      const state =
        verdict === "approve"
          ? { status: "approved", runBefore: after(runWithinMs) }
          : { status: "denied", endedAt: now };
      const [[decided], [pause], [found]] = await writes.batch([
        transition(
          // An answer consumes its question, so that the same state never counts again.
          { ...decision, ...state, ...(stateHash !== undefined && { questionAnswered: "here" }) },
          withId(ticketId),
          isPending,
          stateHash === undefined ? undefined : hasOpenQuestion(stateHash),
        ),
        pauseWhenTired(writes, ticketId, by),
        writes.select(row).from(tickets).where(withId(ticketId)),
      ]);
      if (found === undefined) throw new ToolError("not_found", "The request does not exist.");
      const ticket = toTicket(found);
      if (decided !== undefined && channel !== "rule")
        await history.keep(ticket, { verdict, channel });
      return { won: decided !== undefined, ticket, ...(pause && { pause: toPause(pause) }) };
    },

    claim: async (ticketId, holder, configHash, leaseMs) => {
      const claimed = await changes(
        transition(
          { status: "running", holder, leaseUntil: after(leaseMs) },
          withId(ticketId),
          withStatus("approved"),
          gt(tickets.runBefore, now),
          eq(tickets.configHash, configHash),
          not(isPaused(tickets.principal)),
        ),
      );
      const ticket = claimed && asWritten(claimed);
      return ticket?.status === "running" ? ticket : undefined;
    },

    renew: async (ticketId, holder, leaseMs) => {
      const renewal = transition(
        { leaseUntil: after(leaseMs) },
        withId(ticketId),
        withStatus("running"),
        eq(tickets.holder, holder),
        gt(tickets.leaseUntil, now),
      );
      return (await changes(renewal)) !== undefined;
    },

    finish: async (ticketId, holder, end) => {
      // Clearing the holder makes this result final. After a lapsed lease the holder remains and may still report.
      const finished = transition(
        { status: end.status, ...result(end), holder: null, endedAt: now },
        withId(ticketId),
        inArray(tickets.status, ["running", "unknown"]),
        eq(tickets.holder, holder),
      );
      return (await changes(finished)) !== undefined;
    },

    deliver: async (ticketId) => {
      const delivery = transition(
        { delivered: true },
        withId(ticketId),
        withStatus("done"),
        eq(tickets.delivered, false),
      );
      return (await changes(delivery)) !== undefined;
    },

    purge: async (olderThanMs) => {
      await writes.batch([
        lapse(),
        writes.delete(tickets).where(lte(tickets.endedAt, sql`${now} - ${olderThanMs}`)),
      ]);
    },
  };
}

function result(end: RunEnd) {
  if (end.status === "done") return { output: end.output };
  return end.status === "failed" ? { error: end.error } : {};
}
