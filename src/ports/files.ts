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
  stat(key: string, options?: { signal?: AbortSignal }): Promise<ObjectFacts>;
  read(
    key: string,
    options: { offset: number; length: number; signal?: AbortSignal },
  ): Promise<ObjectRead>;
  /** `createOnly` and `ifMatch` are held by the store itself; a broken one is `conflict`. */
  write(
    key: string,
    body: Uint8Array,
    options: { mediaType: string; createOnly?: boolean; ifMatch?: string; signal?: AbortSignal },
  ): Promise<FileWritten>;
  /** `conflict` where the file is not the one that `ifMatch` names. */
  remove(
    key: string,
    options: { ifMatch: string; signal?: AbortSignal },
  ): Promise<{ undoUntil: Date }>;
}
