import { ToolError } from "../../core/tool/tool-error.ts";
import { attachmentKey, rawKey, textKey } from "../../ports/mail/mail-objects.ts";
import type { MailAdmin } from "../../ports/mail/mail-admin.ts";
import type { ObjectStore } from "../../ports/files/objects.ts";
import { putOnce } from "./accept-message.ts";

/**
 * Removes a message: first its rows, so that nothing names what is gone, then its objects. Where it is cut off in between,
 * objects are left that nobody can find.
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
    // What cannot be read has to go all the same.
    const found = await objects.get(key).catch(() => undefined);
    if (await objects.remove(key, { forGood: true })) removed += 1;
    // A message with the same bytes has arrived or was read meanwhile, and found them there.
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
