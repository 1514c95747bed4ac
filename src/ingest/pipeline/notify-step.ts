import type { Step } from "./step.ts";

/**
 * Marks the message as one that people are to be told of, in the transaction that makes it findable. Who tells them looks for
 * the mark: a messenger that is away holds up no mail.
 */
export function notifyStep(): Step {
  return {
    name: "notify",
    attempts: 1,
    isCheckpoint: false,
    run: () => Promise.resolve({ toTell: true }),
  };
}
