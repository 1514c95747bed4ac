import { ToolError } from "../../core/tool/tool-error.ts";
import { objectPrefixes } from "../../core/shared/object-prefixes.ts";
import type { MailAdmin } from "../../ports/mail/mail-admin.ts";
import type { ObjectStore } from "../../ports/files/objects.ts";
import { rawKey } from "../../ports/mail/mail-objects.ts";
import { putOnce } from "./accept-message.ts";
import { identify } from "./email-id.ts";

interface Places {
  admin: MailAdmin;
  objects: ObjectStore;
}

/** Messages per transaction, for which other writes have to wait. */
const perBatch = 50;
/** Raw messages that are in memory at the same time. Their removals share a commit. */
const rawsAtOnce = 4;
/** Bytes of removed parts that stay in memory, because messages that arrive meanwhile may need them. */
const mostBytesHeld = 8_000_000;

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
  const keys = await admin.leftovers();
  for (let at = 0; at < keys.length; at += perBatch) {
    const batch = keys.slice(at, at + perBatch);
    const isRaw = (key: string): boolean => key.startsWith(rawKey(""));
    const raws = batch.filter(isRaw);
    for (let raw = 0; raw < raws.length; raw += rawsAtOnce) {
      const some = raws.slice(raw, raw + rawsAtOnce);
      const counts = await Promise.all(some.map((key) => removeRaw(key, { admin, objects })));
      removed += counts.reduce((sum, count) => sum + count, 0);
    }
    const parts = batch.filter(
      (key) => !isRaw(key) && objectPrefixes.some((prefix) => key.startsWith(prefix)),
    );
    removed += await removeParts(parts, { admin, objects });
    // Once for a batch, because it takes longer than the removal of an object.
    await objects.emptyLog();
    await admin.clearLeftovers(batch);
  }
  return removed;
}

/**
 * Removes a raw message that no row needs. Its bytes name the only message that can need it, which an index finds.
 * @returns the number of removed objects
 */
async function removeRaw(key: string, { admin, objects }: Places): Promise<number> {
  const found = await objects.get(key).catch(() => undefined);
  // An unreadable object names no message, and is deleted too.
  const emailId = found && (await identify(found.body)).emailId;
  const isNeeded = async (): Promise<boolean> =>
    emailId === undefined
      ? (await admin.neededObjects([key])).size > 0
      : await admin.needsRaw(key, emailId);
  if (await isNeeded()) return 0;
  const isRemoved = await objects.remove(key);
  // The same message may have arrived meanwhile, and needs the object.
  if (found !== undefined && (await isNeeded()))
    await putOnce(objects, key, found.body, found.facts.mediaType);
  return isRemoved ? 1 : 0;
}

/**
 * Removes texts and attachments that no row needs. Any message may need them, so all mail is searched once before and
 * once after their removal. A text that is missing in between can be made from its message again.
 * @returns the number of removed objects
 */
async function removeParts(keys: readonly string[], { admin, objects }: Places): Promise<number> {
  const neededBefore = await admin.neededObjects(keys);
  let removed = 0;
  let held: { key: string; body: Uint8Array; mediaType: string }[] = [];
  let heldBytes = 0;
  /** Restores the parts of messages that were parsed meanwhile. */
  async function restoreNeeded(): Promise<void> {
    const needed = await admin.neededObjects(held.map(({ key }) => key));
    for (const { key, body, mediaType } of held)
      if (needed.has(key)) await putOnce(objects, key, body, mediaType);
    held = [];
    heldBytes = 0;
  }
  for (const key of keys.filter((each) => !neededBefore.has(each))) {
    const found = await objects.get(key).catch(() => undefined);
    if (await objects.remove(key)) removed += 1;
    if (found === undefined) continue;
    held.push({ key, body: found.body, mediaType: found.facts.mediaType });
    heldBytes += found.body.byteLength;
    if (heldBytes > mostBytesHeld) await restoreNeeded();
  }
  await restoreNeeded();
  return removed;
}
