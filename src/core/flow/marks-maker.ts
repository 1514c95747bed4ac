import type { MarkedText, Marks } from "./content-marks.ts";
import type { MarkHashes } from "./mark-hashes.ts";

/** The fingerprints of a text, as they are compared and as they are stored. */
export interface MadeMarks {
  marks: Marks;
  hashes: MarkHashes;
  packed: Uint8Array;
  digest: string;
}

/** Makes fingerprints in a thread, because a long text would delay the calls of others. */
export interface MarksMaker {
  make(texts: readonly MarkedText[]): Promise<readonly MadeMarks[]>;
  close(): Promise<void>;
}
