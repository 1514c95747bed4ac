import type { Fingerprints } from "./fingerprint.ts";

export type SourceKind = "mail" | "attachment" | "file" | "event" | "web" | "upstream";

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
}

/** A source, and when the caller was given it. */
export interface GivenSource extends Source {
  at: Date;
}

/** The contents that one caller was given, for the comparison with outgoing text. */
export interface LedgerView {
  readonly fingerprints: Fingerprints;
  /** The contents that have this fingerprint, the newest first. */
  readonly sourcesOf: (mark: number) => readonly GivenSource[];
}

/** The number of indexed mails, and of those with a word. */
export interface Frequencies {
  mails: number;
  readonly of: (word: string) => number;
}

/** A stored content: fingerprints and never text. */
export interface LedgerEntry extends GivenSource {
  /** Grows with each entry, in all processes together. */
  seq: number;
  marks: ReadonlySet<number>;
}

/** Bytes of fingerprints that are stored for one caller. The oldest entries are removed first. */
export const ledgerBytes = 2_000_000;

/**
 * The contents that callers were given, and the texts that they sent. All processes share it. Entries end after
 * `FLOW_HOURS`.
 */
export interface Ledger {
  /** Stores contents that a caller was given. A content that is stored again counts as new. */
  add(
    principal: string,
    contents: readonly { source: Source; marks: ReadonlySet<number> }[],
  ): Promise<void>;
  /** Returns the later entries and the texts that left for the destination, both with the oldest first. */
  read(
    principal: string,
    after: { seq: number; destination: string },
  ): Promise<{ entries: readonly LedgerEntry[]; sent: readonly string[]; now: Date }>;
  /** Stores a text that left for a destination. */
  addSent(principal: string, destination: string, text: string): Promise<void>;
  /** Returns how many mails of the index have each of the words. */
  frequencies(words: readonly string[]): Promise<Frequencies>;
}
