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
}

export interface FileChange extends PlannedChange {
  /** `planned`: the process that made it never said whether it came to that. */
  state: "planned" | "made";
  /** Etag of what it left; undefined where it deleted, or nobody said. */
  left: string | undefined;
  /** Until when it can be undone, and whether that is over by the store's clock. */
  until: Date;
  isOver: boolean;
}

/**
 * What was done to files, and for how long it can be undone: written before a change, confirmed after it. A change without a
 * row is one that nobody can undo. Errors: `unavailable`.
 */
export interface FileChanges {
  /** Resolves when it is durable, with the time until which it can be undone. */
  plan(change: PlannedChange, keepMs: number): Promise<Date>;
  /** `left`: the etag of what is there now. */
  made(undoId: string, left: string | undefined): Promise<void>;
  /** The change was not made; what was kept for it is still removed when its time is over. */
  drop(undoId: string): Promise<void>;
  find(undoId: string): Promise<FileChange | undefined>;
  /** The changes that took this one back, or were about to; not those that were dropped. */
  undoing(undoId: string): Promise<readonly FileChange[]>;
  /** Whose time is over, dropped ones too: the oldest first. */
  over(limit: number): Promise<readonly { undoId: string; key: string }[]>;
  forget(undoId: string): Promise<void>;
  /** Which of these are known, over or not. */
  known(undoIds: readonly string[]): Promise<ReadonlySet<string>>;
}
