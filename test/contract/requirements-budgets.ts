import type { Requirement } from "./requirement.ts";

/** The requirements for limits on callers, and against approval fatigue. */
export const budgetRequirements: readonly Requirement[] = [
  { id: "budget.minute", sentence: "A caller has 60 calls a minute, whatever turns it makes up." },
  {
    id: "budget.turn",
    sentence: "A turn has 40 calls: a trace id, else up to an idle gap of 60 s.",
  },
  {
    id: "budget.high",
    sentence: "A turn has 5 calls of high risk, or as many as the setting says.",
  },
  {
    id: "budget.hour",
    sentence:
      "Whatever labels a client makes up, an hour has 10 turns' calls and 4 turns' of high risk.",
  },
  {
    id: "budget.renewed",
    sentence:
      'A person\'s approval or "go on" starts a turn anew; the hour only where it proves a person.',
  },
  { id: "budget.when", sentence: "A refusal names the time at which the next call is possible." },
  { id: "budget.shared", sentence: "Medium and high risk is counted for all replicas." },
  { id: "budget.restart", sentence: "What is counted for all replicas outlives a restart." },
  { id: "budget.join", sentence: "Joining an open request counts towards no budget." },
  { id: "budget.free", sentence: "`check_approval` counts towards no budget." },
  {
    id: "loops.stopped",
    sentence: "An identical call that keeps failing is stopped and told why.",
  },
  { id: "fatigue.stale", sentence: "Denials of requests older than ten minutes do not pause." },
  { id: "fatigue.pause", sentence: "Three refusals in ten minutes pause a caller's requests." },
  { id: "fatigue.waiting", sentence: "At most 20 requests of a caller wait at once." },
  {
    id: "fatigue.flood",
    sentence: "The oldest of a flood of requests gives way to a new one, and both say so.",
  },
  {
    id: "tickets.denied-target",
    sentence: "A refusal stands for the same tool on the same target, whatever else changed.",
  },
  { id: "fatigue.review", sentence: "More than five requests are one review on the page." },
];
