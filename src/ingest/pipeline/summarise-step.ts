import type { ObjectStore } from "../../ports/files/objects.ts";
import { extractSummary } from "../summary/extract-summary.ts";
import { textOf } from "../text/mail-text.ts";
import type { Step } from "./step.ts";

/**
 * Creates the step that summarises a message by its first sentences. A message without a summary can still be found and
 * read.
 */
export function summariseStep({ objects }: { objects: ObjectStore }): Step {
  return {
    name: "summarise",
    attempts: 3,
    isCheckpoint: false,
    run: async (mail) => {
      const text = mail.extract ?? extractSummary(await textOf(objects, mail));
      return { summary: { text, source: "extract" } };
    },
    otherwise: () => Promise.resolve({ summary: { text: "", source: "extract" } }),
  };
}
