import { formatSize } from "../core/shared/text/format.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { FileChange } from "../ports/files/file-changes.ts";
import type { ObjectFacts } from "../ports/files/objects.ts";
import { mostUndoneBytes } from "../ports/files/recent-changes.ts";
import { isEventKey } from "./event-copies.ts";
import { copyKey } from "./undo-copies.ts";

export const nothing = "Nothing was undone.";

/** Asserts that undo can hold a copy in memory. @throws {ToolError} `too_large` */
export function assertRestorable(change: FileChange, { bytes }: ObjectFacts): void {
  if (bytes <= mostUndoneBytes) return;
  throw new ToolError(
    "too_large",
    `${shown(change)} had ${formatSize(bytes)}. Undo restores files of up to ${formatSize(mostUndoneBytes)}. ${nothing}`,
    {
      hint: `The object store keeps the copy ${copyKey(change)} until ${change.until.toISOString()}. Copy it back with the tools of the store.`,
    },
  );
}

function shown({ key }: { key: string }): string {
  return isEventKey(key) ? "the event" : key;
}

/** Returns the error for a version that changed before the undo. @param cause the failed condition of the write */
export function changedSince(change: { key: string }, cause: ToolError): ToolError {
  const message = `${shown(change)} was changed again since it was shown. ${nothing}`;
  return new ToolError("conflict", message, { cause });
}

export function undoneAlready(change: { key: string }): ToolError {
  const message = `That change of ${shown(change)} is already undone. Nothing was done.`;
  return new ToolError("conflict", message);
}

export function deletedSince(change: { key: string }): ToolError {
  const message = `That change made ${shown(change)}, which was deleted afterwards. ${nothing}`;
  return new ToolError("conflict", message);
}

export function notKept(change: { key: string }): ToolError {
  const message = `That version of ${shown(change)} was already removed. ${nothing}`;
  return new ToolError("not_found", message);
}

export function unknownChange(undoId: string): ToolError {
  const message = `The change ${undoId} does not exist, or can no longer be undone. ${nothing}`;
  return new ToolError("not_found", message);
}

export function expiredCopy({ undoId, until }: FileChange): ToolError {
  const message = `The copy for ${undoId} was kept until ${until.toISOString()}. ${nothing}`;
  return new ToolError("not_found", message);
}
