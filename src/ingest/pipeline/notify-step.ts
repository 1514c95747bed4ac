import type { Step } from "./step.ts";

/**
 * Creates the step that marks a message for a notice, in the transaction that makes it searchable. The notifier looks
 * for the mark, so an unavailable messenger does not delay mail.
 */
export function notifyStep(): Step {
  return {
    name: "notify",
    attempts: 1,
    isCheckpoint: false,
    run: () => Promise.resolve({ toTell: true }),
  };
}
