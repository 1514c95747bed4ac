export type SourceKind = "mail" | "attachment" | "file" | "event" | "reminder" | "web" | "upstream";

/** The writer of a content, as far as this server knows. */
export type Writer = "owner" | "other" | "assistant" | "unknown";

/** A content whose text is in a result: a mail, a file and the like. */
export interface Source {
  kind: SourceKind;
  id: string;
  writtenBy: Writer;
  /** True if the sender's domain authenticates the mail. */
  verified: boolean;
}

/** A source and its text in a result. */
export interface GivenContent extends Source {
  texts: readonly string[];
  /** Says what it is about, such as subject, sender and file name. A person looks up such words. */
  topics?: readonly string[];
}

/** A source, and when the caller was given it. */
export interface GivenSource extends Source {
  at: Date;
}

/** The number of indexed mails, and of those with a word. */
export interface Frequencies {
  mails: number;
  readonly of: (word: string) => number;
}

/** A stored content: encrypted fingerprints and never text. */
export interface LedgerEntry extends GivenSource {
  /** Grows with each entry, in all processes together. */
  seq: number;
  digest: string;
  marks: Uint8Array;
}

/** A content that a caller was given, as it is stored. */
export interface LedgerContent {
  source: Source;
  digest: string;
  marks: Uint8Array;
}

/** A text that left, encrypted. */
export interface SentText {
  seq: number;
  text: Uint8Array;
}

/** A text that leaves for a destination, encrypted. */
export interface LeavingText {
  destination: string;
  text: Uint8Array;
}

/** Bytes of fingerprints that are stored for one caller. The oldest entries are removed first. */
export const ledgerBytes = 2_000_000;

/**
 * The contents that callers were given, and the texts that they sent. All processes share it. Entries end after
 * `FLOW_HOURS`.
 */
export interface Ledger {
  /** Stores contents that a caller was given. A content that is stored again counts as new. Returns the entries. */
  add(principal: string, contents: readonly LedgerContent[]): Promise<readonly LedgerEntry[]>;
  /**
   * Returns the later entries and the later texts that left for the destination, both with the oldest first. `oldest`
   * is the number of the oldest entry that still counts.
   */
  read(
    principal: string,
    after: { given: number; sent: number; destination: string },
  ): Promise<{
    entries: readonly LedgerEntry[];
    sent: readonly SentText[];
    oldest: number | undefined;
  }>;
  /** Stores texts that left, the oldest first. */
  addSent(principal: string, texts: readonly LeavingText[]): Promise<void>;
  /** Returns the ids of the mails that a caller was given in the last milliseconds, the newest first. */
  mailsRead(principal: string, withinMs: number): Promise<readonly string[]>;
  /** Returns how many mails of the index have each of the words. */
  frequencies(words: readonly string[]): Promise<Frequencies>;
}
