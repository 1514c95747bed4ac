import type { ObjectStore } from "../../ports/files/objects.ts";
import { attachmentWords, textOf } from "../text/mail-text.ts";
import type { Step } from "./step.ts";

export interface IndexSettings {
  objects: ObjectStore;
  /** A model is there to write summaries; the extract stands until it has. */
  hasModel: boolean;
}

/** Makes the message findable. */
export function indexStep({ objects, hasModel }: IndexSettings): Step {
  return {
    name: "index",
    // About an hour: only the stores can fail here, and they come back.
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
