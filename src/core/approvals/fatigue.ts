import { ToolError } from "../tool/tool-error.ts";

/** What protects a person from being asked until they say yes. None of it can be switched off. */
export const fatigue = {
  /** So many refusals within this time (milliseconds) say that something is wrong: a person has to look before it goes on. */
  denialsBeforePause: 3,
  denialsWithinMs: 10 * 60_000,
  /** Only denials of requests younger than this count: whoever clears away old ones is not being worn out. Milliseconds. */
  freshForMs: 10 * 60_000,
  /** Requests of one principal that may wait at once: nobody reads more. */
  waitingAtMost: 20,
  /**
   * A request that nobody answered for so long gives way where one too many would wait: else a flood would block all others for
   * a day. A younger one may be what the person reads just now. Milliseconds.
   */
  givesWayAfterMs: 60_000,
  /** Up to so many, each request has buttons of its own; more are one review. */
  reviewedOneByOne: 5,
} as const;

/** The refusal for a call whose request would be one too many. */
export function tooManyWait(): ToolError {
  return new ToolError(
    "budget_exceeded",
    `${fatigue.waitingAtMost} requests wait for the user already, and there may be no more. Nothing was done, and the user was not asked.`,
    {
      hint: "Ask the user to decide those first. When the oldest of them has waited for a minute, it gives way to a new one.",
    },
  );
}
