import { ToolError } from "../../core/tool/tool-error.ts";
import { attachmentKey, rawKey, textKey } from "../../ports/mail/mail-objects.ts";
import type { MailAdmin } from "../../ports/mail/mail-admin.ts";
import type { ObjectStore } from "../../ports/files/objects.ts";
import { putOnce } from "./accept-message.ts";

/**
 * Deletes a message: first its rows, then its objects. An interrupted deletion leaves objects that no row refers to.
 */
export async function deleteMail(
  emailId: string,
  { desk, objects }: { desk: MailAdmin; objects: ObjectStore },
): Promise<{ objects: number }> {
  const left = await desk.forget(emailId);
  if (left === undefined) {
    throw new ToolError(
      "conflict",
      `${emailId} is being read at this moment. Nothing was deleted.`,
      {
        hint: "Try again in a few seconds.",
      },
    );
  }
  let removed = 0;
  const remove = async (key: string, isNeeded: () => Promise<boolean>): Promise<void> => {
    if (await isNeeded()) return;
    // An unreadable object is deleted too.
    const found = await objects.get(key).catch(() => undefined);
    if (await objects.remove(key, { forGood: true })) removed += 1;
    // Meanwhile, a message with the same bytes arrived or was parsed, and relied on the objects found here.
    if (found !== undefined && (await isNeeded()))
      await putOnce(objects, key, found.body, found.facts.mediaType);
  };
  const { text, attachments, raw } = left;
  for (const sha256 of text) await remove(textKey(sha256), () => desk.needsPart(sha256));
  for (const sha256 of attachments)
    await remove(attachmentKey(sha256), () => desk.needsPart(sha256));
  for (const sha256 of raw) await remove(rawKey(sha256), () => desk.needsRaw(sha256));
  return { objects: removed };
}
