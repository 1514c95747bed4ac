import { quotedClient } from "../core/shared/text/client-name.ts";
import { shownValue } from "../core/shared/text/visible.ts";
import { dayMs, inMachineZone } from "../core/shared/time-zone.ts";
import { channelPlaces } from "../core/approvals/directions.ts";
import type { Decision, ApprovalChannel, Ticket } from "../core/approvals/ticket.ts";
import { type ErrorKind, isErrorKind } from "../core/tool/tool-error.ts";

/** Formats a time span: `5 min`, rounded down. */
export function formatSpan(from: Date, to: Date): string {
  const minutes = Math.max(0, Math.floor((to.getTime() - from.getTime()) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} days`;
}

const dayAndTime = {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
} as const;
const ofThisYear = inMachineZone(dayAndTime);
const ofAnotherYear = inMachineZone({ ...dayAndTime, year: "numeric" });
/** From this distance on, a day and a month are ambiguous without the year. Milliseconds. */
const needsYearFromMs = 300 * dayMs;

/** Formats a time in this machine's zone: `21 Nov, 14:02 CET`, and a distant one with its year. */
export function formatMoment(at: Date): string {
  const isDistant = Math.abs(at.getTime() - Date.now()) >= needsYearFromMs;
  return (isDistant ? ofAnotherYear : ofThisYear)(at);
}

const isoTime = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)(?!\w)/g;

/** Replaces the times in a sentence for a model by those of this computer, for a person. */
export function withLocalTimes(sentence: string): string {
  return sentence.replaceAll(isoTime, (time) => {
    const at = new Date(time);
    return Number.isNaN(at.getTime()) ? time : formatMoment(at);
  });
}

export function isChannel(name: string): name is ApprovalChannel {
  return Object.hasOwn(channelPlaces, name);
}

const reasons: Readonly<Record<ErrorKind, string>> = {
  invalid_input: "the arguments were invalid",
  not_found: "it does not exist",
  conflict: "it had changed, or already existed",
  too_large: "it is too large",
  forbidden: "that is not allowed",
  denied: "it had been denied",
  approval_required: "it needs approval",
  not_configured: "it is not set up",
  budget_exceeded: "too many calls",
  rate_limited: "the service limits the rate",
  timeout: "it took too long",
  unavailable: "it was unavailable",
  auth: "the credentials were rejected",
  cancelled: "it was cancelled",
  internal: "Countersign failed",
};

/** Names the caller and the client. The client chose its own name. */
export function whoAsked({ principal, client }: Pick<Ticket, "principal" | "client">): string {
  return `${principal}, with ${quotedClient(client)}`;
}

/** Names the decider. For a dialog that is the client program, by its own name. */
export function formatDecider({ channel, by }: Pick<Decision, "channel" | "by">): string {
  return channel === "elicitation" ? `client ${quotedClient(by.replace(/^client /, ""))}` : by;
}

/** Formats the reason of a failure from the kind of its error. */
export function formatReason(kind: string): string {
  return isErrorKind(kind) ? reasons[kind] : kind;
}

/** Formats a decision: `Approved by alice on the approval page, 21 Nov, 14:02 CET.`, with the note of a denial. */
export function formatDecision({ verdict, by, channel, at, note, mayAskAgain }: Decision): string {
  const what = verdict === "approve" ? "Approved" : "Denied";
  const place = channelPlaces[channel];
  return [
    channel === "elicitation"
      ? `${what} ${place}, ${formatMoment(at)}, as ${formatDecider({ channel, by })} says.`
      : `${what} by ${by} ${place}, ${formatMoment(at)}.`,
    ...(mayAskAgain ? ["The assistant may ask again with changes."] : []),
    ...(note === undefined ? [] : [`Note to the assistant: ${shownValue(note)}.`]),
  ].join(" ");
}

/** Formats the outcome of a request for the person who decides. */
export function formatOutcome(ticket: Ticket): string {
  switch (ticket.status) {
    case "pending":
      return "It waits for a decision.";
    case "approved":
      return `Approved. It runs now if the client still waits, otherwise when the client asks again before ${formatMoment(ticket.runBefore)}.`;
    case "running":
      return "Approved. It is running now.";
    case "done":
      return `Done, ${formatMoment(ticket.finishedAt)}.`;
    case "failed":
      return `Approved, but the call failed. ${ticket.error.message}`;
    case "unknown":
      return ticket.error === undefined
        ? "Approved and started, but it never reported back. It may or may not have happened. Check it yourself."
        : `Approved and started, and it may or may not have happened. Check it yourself. ${ticket.error.message}`;
    case "denied":
      return "Denied. Nothing was done.";
    case "expired":
      if (ticket.error !== undefined) return `It ended before a decision. ${ticket.error.message}`;
      return ticket.replacedBy === undefined
        ? "The request expired before the call ran. Nothing was done."
        : "Too many requests waited, and a newer one replaced this one. Nothing was done.";
  }
}
