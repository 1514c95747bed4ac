import type { Log } from "../core/log.ts";
import type { FileChanges } from "../ports/file-changes.ts";
import type { ObjectStore } from "../ports/objects.ts";

const undoPrefix = "undo/";
/** Copies looked at in one go. */
const pageSize = 500;

/** Where the old object of a change is kept. */
export function copyKey({ undoId, key }: { undoId: string; key: string }): string {
  return `${undoPrefix}${undoId}/${key}`;
}

interface Stores {
  objects: ObjectStore;
  changes: FileChanges;
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
