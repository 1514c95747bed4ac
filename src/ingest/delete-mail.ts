import { ToolError } from "../core/tool-error.ts";
import { attachmentKey, rawKey, textKey } from "../ports/mail-objects.ts";
import type { MailDesk } from "../ports/mail-desk.ts";
import type { ObjectStore } from "../ports/objects.ts";
import { putOnce } from "./keep.ts";

/**
 * Removes a message: first its rows, so that nothing names what is gone, then its objects. Where it is cut off in between,
 * objects are left that nobody can find.
 */
export async function deleteMail(
  emailId: string,
  { desk, objects }: { desk: MailDesk; objects: ObjectStore },
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
  const remove = async (key: string): Promise<void> => {
    if (await objects.remove(key)) removed += 1;
  };
  for (const sha256 of left.text) await remove(textKey(sha256));
  for (const sha256 of left.attachments) await remove(attachmentKey(sha256));
  for (const sha256 of left.raw) {
    if (await desk.needsRaw(sha256)) continue;
    const bytes = (await objects.get(rawKey(sha256)))?.body;
    await remove(rawKey(sha256));
    // The same message has arrived again meanwhile, and found its bytes there.
    if (bytes !== undefined && (await desk.needsRaw(sha256)))
      await putOnce(objects, rawKey(sha256), bytes, "message/rfc822");
  }
  return { objects: removed };
}
