import { authenticateStep, type VerdictSettings } from "./authenticate-step.ts";
import { type IndexSettings, indexStep } from "./index-step.ts";
import { notifyStep } from "./notify-step.ts";
import { type ParseSettings, parseStep } from "./parse-step.ts";
import type { Step } from "./step.ts";
import { summariseStep } from "./summarise-step.ts";

export interface StepSettings extends VerdictSettings, ParseSettings, IndexSettings {
  /** People want to be told of new mail. */
  notifies: boolean;
}

/** What happens to a message after `keep`, in this order: PRODUCT section 4. */
export function mailSteps(settings: StepSettings): readonly Step[] {
  return [
    authenticateStep(settings),
    parseStep(settings),
    summariseStep(settings),
    indexStep(settings),
    ...(settings.notifies ? [notifyStep()] : []),
  ];
}

/** The name under which a new message is entered. */
export const firstStep = "authenticate";
