import type { Log } from "../core/shared/log.ts";
import type { FileChanges } from "../ports/files/file-changes.ts";
import type { ObjectStore } from "../ports/files/objects.ts";

const undoPrefix = "undo/";
/** Copies looked at in one go. */
const pageSize = 500;

/** Where the old object of a change is kept. */
export function copyKey({ undoId, key }: { undoId: string; key: string }): string {
  return `${undoPrefix}${undoId}/${key}`;
}

/**
 * What is kept for undo of one caller's changes. Bytes: thirty replacements of the largest file that a call may write. A
 * fooled assistant that rewrites files in a loop fills no disk with copies.
 */
const keptBytesPerCaller = 32 * 1_048_576;

interface Stores {
  objects: ObjectStore;
  changes: FileChanges;
}

/** Whether a copy of `bytes` fits beside the copies of this caller that never give way. */
export async function hasRoom(
  changes: FileChanges,
  { principal, bytes }: { principal: string; bytes: number },
): Promise<boolean> {
  const kept = await changes.kept(principal);
  const mayGo = kept.evictable.reduce((sum, copy) => sum + copy.bytes, 0);
  return kept.bytes - mayGo + bytes <= keptBytesPerCaller;
}

/**
 * Removes copies of versions that an assistant wrote, the oldest first, until this caller's copies are within their budget.
 * @param except the change that was just made
 */
export async function evictCopies(
  { objects, changes }: Stores,
  { principal, except }: { principal: string; except: string },
): Promise<void> {
  const kept = await changes.kept(principal);
  let excess = kept.bytes - keptBytesPerCaller;
  for (const copy of kept.evictable) {
    if (excess <= 0) return;
    if (copy.undoId === except) continue;
    await changes.evicted(copy.undoId);
    await objects.remove(copyKey(copy));
    excess -= copy.bytes;
  }
}

/** Removes the copies of changes that can no longer be undone, and then what was known of them. */
export async function removeOver({ objects, changes }: Stores): Promise<number> {
  let removed = 0;
  for (;;) {
    const over = await changes.over(pageSize);
    for (const change of over) {
      await objects.remove(copyKey(change));
      await changes.forget(change.undoId);
    }
    removed += over.length;
    if (over.length < pageSize) return removed;
  }
}

/**
 * Removes copies that no change is known of: those of a database that was replaced by an older one. Not before they are as
 * old as any that can be undone.
 */
export async function removeStrays(
  { objects, changes }: Stores,
  { olderThan, log }: { olderThan: Date; log: Log },
): Promise<void> {
  let after: string | undefined;
  do {
    const page = await objects.list({
      prefix: undoPrefix,
      limit: pageSize,
      ...(after !== undefined && { after }),
    });
    const old = page.objects.filter(({ modifiedAt }) => modifiedAt < olderThan);
    const idOf = (key: string): string => key.split("/", 2)[1] ?? "";
    const known = await changes.known(old.map(({ key }) => idOf(key)));
    const strays = old.filter(({ key }) => !known.has(idOf(key)));
    for (const { key } of strays) await objects.remove(key);
    if (strays.length > 0)
      log.info("copies that no change is known of were removed", { count: strays.length });
    after = page.next;
  } while (after !== undefined);
}
