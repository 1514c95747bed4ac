import { sha256Hex } from "../core/shared/digest.ts";
import type { FileChange, FileChanges } from "../ports/files/file-changes.ts";
import type { ObjectFacts, ObjectStore } from "../ports/files/objects.ts";
import { mostUndoneBytes } from "../ports/files/recent-changes.ts";
import { copyKey } from "./undo-copies.ts";
import { deletedSince, expiredCopy, notKept, undoneAlready, unknownChange } from "./undo-errors.ts";
import type { UndoTarget } from "./undo-target.ts";

/** The recorded changes, compared with the present versions. */
export interface UndoableChanges {
  /** Returns the change if its copy still exists. @throws ToolError `not_found` */
  undoable(undoId: string): Promise<FileChange>;
  /**
   * Returns the change with the version after it. Undefined if the change was not made, or if the file changed later.
   */
  settled(change: FileChange, current: ObjectFacts | undefined): Promise<FileChange | undefined>;
  /**
   * Asserts that an undo would change the file.
   * @throws {ToolError} `conflict` if the file already is as before the change
   */
  assertDiffers(change: FileChange, current: ObjectFacts | undefined): Promise<void>;
}

export function createUndoableChanges({
  objects,
  changes,
  targetOf,
}: {
  objects: ObjectStore;
  changes: FileChanges;
  targetOf: (change: { key: string }) => UndoTarget;
}): UndoableChanges {
  async function undoable(undoId: string): Promise<FileChange> {
    const change = await changes.find(undoId);
    if (change === undefined) throw unknownChange(undoId);
    if (change.isEvicted) throw notKept(change);
    if (!change.isExpired) return change;
    await objects.remove(copyKey(change));
    throw expiredCopy(change);
  }

  async function settled(
    change: FileChange,
    current: ObjectFacts | undefined,
  ): Promise<FileChange | undefined> {
    if (change.state === "made") return change;
    const isMade =
      change.sha256 === undefined
        ? current === undefined
        : current !== undefined &&
          current.bytes <= mostUndoneBytes &&
          (await hashOf(current)) === change.sha256;
    if (!isMade) return undefined;
    await changes.confirm(change.undoId, current?.etag);
    return { ...change, state: "made", etagAfter: current?.etag };
  }

  async function hashOf({ key, bytes }: ObjectFacts): Promise<string> {
    return sha256Hex(await targetOf({ key }).read(key, bytes));
  }

  async function assertDiffers(
    change: FileChange,
    current: ObjectFacts | undefined,
  ): Promise<void> {
    let isUndone = false;
    for (const undoing of await changes.undosOf(change.undoId)) {
      const made = await settled(undoing, current);
      if (made !== undefined && made.etagAfter === current?.etag) throw undoneAlready(change);
      isUndone ||= made !== undefined;
    }
    if (change.kind === "created" && current === undefined)
      throw isUndone ? undoneAlready(change) : deletedSince(change);
  }

  return { undoable, settled, assertDiffers };
}
