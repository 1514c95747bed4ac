import type { ChangeMaker } from "./file-changes.ts";
import type { ObjectFacts, ObjectList, ObjectOrigin, ObjectRead } from "./objects.ts";

export interface FileWritten {
  facts: ObjectFacts;
  /** True if the key was new. */
  created: boolean;
  /** When undo of the replaced file ends. Undefined if no file was replaced. */
  undoUntil: Date | undefined;
}

/**
 * The user's files, as the file tools address them. Replacing and deleting first copy the old object. Keys have been
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
   * Returns whether an undo copy of this many bytes fits into this caller's space. Older copies of versions that an
   * assistant wrote may be removed for it.
   */
  keepsMore(principal: string, bytes: number): Promise<boolean>;
  stat(key: string, options?: { signal?: AbortSignal }): Promise<ObjectFacts | undefined>;
  /** @throws {ToolError} `not_found` */
  read(
    key: string,
    options: { offset: number; length: number; signal?: AbortSignal },
  ): Promise<ObjectRead>;
  /**
   * Writes a file. `replaces` is the etag of the version that is overwritten, or undefined if the key must be free. The
   * store checks this condition atomically.
   * @throws {ToolError} `conflict` if the condition fails. Nothing is written then.
   */
  write(
    key: string,
    body: Uint8Array,
    options: {
      mediaType: string;
      origin?: ObjectOrigin | undefined;
      replaces: string | undefined;
      by: ChangeMaker;
      signal?: AbortSignal;
    },
  ): Promise<FileWritten>;
  /** @throws {ToolError} `conflict` if the file's version is not `ifMatch`, `not_found` if it does not exist */
  remove(
    key: string,
    options: { ifMatch: string; by: ChangeMaker; signal?: AbortSignal },
  ): Promise<{ undoUntil: Date }>;
}
