import { settled } from "../../src/core/approvals/approval.ts";
import { fatigue, tooManyWait } from "../../src/core/approvals/fatigue.ts";
import {
  type DeniedTicket,
  type Pause,
  type RunningTicket,
  type Ticket,
  type TicketRequest,
  type Tickets,
  everybody,
} from "../../src/core/approvals/ticket.ts";
import { ToolError } from "../../src/core/tool/tool-error.ts";

interface Entry {
  ticket: Ticket;
  stateHash?: string;
  /** The expiry of the state that waits for its answer. Undefined once it was answered. */
  answerBy?: Date | undefined;
  holder?: string | undefined;
  endedAt?: Date;
}

/** Tickets in memory, with a clock that the test may own. */
export function createFakeTickets(clock: () => Date = () => new Date()): Tickets {
  const entries = new Map<string, Entry>();
  const pauses = new Map<string, Pause>();
  const resumedAt = new Map<string, Date>();
  const later = (ms: number, than = clock()): Date => new Date(than.getTime() + ms);

  /** Returns the result of `settled`, and stores the time at which the ticket ended. */
  function present(entry: Entry | undefined): Ticket | undefined {
    if (entry === undefined) return undefined;
    const { ticket } = entry;
    const now = settled(ticket, clock());
    if (now !== ticket) {
      entry.ticket = now;
      entry.endedAt = lapseOf(ticket) ?? clock();
    }
    return entry.ticket;
  }

  const find = (ticketId: string): Ticket | undefined => present(entries.get(ticketId));
  const newestFirst = (): Ticket[] =>
    [...entries.values()].flatMap((entry) => present(entry) ?? []).toReversed();
  const isOpen = ({ status }: Ticket): boolean =>
    ["pending", "approved", "running"].includes(status);
  const isIdentical =
    (call: Pick<TicketRequest, "principal" | "digest" | "configHash">) =>
    (ticket: Ticket): boolean =>
      ticket.principal === call.principal &&
      ticket.digest === call.digest &&
      ticket.configHash === call.configHash;

  /** Returns the pending ticket that waits for the answer with this state. */
  function asked(ticketId: string, stateHash: string) {
    const entry = entries.get(ticketId);
    const ticket = present(entry);
    if (entry === undefined || ticket?.status !== "pending" || entry.stateHash !== stateHash) {
      return undefined;
    }
    const { question } = ticket;
    if (
      question === undefined ||
      question.answered === "elsewhere" ||
      clock() >= question.expiresAt
    )
      return undefined;
    return { entry, ticket, question };
  }

  /** Returns the pause that the denial of this ticket caused. */
  function pauseWhenTired(principal: string, by: string): Pause | undefined {
    const since = Math.max(
      later(-fatigue.denialsWithinMs).getTime(),
      ...[everybody, principal].map((scope) => resumedAt.get(scope)?.getTime() ?? 0),
    );
    const denials = newestFirst().filter(
      (ticket) =>
        ticket.principal === principal &&
        ticket.status === "denied" &&
        isFresh(ticket) &&
        ticket.decision.at.getTime() > since,
    );
    if (denials.length < fatigue.denialsBeforePause || pauses.has(principal)) return undefined;
    const pause: Pause = { scope: principal, by, at: clock(), reason: "denials" };
    pauses.set(principal, pause);
    return pause;
  }

  return {
    open: async (request, ttlMs) => {
      const same = newestFirst().filter(isIdentical(request)).find(isOpen);
      if (same !== undefined) return { ticket: same, joined: true };
      const waiting = newestFirst().filter(
        ({ principal, status }) => principal === request.principal && status === "pending",
      );
      const createdAt = clock();
      let replaces: string | undefined;
      if (waiting.length >= fatigue.waitingAtMost) {
        const mayGiveWay = waiting.filter(
          (ticket) =>
            ticket.createdAt <= later(-fatigue.replaceableAfterMs, createdAt) &&
            !(
              ticket.status === "pending" &&
              ticket.question?.answered === "no" &&
              ticket.question.expiresAt > createdAt
            ),
        );
        const isSeen = ({ seenAt }: Ticket): boolean =>
          seenAt !== undefined && seenAt > later(-fatigue.seenForMs, createdAt);
        const old = mayGiveWay.findLast((one) => !isSeen(one)) ?? mayGiveWay.at(-1);
        const entry = old && entries.get(old.ticketId);
        if (old?.status !== "pending" || entry === undefined) throw tooManyWait();
        const { question: _question, ...rest } = old;
        entry.ticket = { ...rest, status: "expired", replacedBy: request.ticketId };
        entry.endedAt = createdAt;
        replaces = old.ticketId;
      }
      const times = {
        createdAt,
        expiresAt: later(ttlMs, createdAt),
        ...(replaces !== undefined && { replaces }),
      };
      const ticket: Ticket = { ...request, ...times, status: "pending", question: undefined };
      const entry: Entry = { ticket };
      entries.set(request.ticketId, entry);
      return { ticket: present(entry) ?? ticket, joined: false };
    },
    find: async (ticketId) => find(ticketId),
    findIdentical: async (call) => ({
      ticket: newestFirst().find(isIdentical(call)),
      ran: newestFirst()
        .filter(isIdentical(call))
        .find((ticket) => ticket.status === "done" || ticket.status === "unknown"),
      now: clock(),
    }),
    findDenied: async (call, withinMs) =>
      newestFirst()
        .filter((ticket) => ticket.status === "denied")
        .filter((ticket) => call.actsOn !== undefined && ticket.actsOn === call.actsOn)
        .filter((ticket) => ticket.principal === call.principal && ticket.tool === call.tool)
        .filter((ticket) => ticket.configHash === call.configHash)
        .filter(({ decision }) => decision.at > later(-withinMs))
        .toSorted((a, b) => b.decision.at.getTime() - a.decision.at.getTime())
        .slice(0, 1)
        .find(({ decision }) => !decision.mayAskAgain),
    list: async ({ statuses, principal, limit }) =>
      newestFirst()
        .filter((ticket) => statuses?.includes(ticket.status) ?? true)
        .filter((ticket) => principal === undefined || ticket.principal === principal)
        .slice(0, limit),

    markSeen: async (ticketIds) => {
      for (const ticketId of ticketIds) {
        const entry = entries.get(ticketId);
        if (entry === undefined || present(entry)?.status !== "pending") continue;
        entry.ticket = { ...entry.ticket, seenAt: entry.ticket.seenAt ?? clock() };
      }
    },
    putQuestion: async (ticketId, stateHash, answerWithinMs) => {
      const entry = entries.get(ticketId);
      const ticket = present(entry);
      if (entry === undefined || ticket?.status !== "pending") return false;
      const { question } = ticket;
      if (question && (question.answered === "elsewhere" || clock() < question.expiresAt)) {
        return false;
      }
      const put = { putAt: clock(), expiresAt: later(answerWithinMs), answered: "no" as const };
      entry.ticket = { ...ticket, question: put };
      Object.assign(entry, { stateHash, answerBy: put.expiresAt });
      return true;
    },
    findQuestion: async (stateHash) => {
      const found = [...entries.values()].find((entry) => entry.stateHash === stateHash);
      return found?.answerBy && clock() < found.answerBy ? present(found) : undefined;
    },
    repeatQuestion: async (ticketId, stateHash) => {
      const open = asked(ticketId, stateHash);
      if (open?.question.answered !== "no") return false;
      open.entry.ticket = { ...open.ticket, question: { ...open.question, answered: "again" } };
      return true;
    },
    closeQuestion: async (ticketId, stateHash) => {
      const open = asked(ticketId, stateHash);
      if (open === undefined) return false;
      open.entry.answerBy = undefined;
      open.entry.ticket = { ...open.ticket, question: { ...open.question, answered: "elsewhere" } };
      return true;
    },
    decide: async (ticketId, decision, runWithinMs, stateHash) => {
      const entry = entries.get(ticketId);
      const ticket = present(entry);
      if (entry === undefined || ticket === undefined) {
        throw new ToolError("not_found", "The request does not exist.");
      }
      if (ticket.status !== "pending" || (stateHash && !asked(ticketId, stateHash))) {
        return { won: false, ticket };
      }
      if (stateHash !== undefined) entry.answerBy = undefined;
      const { question: _question, ...opened } = ticket;
      const decided = { ...opened, decision: { ...decision, at: clock() } };
      if (decision.verdict === "approve") {
        entry.ticket = { ...decided, status: "approved", runBefore: later(runWithinMs) };
      } else {
        entry.ticket = { ...decided, status: "denied" };
        entry.endedAt = clock();
      }
      const pause =
        entry.ticket.status === "denied" && isFresh(entry.ticket)
          ? pauseWhenTired(ticket.principal, decision.by)
          : undefined;
      return { won: true, ticket: present(entry) ?? ticket, ...(pause && { pause }) };
    },

    withdraw: async (ticketId, error) => {
      const entry = entries.get(ticketId);
      const ticket = present(entry);
      if (entry === undefined || ticket?.status !== "pending") return false;
      const { question: _question, ...rest } = ticket;
      entry.ticket = { ...rest, status: "expired", error };
      entry.endedAt = clock();
      return true;
    },

    claim: async (ticketId, holder, configHash, leaseMs) => {
      const entry = entries.get(ticketId);
      const ticket = present(entry);
      if (entry === undefined || ticket?.status !== "approved") return undefined;
      if (ticket.configHash !== configHash) return undefined;
      if (pauses.has(everybody) || pauses.has(ticket.principal)) return undefined;
      const { runBefore: _runBefore, ...decided } = ticket;
      const running: RunningTicket = { ...decided, status: "running", leaseUntil: later(leaseMs) };
      Object.assign(entry, { ticket: running, holder });
      return running;
    },
    renew: async (ticketId, holder, leaseMs) => {
      const entry = entries.get(ticketId);
      const ticket = present(entry);
      if (ticket?.status !== "running" || entry?.holder !== holder) return false;
      entry.ticket = { ...ticket, leaseUntil: later(leaseMs) };
      return true;
    },
    finish: async (ticketId, holder, end) => {
      const entry = entries.get(ticketId);
      const ticket = present(entry);
      if (entry?.holder !== holder) return false;
      if (ticket?.status !== "running" && ticket?.status !== "unknown") return false;
      const ended = { ...ticket, finishedAt: clock() };
      entry.ticket =
        end.status === "done" ? { ...ended, ...end, delivered: false } : { ...ended, ...end };
      entry.endedAt = clock();
      entry.holder = undefined;
      return true;
    },
    deliver: async (ticketId) => {
      const entry = entries.get(ticketId);
      const ticket = present(entry);
      if (entry === undefined || ticket?.status !== "done" || ticket.delivered) return false;
      entry.ticket = { ...ticket, delivered: true };
      return true;
    },
    pauseOf: async (principal) => pauses.get(everybody) ?? pauses.get(principal),
    pauses: async () => [...pauses.values()].toSorted((a, b) => (a.scope < b.scope ? -1 : 1)),
    pause: async (scope, by) => {
      if (pauses.has(scope)) return false;
      pauses.set(scope, { scope, by, at: clock(), reason: "person" });
      return true;
    },
    resume: async (scope) => {
      resumedAt.set(scope, clock());
      return pauses.delete(scope);
    },
    purge: async (olderThanMs) => {
      for (const [ticketId, entry] of entries) {
        present(entry);
        if (entry.endedAt && entry.endedAt <= later(-olderThanMs)) entries.delete(ticketId);
      }
    },
  };
}

function isFresh({ createdAt, decision }: DeniedTicket): boolean {
  return !decision.mayAskAgain && decision.at.getTime() - createdAt.getTime() < fatigue.freshForMs;
}

/** Returns when an open ticket ends if nothing happens to it. */
function lapseOf(ticket: Ticket): Date | undefined {
  if (ticket.status === "pending") return ticket.expiresAt;
  if (ticket.status === "approved") return ticket.runBefore;
  return ticket.status === "running" ? ticket.leaseUntil : undefined;
}
