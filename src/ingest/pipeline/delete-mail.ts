import { ToolError } from "../../core/tool/tool-error.ts";
import { objectPrefixes } from "../../core/shared/object-prefixes.ts";
import type { MailAdmin } from "../../ports/mail/mail-admin.ts";
import type { ObjectStore } from "../../ports/files/objects.ts";
import { putOnce } from "./accept-message.ts";

interface Places {
  admin: MailAdmin;
  objects: ObjectStore;
}

/** Messages per transaction. Other writes wait for it. */
const perBatch = 50;

/**
 * Deletes a message: first its rows, then its objects and words.
 * @throws ToolError if it is being processed
 */
export async function deleteMail(emailId: string, places: Places): Promise<{ objects: number }> {
  const { emailIds } = await places.admin.forget([emailId]);
  if (emailIds.length === 0 && (await places.admin.find(emailId)) !== undefined) {
    throw new ToolError(
      "conflict",
      `${emailId} is being read at this moment. Nothing was deleted.`,
      {
        hint: "Try again in a few seconds.",
      },
    );
  }
  return { objects: await removeLeftovers(places) };
}

/**
 * Deletes messages whose last receipt is before a time, and notes of rejected mail, in batches.
 * @param isClosed asked between batches
 * @returns the number of messages and notes
 */
export async function forgetOldMail(
  before: Date,
  { admin, objects, isClosed }: Places & { isClosed: () => boolean },
): Promise<number> {
  let forgotten = await admin.forgetRejected(before.getTime());
  for (;;) {
    const old = isClosed() ? [] : await admin.old(before.getTime(), perBatch);
    if (old.length === 0) break;
    const { emailIds } = await admin.forget(old, before.getTime());
    forgotten += emailIds.length;
    // Fewer than a batch are left, or a process works on them.
    if (emailIds.length < perBatch) break;
  }
  await removeLeftovers({ admin, objects });
  return forgotten;
}

/**
 * Removes what deletions left: objects without a row, and words of the index. Rows are deleted before objects, because
 * a message that arrives again meanwhile gets new rows and keeps its objects. The leftovers, which are written with the
 * deletion of the rows, find the objects after a kill.
 * @returns the number of removed objects
 */
export async function removeLeftovers({ admin, objects }: Places): Promise<number> {
  let removed = 0;
  for (const key of await admin.leftovers()) {
    const isObject = objectPrefixes.some((prefix) => key.startsWith(prefix));
    if (isObject && !(await admin.needsObject(key))) {
      // An unreadable object is deleted too.
      const found = await objects.get(key).catch(() => undefined);
      if (await objects.remove(key, { forGood: true })) removed += 1;
      // Meanwhile, a message with the same bytes arrived or was parsed, and relied on the objects found here.
      if (found !== undefined && (await admin.needsObject(key)))
        await putOnce(objects, key, found.body, found.facts.mediaType);
    }
    await admin.clearLeftover(key);
  }
  return removed;
}
