import type { Fingerprints } from "./fingerprint.ts";

export type SourceKind = "mail" | "attachment" | "file" | "event" | "web" | "upstream";

/** The writer of a content, as far as this server knows. */
export type Writer = "owner" | "other" | "assistant" | "unknown";

/** One content that a result holds text of. */
export interface Source {
  kind: SourceKind;
  id: string;
  writtenBy: Writer;
  /** True if the sender's domain authenticates the mail. */
  verified: boolean;
}

/** A source with the text of it that a result holds. */
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

/** In how many mails of the index a word is. */
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

/** Bytes of fingerprints that are stored for one caller. The oldest entries make room. */
export const ledgerBytes = 2_000_000;

/** The contents that callers were given, and the texts that they sent. All processes share it. Entries end after `FLOW_HOURS`. */
export interface Ledger {
  /** Stores contents that a caller was given. Giving the same again renews it. */
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
  /** Looks words up in the index of mail. */
  frequencies(words: readonly string[]): Promise<Frequencies>;
}
