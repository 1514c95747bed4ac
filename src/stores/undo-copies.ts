import type { Log } from "../core/shared/log.ts";
import type { FileChanges } from "../ports/files/file-changes.ts";
import type { ObjectStore } from "../ports/files/objects.ts";

const undoPrefix = "undo/";
/** Copies per page. */
const pageSize = 500;

/** Returns the key of the copy for a change. */
export function copyKey({ undoId, key }: { undoId: string; key: string }): string {
  return `${undoPrefix}${undoId}/${key}`;
}

/**
 * Bytes of undo copies per caller: thirty replacements of the largest file. An assistant that rewrites files in a loop
 * cannot fill the disk.
 */
const keptBytesPerCaller = 32 * 1_048_576;

interface Stores {
  objects: ObjectStore;
  changes: FileChanges;
}

/** Returns whether a copy of this size fits beside the caller's copies that are never removed early. */
export async function hasRoom(
  changes: FileChanges,
  { principal, bytes }: { principal: string; bytes: number },
): Promise<boolean> {
  const kept = await changes.kept(principal);
  const mayGo = kept.evictable.reduce((sum, copy) => sum + copy.bytes, 0);
  return kept.bytes - mayGo + bytes <= keptBytesPerCaller;
}

/**
 * Removes copies of versions that an assistant wrote, oldest first, until the caller's copies are within the limit.
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

/** Removes the copies of changes that can no longer be undone, and then their records. */
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
 * Removes copies without a record, such as those of a database that was restored from a backup. They must be older than
 * any undoable change.
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
      log.info("undo copies without a record were removed", { count: strays.length });
    after = page.next;
  } while (after !== undefined);
}
