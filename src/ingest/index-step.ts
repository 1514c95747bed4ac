import type { ObjectStore } from "../ports/objects.ts";
import { textOf } from "./mail-text.ts";
import type { Step } from "./step.ts";

/** Makes the message findable. */
export function indexStep({ objects }: { objects: ObjectStore }): Step {
  return {
    name: "index",
    // About an hour: only the stores can fail here, and they come back.
    attempts: 10,
    isCheckpoint: true,
    run: async (mail) => ({ searchable: { body: await textOf(objects, mail) } }),
  };
}
