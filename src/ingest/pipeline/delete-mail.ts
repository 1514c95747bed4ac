import { ToolError } from "../../core/tool/tool-error.ts";
import { objectPrefixes } from "../../core/shared/object-prefixes.ts";
import type { MailAdmin } from "../../ports/mail/mail-admin.ts";
import type { ObjectStore } from "../../ports/files/objects.ts";
import { putOnce } from "./accept-message.ts";

interface Places {
  admin: MailAdmin;
  objects: ObjectStore;
}

/** Messages per transaction, for which other writes have to wait. */
const perBatch = 50;

/**
 * Deletes a message: first its rows, then its objects and index entries.
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
    // The rest is less than a batch, or is being processed.
    if (emailIds.length < perBatch) break;
  }
  await removeLeftovers({ admin, objects });
  return forgotten;
}

/**
 * Removes the leftovers of deletions: objects without a row, and index entries. Rows are deleted before objects,
 * because a message that arrives again meanwhile gets new rows and keeps its objects. The list of leftovers is written
 * together with the deletion of the rows, so the objects are found after a kill.
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
      // A message with the same bytes may have arrived or been parsed meanwhile, and needs the object.
      if (found !== undefined && (await admin.needsObject(key)))
        await putOnce(objects, key, found.body, found.facts.mediaType);
    }
    await admin.clearLeftover(key);
  }
  return removed;
}
