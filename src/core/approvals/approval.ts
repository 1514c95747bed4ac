import { noteForModel } from "./denial.ts";
import { type ChannelsHere, channelPlaces, whereToDecide } from "./directions.ts";
import { ToolError } from "../tool/tool-error.ts";
import {
  type Decision,
  type DeniedTicket,
  type DoneTicket,
  type OpenTicket,
  type PendingTicket,
  type RanTicket,
  type Ticket,
  ticketNotice,
} from "./ticket.ts";

/** Times of the approval flow, in milliseconds. No setting changes them. */
export const approvalTimes = {
  /**
   * Life of a question in the client's dialog: longer than a person needs to decide, and short enough to be remembered.
   */
  answerWithin: 600_000,
  /** An approval expires because the facts shown to the person become stale. */
  runWithin: 600_000,
  /** A process that has not renewed its lease for this long counts as dead. */
  lease: 15_000,
  /** A third of the lease, so that two renewals may be missed. */
  renewEvery: 5_000,
  /** For this long after a denial, an identical call is denied without asking. A later call opens a new request. */
  denialLasts: 15 * 60_000,
  /** Results are kept this long for a caller that returns. */
  keepEnded: 24 * 3_600_000,
  /** A stored time that is further ahead of the clock was written while the clock was fast. */
  mostAhead: 600_000,
} as const;

/** The result of an identical earlier request for a new call. */
export type Continuation =
  | { kind: "wait"; ticket: OpenTicket }
  | { kind: "run"; ticket: Ticket }
  | { kind: "deliver"; ticket: DoneTicket }
  | { kind: "refuse"; ticket: DeniedTicket }
  | { kind: "open"; lead: string | undefined; afterUnknown: boolean };

/**
 * Returns what the newest identical request means for this call. The request is already settled against the store's
 * clock.
 * @param ran the newest identical request that ran, which still counts after later requests expired or failed
 */
export function continuation(ticket: Ticket | undefined, now: Date, ran?: RanTicket): Continuation {
  switch (ticket?.status) {
    case "pending":
    case "running":
      return { kind: "wait", ticket };
    case "approved":
      return { kind: "run", ticket };
    case "done":
      return ticket.delivered ? requestAfter(ticket) : { kind: "deliver", ticket };
    case "denied":
      return now.getTime() - ticket.decision.at.getTime() < approvalTimes.denialLasts &&
        !isAhead(ticket.decision.at, now)
        ? { kind: "refuse", ticket }
        : requestAfter(ran);
    case "unknown":
      return requestAfter(ticket);
    case "failed":
    case "expired":
    case undefined:
      return requestAfter(ran);
  }
}

/** Returns the new request of a call whose newest identical run is `ran`. */
export function requestAfter(ran: RanTicket | undefined): Continuation {
  switch (ran?.status) {
    case "done":
      return {
        kind: "open",
        lead: `done once at ${clockTime(ran.finishedAt)}`,
        afterUnknown: false,
      };
    case "unknown":
      return {
        kind: "open",
        lead: `may already have happened: an earlier run, started after ${clockTime(ran.decision.at)}, did not report back`,
        afterUnknown: true,
      };
    case undefined:
      return { kind: "open", lead: undefined, afterUnknown: false };
  }
}

/** Returns whether a time was stored before the clock was set back. */
function isAhead(at: Date, now: Date): boolean {
  return at.getTime() > now.getTime() + approvalTimes.mostAhead;
}

/**
 * Returns the request as of `now`, even if its stored row has not been updated yet. A request, an approval or a run of a
 * fast clock ends when the clock is set back. Otherwise it would wait for years.
 */
export function settled(ticket: Ticket, now: Date): Ticket {
  if (ticket.status === "pending" && (now >= ticket.expiresAt || isAhead(ticket.createdAt, now))) {
    const { question: _question, ...rest } = ticket;
    return { ...rest, status: "expired" };
  }
  if (
    ticket.status === "approved" &&
    (now >= ticket.runBefore || isAhead(ticket.decision.at, now))
  ) {
    const { decision: _decision, runBefore: _runBefore, ...rest } = ticket;
    return { ...rest, status: "expired" };
  }
  if (
    ticket.status === "running" &&
    (now >= ticket.leaseUntil || isAhead(ticket.leaseUntil, now))
  ) {
    const { leaseUntil, ...rest } = ticket;
    return { ...rest, status: "unknown", finishedAt: now >= leaseUntil ? leaseUntil : now };
  }
  return ticket;
}

/** Returns true if the request has not ended. */
export function isOpen(ticket: Ticket): ticket is OpenTicket {
  return ticket.status === "pending" || ticket.status === "approved" || ticket.status === "running";
}

/** Returns the next step for the model. */
export function guidance(ticket: Ticket, here: ChannelsHere): string {
  switch (ticket.status) {
    case "pending":
      return [
        ...(ticket.effect.followsUnknownRun === true
          ? ["Check the target first. If it happened, tell the user to deny this request."]
          : []),
        pendingGuidance(ticket, whereToDecide(here, ticket)),
      ].join(" ");
    case "approved":
      return "The user approved it. Call the tool again with the same arguments to run it.";
    case "running":
      return "It is running. Check again in a few seconds.";
    case "done":
      // The result of a tool that can fail without an error, such as a tool of an upstream server.
      if (ticket.output["failed"] === true)
        return "It ran, and its result reports a failure. Calling again makes a new request.";
      return "It was done. Do not call again unless the user wants it a second time.";
    case "failed":
      return "It was approved but failed. See the error. Calling again makes a new request.";
    case "denied":
      return denialGuidance(ticket);
    case "expired":
      if (ticket.error !== undefined)
        return ticket.error.hint ?? "Tell the user that the request has ended.";
      return `${ticket.replacedBy === undefined ? "No decision was made in time" : `Too many requests waited, and the newer ${ticket.replacedBy} replaced it`}, and nothing was done. Call the tool again only if the user still wants it.`;
    case "unknown":
      return "The run ended without a result, so it may or may not have happened. Check the target before anything else, and tell the user. Call the tool again only if the user asks for it: the same call makes a second request.";
  }
}

function pendingGuidance(
  { question, expiresAt }: PendingTicket,
  where: string | undefined,
): string {
  const again = "call the tool again with the same arguments";
  if (where === undefined) {
    const only = "The user's policy leaves no other approval channel";
    if (question?.answered === "elsewhere")
      return `The client answered without a decision. If the user pressed Decline, do not ask again. ${only}, so this request cannot be decided. Tell the user; it ends at ${expiresAt.toISOString()}.`;
    return question === undefined
      ? `${only} than a dialog, and this client opened none. Tell the user.`
      : `It waits in the client's dialog. ${only}. After a decision ${again}.`;
  }
  return question?.answered === "elsewhere"
    ? `The client answered without a decision. If the user pressed Decline, do not ask again; otherwise the user can decide ${where}. After a decision ${again}.`
    : `The user has not decided yet. Ask the user to approve or deny it ${where}, then ${again}.`;
}

function denialGuidance({ decision, tool, actsOn }: DeniedTicket): string {
  const said = noteForModel(decision);
  if (!decision.mayAskAgain) {
    const next = said === undefined ? "Ask the user what to do instead." : "Do what the user says.";
    return [
      ...(said === undefined ? [] : [`${said}.`]),
      `Do not ask again and do not try another way. ${next}`,
      // A note can ask for another time of the same event.
      ...(said === undefined || actsOn === undefined
        ? []
        : [
            `If that needs ${tool} for the same target, you can call it after ${clockTime(denialEnd(decision))}. Tell the user.`,
          ]),
    ].join(" ");
  }
  return [
    ...(said === undefined ? [] : [`${said}.`]),
    "You may call the tool again for the same target with other arguments.",
    said === undefined
      ? "Ask the user what to change. Do not repeat the same call."
      : "Change what the user says. Do not repeat the same call.",
  ].join(" ");
}

/** Returns the refusal for the caller of a request without a result. */
export function refusal(
  ticket: Exclude<Ticket, { status: "done" | "failed" }>,
  here: ChannelsHere,
): ToolError {
  const approval = ticketNotice(ticket);
  const what = formatRequest(ticket);
  const hint = guidance(ticket, here);
  switch (ticket.status) {
    case "denied":
      return new ToolError(
        "denied",
        `The user denied this at ${clockTime(ticket.decision.at)} ${channelPlaces[ticket.decision.channel]}. Nothing was done: ${what}.`,
        { hint, approval },
      );
    case "expired":
      if (ticket.error !== undefined) {
        const { kind, message } = ticket.error;
        return new ToolError(kind, `${message} It was not done: ${what}.`, { hint, approval });
      }
      return new ToolError(
        "approval_required",
        `${ticket.replacedBy === undefined ? "No decision was made in time" : "Too many requests waited, and a newer one replaced this one"}. Nothing was done: ${what}.`,
        { hint, approval },
      );
    case "unknown": {
      const { error } = ticket;
      if (error === undefined)
        return new ToolError("internal", `It was approved and started: ${what}.`, {
          hint,
          approval,
          sideEffects: "unknown",
        });
      return new ToolError(
        error.kind,
        `It was approved and started, so it may have happened: ${what}. ${error.message}`,
        {
          // Most messages name the next step, so this does not repeat it.
          hint: "Find out before anything else, and tell the user. Call the tool again only if the user asks for it: the same call makes a second request.",
          approval,
          sideEffects: "unknown",
        },
      );
    }
    case "running":
      return new ToolError("approval_required", `It was approved and is running now: ${what}.`, {
        hint,
        approval,
      });
    case "pending":
    case "approved":
      return new ToolError(
        "approval_required",
        `This needs the user's approval and was not done${ticket.effect.followsUnknownRun === true ? " again" : ""}: ${what}. The request is ${ticket.ticketId}, fingerprint ${ticket.fingerprint}; it waits until ${ticket.expiresAt.toISOString()}.${
          ticket.replaces === undefined
            ? ""
            : ` Too many requests waited: it replaced the older ${ticket.replaces}, which was not done.`
        }`,
        { hint, approval },
      );
  }
}

/** Returns the refusal of a call that differs from the denied one but acts on the same target. */
export function refusalOfTarget(ticket: DeniedTicket): ToolError {
  const { tool, decision } = ticket;
  const until = denialEnd(decision);
  return new ToolError(
    "denied",
    `The user denied ${tool} for the same target at ${clockTime(decision.at)} ${channelPlaces[decision.channel]}, and this applies until ${clockTime(until)} whatever the other arguments are. Nothing was done, and the user was not asked again.`,
    { hint: denialGuidance(ticket), approval: ticketNotice(ticket) },
  );
}

function denialEnd({ at }: Decision): Date {
  return new Date(at.getTime() + approvalTimes.denialLasts);
}

/** Describes the request to the model: the tool and the caller's own arguments only. */
function formatRequest(ticket: Ticket): string {
  const { headline, facts } = ticket.effect.forModel;
  if (facts.length === 0) return headline;
  return `${headline} (${facts.map(({ label, value }) => `${label}: ${value}`).join(", ")})`;
}

/** Formats a time as `14:02 UTC`, because the caller's time zone is unknown here. */
function clockTime(at: Date): string {
  return `${at.toISOString().slice(11, 16)} UTC`;
}
