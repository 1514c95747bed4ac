import { indexStep } from "./index-step.ts";
import { type ParseSettings, parseStep } from "./parse-step.ts";
import type { Step } from "./step.ts";
import { summariseStep } from "./summarise-step.ts";

/** What happens to a message after `keep`, in this order: PRODUCT section 4. */
export function mailSteps(settings: ParseSettings): readonly Step[] {
  return [parseStep(settings), summariseStep(settings), indexStep(settings)];
}

/** The name under which a new message is entered. */
export const firstStep = "parse";
