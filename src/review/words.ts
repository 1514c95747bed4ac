import { quotedClient } from "../core/shared/client-name.ts";
import { shownValue } from "../core/approvals/effect.ts";
import { inMachineZone } from "../core/shared/time-zone.ts";
import type { Decision, ApprovalChannel, Ticket } from "../core/approvals/ticket.ts";
import { type ErrorKind, isErrorKind } from "../core/tool/tool-error.ts";

/** `5 min`, rounded down. */
export function span(from: Date, to: Date): string {
  const minutes = Math.max(0, Math.floor((to.getTime() - from.getTime()) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} days`;
}

const clockFace = inMachineZone({
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
});

/** `21 Nov, 14:02 CET`, in this machine's time zone, which it names. */
export function moment(at: Date): string {
  return clockFace(at);
}

const places: Readonly<Record<ApprovalChannel, string>> = {
  elicitation: "in the program that asked",
  page: "on the approval page",
  telegram: "in Telegram",
  terminal: "at the terminal",
  rule: "by a standing rule",
};

export function formatChannel(channel: ApprovalChannel): string {
  return places[channel];
}

export function isChannel(name: string): name is ApprovalChannel {
  return Object.hasOwn(places, name);
}

const reasons: Readonly<Record<ErrorKind, string>> = {
  invalid_input: "the call was not understood",
  not_found: "there is no such thing",
  conflict: "it had changed, or was there already",
  too_large: "it is too large",
  forbidden: "that is not allowed",
  denied: "it had been refused",
  approval_required: "it needs approval",
  not_configured: "it is not set up",
  budget_exceeded: "too many calls",
  rate_limited: "the service wants a pause",
  timeout: "it took too long",
  unavailable: "it could not be reached",
  auth: "the sign-in was refused",
  cancelled: "it was called off",
  internal: "Countersign failed",
};

/** The program that asked, in its own words for itself, after whose it is. */
export function whoAsked({ principal, client }: Pick<Ticket, "principal" | "client">): string {
  return `${principal}, with ${quotedClient(client)}`;
}

/** Who decided. In a dialog that is the client program's word, by its own word for itself. */
export function deciderInWords({ channel, by }: Pick<Decision, "channel" | "by">): string {
  return channel === "elicitation" ? `client ${quotedClient(by.replace(/^client /, ""))}` : by;
}

/** Why something failed, from the kind of its error. */
export function formatReason(kind: string): string {
  return isErrorKind(kind) ? reasons[kind] : kind;
}

/** `Approved by alice on the approval page, 21 Nov, 14:02 CET.`, and what was said with a denial. */
export function formatDecision({ verdict, by, channel, at, note, mayAskAgain }: Decision): string {
  const what = verdict === "approve" ? "Approved" : "Denied";
  const place = places[channel];
  return [
    channel === "elicitation"
      ? `${what} ${place}, ${moment(at)}, as ${deciderInWords({ channel, by })} says.`
      : `${what} by ${by} ${place}, ${moment(at)}.`,
    ...(mayAskAgain ? ["The assistant may ask again with changes."] : []),
    ...(note === undefined ? [] : [`The assistant is told: ${shownValue(note)}.`]),
  ].join(" ");
}

/** What became of a request, for the person who decides. */
export function formatOutcome(ticket: Ticket): string {
  switch (ticket.status) {
    case "pending":
      return "It waits for a decision.";
    case "approved":
      return `Approved. It runs now if the program that asked is still there, otherwise when it asks again before ${moment(ticket.runBefore)}.`;
    case "running":
      return "Approved. It is running now.";
    case "done":
      return `Done, ${moment(ticket.finishedAt)}.`;
    case "failed":
      return `It was approved but did not work. ${ticket.error.message}`;
    case "unknown":
      return "It was approved and started, but never reported back: it may or may not have happened. Please look yourself.";
    case "denied":
      return "Denied. Nothing was done.";
    case "expired":
      return ticket.gaveWayTo === undefined
        ? "The time was over before it could run. Nothing was done."
        : "Too many requests waited, and it gave way to a newer one. Nothing was done.";
  }
}
