import { formatSize } from "../core/shared/text/format.ts";
import type { Line } from "../core/tool/tool.ts";
import { mostUndoneBytes } from "../ports/files/recent-changes.ts";

/** The reason why a person must decide about a change whose copy exceeds the caller's space. */
export const noSpaceLeft = "its copy exceeds the space for undo copies";

/**
 * Returns the line about undo for the person who decides about such a change.
 * @param bytes the size of a file's copy. 0 for an event
 */
export function beyondSpace(bytes = 0): Line {
  const value =
    bytes > mostUndoneBytes
      ? `not possible, because the file is larger than ${formatSize(mostUndoneBytes)}; a copy is kept in the store`
      : "a copy is kept, beyond the space for such copies";
  return { label: "undo", value };
}
