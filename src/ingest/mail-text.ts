import { ToolError } from "../core/tool-error.ts";
import type { ObjectStore } from "../ports/objects.ts";
import { rawKey, textKey } from "../ports/mail-objects.ts";
import type { MailInHand } from "./step.ts";

/** The readable text of a message that has been parsed. */
export async function textOf(objects: ObjectStore, mail: MailInHand): Promise<string> {
  if (mail.text !== undefined) return mail.text;
  if (mail.facts === undefined) throw new Error("The message has not been parsed yet.");
  return await storedText(objects, mail.facts.text);
}

export async function storedText(
  objects: ObjectStore,
  { sha256, bytes }: { sha256: string; bytes: number },
): Promise<string> {
  if (bytes === 0) return "";
  const stored = await objects.get(textKey(sha256));
  if (stored === undefined)
    throw new ToolError("unavailable", "The text of the message is not in the store.");
  return Buffer.from(stored.body).toString("utf-8");
}

/** The message as it was received. */
export async function rawOf(objects: ObjectStore, mail: MailInHand): Promise<Uint8Array> {
  const inHand = mail.raw ?? mail.inbox;
  if (inHand !== undefined) return inHand;
  const stored = await objects.get(rawKey(mail.rawSha256));
  if (stored === undefined)
    throw new ToolError("unavailable", "The raw message is not in the store.");
  return stored.body;
}
