import { ToolError } from "../tool/tool-error.ts";
import type { Ticket } from "./ticket.ts";

/** Limits against approval fatigue. No setting switches them off. */
export const fatigue = {
  /**
   * Denials within `denialsWithinMs` that pause the caller until a person ends the pause. Denials with "may ask again"
   * do not count.
   */
  denialsBeforePause: 3,
  denialsWithinMs: 10 * 60_000,
  /** Only denials of requests younger than this count, so that clearing old requests pauses no caller. Milliseconds. */
  freshForMs: 10 * 60_000,
  /** Open requests per caller. A person would not read more. */
  waitingAtMost: 20,
  /**
   * At the limit, a new request replaces one that was unanswered for this long. Otherwise a flood would block all other
   * requests for a day. Younger requests stay, because a person may be reading them. Requests that a person has seen are
   * replaced last. Milliseconds.
   */
  replaceableAfterMs: 60_000,
  /** A request that a person saw and left unanswered for this long counts as unseen again. Milliseconds. */
  seenForMs: 30 * 60_000,
  /** Up to this many requests are shown with their own buttons. More are selected in a list and decided together. */
  decidedOneByOne: 5,
} as const;

/** Returns the refusal of a call at the limit of open requests. */
export function tooManyWait(): ToolError {
  return new ToolError(
    "budget_exceeded",
    `${fatigue.waitingAtMost} requests wait for the user already, which is the limit. Nothing was done, and the user was not asked.`,
    {
      hint: "Ask the user to decide those first. A request that has waited for a minute can be replaced by a new one.",
    },
  );
}

/** Returns the ids of the waiting requests that no person has seen yet. */
export function unseenOf(tickets: readonly Ticket[]): readonly string[] {
  return tickets
    .filter(({ status, seenAt }) => status === "pending" && seenAt === undefined)
    .map(({ ticketId }) => ticketId);
}
