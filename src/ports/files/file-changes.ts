/** The caller that changes a file, and the id of its call in the audit log. */
export interface ChangeMaker {
  principal: string;
  callId: string;
  /** The change that this one undoes. */
  undoes?: string;
}

/** A planned change of a file. */
export interface PlannedChange extends ChangeMaker {
  undoId: string;
  key: string;
  kind: "created" | "replaced" | "deleted";
  /** The hash of the new bytes. Undefined for a deletion. */
  sha256: string | undefined;
  /** Etag of the version that it replaces or deletes. Undefined if it creates the file. */
  replaces: string | undefined;
}

export interface FileChange extends Omit<PlannedChange, "replaces"> {
  /** `planned`: the process did not record whether the change was made. */
  state: "planned" | "made";
  /** Etag of the version after the change. Undefined for a deletion, or if unknown. */
  left: string | undefined;
  /** True if its copy was removed in favour of newer ones. */
  isEvicted: boolean;
  /** When undo ends, and whether that time has passed by the store's clock. */
  until: Date;
  isOver: boolean;
}

export interface KeptCopies {
  bytes: number;
  /** Copies of versions that an assistant's call wrote. Copies of the user's versions are never removed early. */
  evictable: readonly { undoId: string; key: string; bytes: number }[];
}

/**
 * The record of file changes and how long each can be undone: written before a change, confirmed after it. Undo
 * requires this row. Errors: `unavailable`.
 */
export interface FileChanges {
  /** Resolves when the row is durable, with the time at which undo ends. */
  plan(change: PlannedChange, keepMs: number): Promise<Date>;
  /**
   * Confirms a change.
   * @param left the etag of the present version
   * @param keptBytes the size of the copy of the previous version
   */
  made(undoId: string, left: string | undefined, keptBytes?: number): Promise<void>;
  /** Records that the change was not made. Its copy is removed when its time ends. */
  drop(undoId: string): Promise<void>;
  find(undoId: string): Promise<FileChange | undefined>;
  /** Returns the changes that undid this one or were about to. Dropped ones are left out. */
  undoing(undoId: string): Promise<readonly FileChange[]>;
  /** Returns changes whose time has ended, including dropped ones, oldest first. */
  over(limit: number): Promise<readonly { undoId: string; key: string }[]>;
  forget(undoId: string): Promise<void>;
  /** Returns all copies for this caller's changes, and those that may be removed early, oldest first. */
  kept(principal: string): Promise<KeptCopies>;
  /** Records that the copy was removed before its time ended. */
  evicted(undoId: string): Promise<void>;
  /** Returns which of these ids are known. */
  known(undoIds: readonly string[]): Promise<ReadonlySet<string>>;
}
