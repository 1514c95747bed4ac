import type { ChangeMaker } from "./file-changes.ts";
import type { ObjectFacts, ObjectList, ObjectRead } from "./objects.ts";

export interface FileWritten {
  facts: ObjectFacts;
  /** True where there was no file under this key before. */
  created: boolean;
  /** Until when the replaced file can be brought back; undefined where nothing was replaced. */
  undoUntil: Date | undefined;
}

/**
 * The user's files: all that the file tools can name. Replacing and deleting keep the old object first. Keys have been
 * parsed by `fileKey`. Errors: those of the object store, `not_found`.
 */
export interface Files {
  list(options: {
    prefix: string;
    after?: string;
    limit: number;
    signal?: AbortSignal;
  }): Promise<ObjectList>;
  /**
   * Whether `bytes` more can be kept for undo of this caller's changes without a copy of the user's own versions giving way.
   * A change is made in either case, and keeps its copy.
   */
  keepsMore(principal: string, bytes: number): Promise<boolean>;
  stat(key: string, options?: { signal?: AbortSignal }): Promise<ObjectFacts | undefined>;
  /** Throws `not_found`. */
  read(
    key: string,
    options: { offset: number; length: number; signal?: AbortSignal },
  ): Promise<ObjectRead>;
  /**
   * `replaces` is the etag of the file that is written over; undefined means that there must be none. The store itself holds
   * the condition: broken, it is `conflict` and nothing was written.
   */
  write(
    key: string,
    body: Uint8Array,
    options: {
      mediaType: string;
      replaces: string | undefined;
      by: ChangeMaker;
      signal?: AbortSignal;
    },
  ): Promise<FileWritten>;
  /** `conflict` where the file is not the one that `ifMatch` names, `not_found` where there is none. */
  remove(
    key: string,
    options: { ifMatch: string; by: ChangeMaker; signal?: AbortSignal },
  ): Promise<{ undoUntil: Date }>;
}
