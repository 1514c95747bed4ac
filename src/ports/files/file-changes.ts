/** Who changes a file: whose call it is, and the call that the audit log knows it by. */
export interface ChangeMaker {
  principal: string;
  callId: string;
  /** The change that this one takes back. */
  undoes?: string;
}

/** A change of a file that is about to be made. */
export interface PlannedChange extends ChangeMaker {
  undoId: string;
  key: string;
  kind: "created" | "replaced" | "deleted";
  /** Of the bytes that it writes; undefined where it deletes. */
  sha256: string | undefined;
  /** Etag of the version that it replaces or deletes; undefined if it creates the file. */
  replaces: string | undefined;
}

export interface FileChange extends Omit<PlannedChange, "replaces"> {
  /** `planned`: the process that made it never said whether it came to that. */
  state: "planned" | "made";
  /** Etag of what it left; undefined where it deleted, or nobody said. */
  left: string | undefined;
  /** True if the copy that was kept for it gave way to newer ones. */
  isEvicted: boolean;
  /** Until when it can be undone, and whether that is over by the store's clock. */
  until: Date;
  isOver: boolean;
}

export interface KeptCopies {
  bytes: number;
  /** Copies of versions that a call of an assistant wrote. A version of the user's never gives way. */
  evictable: readonly { undoId: string; key: string; bytes: number }[];
}

/**
 * What was done to files, and for how long it can be undone: written before a change, confirmed after it. A change without a
 * row is one that nobody can undo. Errors: `unavailable`.
 */
export interface FileChanges {
  /** Resolves when it is durable, with the time until which it can be undone. */
  plan(change: PlannedChange, keepMs: number): Promise<Date>;
  /** `left`: the etag of what is there now. `keptBytes`: the size of the copy that was kept of what was there before. */
  made(undoId: string, left: string | undefined, keptBytes?: number): Promise<void>;
  /** The change was not made; what was kept for it is still removed when its time is over. */
  drop(undoId: string): Promise<void>;
  find(undoId: string): Promise<FileChange | undefined>;
  /** The changes that took this one back, or were about to; not those that were dropped. */
  undoing(undoId: string): Promise<readonly FileChange[]>;
  /** Whose time is over, dropped ones too: the oldest first. */
  over(limit: number): Promise<readonly { undoId: string; key: string }[]>;
  forget(undoId: string): Promise<void>;
  /** All copies that are kept of this caller's changes, and those that may give way: the oldest first. */
  kept(principal: string): Promise<KeptCopies>;
  /** The copy was removed before its time was over. */
  evicted(undoId: string): Promise<void>;
  /** Which of these are known, over or not. */
  known(undoIds: readonly string[]): Promise<ReadonlySet<string>>;
}
