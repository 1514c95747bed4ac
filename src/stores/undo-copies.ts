import { randomId } from "../core/shared/digest.ts";
import type { Log } from "../core/shared/log.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { ChangeMaker, FileChanges, PlannedChange } from "../ports/files/file-changes.ts";
import type { ObjectStore } from "../ports/files/objects.ts";

const hourMs = 3_600_000;

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

/** The stores of changes that can be undone, and for how long. */
export interface UndoSettings extends Stores {
  undoHours: number;
  log: Log;
}

/** Returns whether a copy of this size fits into the caller's space, without the copies that may be removed early. */
export async function hasRoom(
  { changes, undoHours }: Pick<UndoSettings, "changes" | "undoHours">,
  { principal, bytes }: { principal: string; bytes: number },
): Promise<boolean> {
  const kept = await changes.copiesOf(principal, undoHours * hourMs);
  const mayGo = kept.evictable.reduce((sum, copy) => sum + copy.bytes, 0);
  return kept.bytes - mayGo + bytes <= keptBytesPerCaller;
}

/** The steps of one change. */
interface Steps<Made> {
  /** Copies the present version to a key. Undefined if there is none. A failed copy prevents the change. */
  copy: ((to: string) => Promise<unknown>) | undefined;
  make: () => Promise<Made>;
  /** Returns the etag of the version after the change. */
  etagAfter: (made: Made) => string | undefined | Promise<string | undefined>;
}

/**
 * Makes a change that can be undone: records the plan and reserves the space, removes older copies if needed, copies
 * the present version, and then changes it. A crash in between leaves a copy that is removed later.
 * @throws {ToolError} `conflict` if the copy is too large for the space and a person has yet to decide
 */
export async function makeUndoable<Made>(
  { objects, changes, undoHours, log }: UndoSettings,
  given: Omit<PlannedChange, "undoId"> & Pick<ChangeMaker, "isDecided">,
  { copy, make, etagAfter }: Steps<Made>,
): Promise<{ made: Made; until: Date }> {
  const { isDecided = false, ...plan } = given;
  const change = { ...plan, undoId: randomId("un") };
  const { undoId } = change;
  // An undo is a person's decision, so it is never refused for lack of space.
  const mayExceed = isDecided || plan.undoes !== undefined;
  const space = { keepMs: undoHours * hourMs, atMost: keptBytesPerCaller, mayExceed };
  const planned = await changes.plan(change, space);
  if (planned === undefined) throw noRoom();
  try {
    for (const evicted of planned.evicted) await removed(evicted);
    if (copy !== undefined) await copy(copyKey(change));
    const made = await make();
    // The change was made, even if recording it fails. Undo then compares the bytes.
    const etag = await Promise.resolve(etagAfter(made)).catch(() => undefined);
    await changes.confirm(undoId, etag).catch(() => undefined);
    return { made, until: planned.until };
  } catch (error) {
    const isSure = error instanceof ToolError && error.sideEffects === "none";
    if (isSure) await dropped();
    throw error;
  }

  /** Removes a copy. If this fails, the copy is removed when its time ends. */
  async function removed(of: { undoId: string; key: string }): Promise<void> {
    await objects.remove(copyKey(of)).catch((cause: unknown) => {
      log.warn("removal of an old undo copy failed", { cause });
    });
  }

  /** Releases the space. The copy uses it until it is removed, but may be removed early. */
  async function dropped(): Promise<void> {
    try {
      await changes.drop(undoId);
      await objects.remove(copyKey(change));
      await changes.confirmEvicted(undoId);
    } catch (cause) {
      log.warn("removal of the copy of a failed change failed", { cause });
    }
  }
}

function noRoom(): ToolError {
  return new ToolError(
    "conflict",
    "The space for undo copies was used up by another change. Nothing was changed.",
    { hint: "Call again. The user is then asked." },
  );
}

/** Removes the copies of changes that can no longer be undone, and then their records. */
export async function removeExpired({ objects, changes }: Stores): Promise<number> {
  let removed = 0;
  for (;;) {
    const expired = await changes.expired(pageSize);
    for (const change of expired) {
      await objects.remove(copyKey(change));
      await changes.forget(change.undoId);
    }
    removed += expired.length;
    if (expired.length < pageSize) return removed;
  }
}

/**
 * Removes copies without a record, for example after the database was restored from a backup. Only copies that are
 * older than any undoable change are removed.
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
