import { ToolError } from "../../core/tool/tool-error.ts";
import type { ObjectStore } from "../../ports/files/objects.ts";
import { rawKey, textKey, textRange } from "../../ports/mail/mail-objects.ts";
import type { StoredText } from "../../ports/mail/mail-store.ts";
import { mailLimits } from "../pipeline/limits.ts";
import type { MailInProgress } from "../pipeline/step.ts";

/** Returns the readable text of a parsed message. */
export async function textOf(objects: ObjectStore, mail: MailInProgress): Promise<string> {
  if (mail.text !== undefined) return mail.text;
  if (mail.facts === undefined) throw new Error("The message has not been parsed yet.");
  return await storedText(objects, mail.facts.text);
}

export async function storedText(objects: ObjectStore, text: StoredText): Promise<string> {
  const { bytes } = text;
  if (bytes === 0) return "";
  const { key, ...range } = textRange(text, { offset: 0, length: bytes });
  const isPart = text.inRawAt !== undefined;
  const stored = isPart
    ? (await objects.get(key, range))?.body
    : await wholeObject(objects, key, bytes);
  if (stored === undefined)
    throw new ToolError("unavailable", "The text of the message is not in the store.");
  return Buffer.from(stored).toString("utf-8");
}

/** Returns the texts of attachments as they are indexed: in order, up to the limit. */
export async function attachmentWords(
  objects: ObjectStore,
  texts: readonly StoredText[],
): Promise<string> {
  const words: string[] = [];
  let left: number = mailLimits.searchedAttachmentBytes;
  for (const { sha256, bytes } of texts) {
    if (left <= 0) break;
    const stored = await objects.get(textKey(sha256), { offset: 0, length: Math.min(bytes, left) });
    if (stored === undefined)
      throw new ToolError("unavailable", "The text of an attachment is not in the store.");
    words.push(new TextDecoder().decode(stored.body));
    left -= bytes;
  }
  return words.join("\n\n");
}

/** Returns the message as it was received. */
export async function rawOf(objects: ObjectStore, mail: MailInProgress): Promise<Uint8Array> {
  const inHand = mail.raw ?? mail.inbox;
  if (inHand !== undefined) return inHand;
  const stored = await wholeObject(objects, rawKey(mail.rawSha256), mail.rawBytes);
  if (stored === undefined)
    throw new ToolError("unavailable", "The raw message is not in the store.");
  return stored;
}

/**
 * Returns an object of a known size. Undefined if it does not exist. At most one byte more is read, so a larger object
 * cannot fill the memory.
 * @throws {ToolError} `unavailable` if the object is larger
 */
export async function wholeObject(
  objects: ObjectStore,
  key: string,
  bytes: number,
): Promise<Uint8Array | undefined> {
  // A range of one byte more covers the whole object, so that the store compares its digest.
  const stored = await objects.get(key, { length: bytes + 1 });
  if (stored !== undefined && stored.body.byteLength > bytes)
    throw new ToolError(
      "unavailable",
      "A stored message is larger than its row says. It was not read.",
    );
  return stored?.body;
}
