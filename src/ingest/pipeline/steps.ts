import { authenticateStep, type VerdictSettings } from "./authenticate-step.ts";
import { type IndexSettings, indexStep } from "./index-step.ts";
import { notifyStep } from "./notify-step.ts";
import { type ParseSettings, parseStep } from "./parse-step.ts";
import type { Step } from "./step.ts";
import { summariseStep } from "./summarise-step.ts";

export interface StepSettings extends VerdictSettings, ParseSettings, IndexSettings {
  /** True if notices of new mail are enabled. */
  notifies: boolean;
}

/** Returns the steps of an accepted message, in order. */
export function mailSteps(settings: StepSettings): readonly Step[] {
  return [
    authenticateStep(settings),
    parseStep(settings),
    summariseStep(settings),
    indexStep(settings),
    ...(settings.notifies ? [notifyStep()] : []),
  ];
}

/** The first step of a new message. */
export const firstStep = "authenticate";
