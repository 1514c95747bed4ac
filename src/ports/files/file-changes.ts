/** The caller that changes a file, and the id of its call in the audit record. */
export interface ChangeMaker {
  principal: string;
  callId: string;
  /** The change that this one undoes. */
  undoes?: string;
  /** True if a person approved this change, which may then exceed the space for copies. */
  isDecided?: boolean | undefined;
}

/** A planned change of a file. */
export interface PlannedChange extends Omit<ChangeMaker, "isDecided"> {
  undoId: string;
  key: string;
  kind: "created" | "replaced" | "deleted";
  /** The hash of the new bytes. Undefined for a deletion. */
  sha256: string | undefined;
  /** Etag of the version that it replaces or deletes. Undefined if it creates the file. */
  replaces: string | undefined;
  /** Size of the copy of that version. Undefined if none is made. */
  keptBytes: number | undefined;
}

/** The limits of a caller's copies. */
export interface UndoSpace {
  /** How long the change can be undone, in milliseconds. */
  keepMs: number;
  /** All copies of the caller, in bytes. */
  atMost: number;
  /** True if this copy may exceed the limit. */
  mayExceed: boolean;
}

/** A recorded plan. */
export interface Planned {
  /** When undo ends. */
  until: Date;
  /** Copies that give way to the new one. They are recorded as evicted, and the caller removes them. */
  evicted: readonly { undoId: string; key: string }[];
}

export interface FileChange extends Omit<PlannedChange, "replaces" | "keptBytes"> {
  /** `planned`: the process did not record whether the change was made. */
  state: "planned" | "made";
  /** Etag of the version after the change. Undefined after a deletion, or if unknown. */
  etagAfter: string | undefined;
  /** True if its copy was removed in favour of newer ones. */
  isEvicted: boolean;
  /** When undo ends, and whether this time has passed by the store's clock. */
  until: Date;
  isExpired: boolean;
}

export interface KeptCopies {
  bytes: number;
  /**
   * Copies that may be removed early, oldest first: of versions that an assistant's call wrote, and of changes that
   * were not made. Copies of the user's versions and of changes in progress are never among them.
   */
  evictable: readonly { undoId: string; key: string; bytes: number }[];
}

/**
 * The record of file changes and how long each can be undone: written before a change, confirmed after it. Undo
 * requires this row. Errors: `unavailable`.
 */
export interface FileChanges {
  /**
   * Records the plan and reserves the space of its copy in one transaction. Resolves when both are durable.
   * @returns undefined if copies that may not be removed early leave too little. Nothing is recorded then.
   */
  plan(change: PlannedChange, space: UndoSpace): Promise<Planned | undefined>;
  /**
   * Confirms that the change was made.
   * @param etagAfter the etag of the version after it
   */
  confirm(undoId: string, etagAfter: string | undefined): Promise<void>;
  /** Records that the change was not made. Its copy uses space until `confirmEvicted` records the removal. */
  drop(undoId: string): Promise<void>;
  find(undoId: string): Promise<FileChange | undefined>;
  /** Returns the changes that undid this one or were planned to. Dropped ones are left out. */
  undosOf(undoId: string): Promise<readonly FileChange[]>;
  /** Returns changes whose time has ended, including dropped ones, oldest first. */
  expired(limit: number): Promise<readonly { undoId: string; key: string }[]>;
  forget(undoId: string): Promise<void>;
  /** Returns the space of all copies and reservations for this caller's changes. */
  copiesOf(principal: string, keepMs: number): Promise<KeptCopies>;
  /** Records that the copy was removed before its time ended. */
  confirmEvicted(undoId: string): Promise<void>;
  /** Returns which of these ids are known. */
  known(undoIds: readonly string[]): Promise<ReadonlySet<string>>;
}
