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

/** A source, and when the caller was given it. */
export interface GivenSource extends Source {
  at: Date;
}

/** The contents that one caller was given, for comparison with outgoing text. */
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
