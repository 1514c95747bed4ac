import type { ObjectStore } from "../../ports/files/objects.ts";
import { attachmentWords, textOf } from "../text/mail-text.ts";
import type { Step } from "./step.ts";

export interface IndexSettings {
  objects: ObjectStore;
  /** True if a model writes summaries. The extract is shown until then. */
  hasModel: boolean;
}

/** Creates the step that adds a message to the full-text index. */
export function indexStep({ objects, hasModel }: IndexSettings): Step {
  return {
    name: "index",
    // Ten attempts take about an hour. Only the stores can fail here, and such failures are temporary.
    attempts: 10,
    isCheckpoint: false,
    run: async (mail) => {
      const parsed = mail.facts?.attachments?.flatMap(({ text }) => text ?? []);
      const [body, attachments] = await Promise.all([
        textOf(objects, mail),
        attachmentWords(objects, parsed ?? mail.attachmentTexts ?? []),
      ]);
      return { searchable: { body, attachments }, ...(hasModel && { toSummarise: true }) };
    },
  };
}
