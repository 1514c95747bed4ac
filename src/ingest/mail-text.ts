import { ToolError } from "../core/tool-error.ts";
import type { ObjectStore } from "../ports/objects.ts";
import { textKey } from "../ports/mail-objects.ts";
import type { MailInHand } from "./step.ts";

/** The readable text of a message that has been parsed. */
export async function textOf(objects: ObjectStore, mail: MailInHand): Promise<string> {
  if (mail.text !== undefined) return mail.text;
  if (mail.facts === undefined) throw new Error("The message has not been parsed yet.");
  if (mail.facts.text.bytes === 0) return "";
  const stored = await objects.get(textKey(mail.facts.text.sha256));
  if (stored === undefined)
    throw new ToolError("unavailable", "The text of the message is not in the store.");
  return Buffer.from(stored.body).toString("utf-8");
}
