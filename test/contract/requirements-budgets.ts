import type { Requirement } from "./requirement.ts";

/** The requirements for limits on callers, and against approval fatigue. */
export const budgetRequirements: readonly Requirement[] = [
  { id: "budget.minute", sentence: "A caller has 60 calls a minute, whatever turns it claims." },
  {
    id: "budget.turn",
    sentence: "A turn has 40 calls: a trace id, else up to an idle gap of 60 s.",
  },
  {
    id: "budget.high",
    sentence: "A turn has 5 high-risk calls, or as many as the setting says.",
  },
  {
    id: "budget.hour",
    sentence:
      "Regardless of a client's labels, an hour has the calls of 10 turns and the high-risk calls of 4.",
  },
  {
    id: "budget.renewed",
    sentence:
      'A person\'s approval or "Resume" starts a new turn. It resets the hour only if it proves a person.',
  },
  {
    id: "budget.when",
    sentence: "An exceeded budget names the time at which the next call is possible.",
  },
  { id: "budget.shared", sentence: "Medium and high risk is counted for all replicas." },
  { id: "budget.restart", sentence: "Counts for all replicas survive a restart." },
  { id: "budget.join", sentence: "Joining an open request counts towards no budget." },
  { id: "budget.free", sentence: "`check_approval` counts towards no budget." },
  {
    id: "loops.stopped",
    sentence: "An identical call that fails repeatedly is stopped, with the reason.",
  },
  { id: "fatigue.stale", sentence: "Denials of requests older than ten minutes do not pause." },
  { id: "fatigue.pause", sentence: "Three denials in ten minutes pause a caller's requests." },
  { id: "fatigue.waiting", sentence: "At most 20 requests of a caller wait at a time." },
  {
    id: "fatigue.flood",
    sentence: "A new request replaces the oldest of a flood of requests, and both say so.",
  },
  {
    id: "tickets.denied-target",
    sentence: "A denial applies to the same tool on the same target, whatever else changed.",
  },
  {
    id: "fatigue.selection",
    sentence: "More than five requests are selected and decided together on the page.",
  },
];
