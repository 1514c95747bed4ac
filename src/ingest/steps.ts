import type { ObjectStore } from "../ports/objects.ts";
import { indexStep } from "./index-step.ts";
import { parseStep } from "./parse-step.ts";
import type { Parser } from "./parser.ts";
import type { Step } from "./step.ts";
import { summariseStep } from "./summarise-step.ts";

/** What happens to a message after `keep`, in this order: PRODUCT section 4. */
export function mailSteps(ports: { objects: ObjectStore; parser: Parser }): readonly Step[] {
  return [parseStep(ports), summariseStep(ports), indexStep(ports)];
}

/** The name under which a new message is entered. */
export const firstStep = "parse";
