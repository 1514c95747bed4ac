export type SourceKind = "mail" | "attachment" | "file" | "event" | "reminder" | "web" | "upstream";

/** The writer of an item, as far as this server knows. */
export type Writer = "owner" | "other" | "assistant" | "unknown";

/** An item whose text a result contains: a mail, an attachment, a file, an event, a web page or an upstream result. */
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
  /** The topic: subject, sender, file name and the like. People often search the web for such words. */
  topics?: readonly string[];
}

/** A source, and when the caller received it. */
export interface GivenSource extends Source {
  at: Date;
}

/** The number of indexed mails, and of those with a word. */
export interface Frequencies {
  mails: number;
  readonly of: (word: string) => number;
}

/** A stored item: encrypted fingerprints and never text. */
export interface LedgerEntry extends GivenSource {
  /** Grows with each entry, in all processes together. */
  seq: number;
  digest: string;
  marks: Uint8Array;
}

/** An item that a caller received, as it is stored. */
export interface LedgerContent {
  source: Source;
  digest: string;
  marks: Uint8Array;
}

/** The end of a longer sent text is stored, because the next part continues it. Characters. */
export const sentCharacters = 600;

/** A sent text, encrypted. */
export interface SentText {
  seq: number;
  text: Uint8Array;
}

/** The number of a stored text, and that of the text before it of the same caller and destination. Zero if there is none. */
export interface SentPlace {
  seq: number;
  before: number;
}

/** A text that is being sent to a destination, encrypted. */
export interface OutgoingText {
  destination: string;
  text: Uint8Array;
}

/**
 * Bytes of fingerprints that are stored for one caller. The oldest entries are removed first, and then an entry without
 * marks says so.
 */
export const ledgerBytes = 2_000_000;

/**
 * The items that callers received and the texts that they sent. All processes share it. Entries expire after
 * `FLOW_HOURS`.
 */
export interface Ledger {
  /** Stores items that a caller received, and returns the entries. An item that is stored again counts as new. */
  add(principal: string, contents: readonly LedgerContent[]): Promise<readonly LedgerEntry[]>;
  /** Returns the later entries and the later texts that were sent to the destination, both with the oldest first. */
  read(
    principal: string,
    after: { given: number; sent: number; destination: string },
  ): Promise<{ entries: readonly LedgerEntry[]; sent: readonly SentText[] }>;
  /** Returns the number of the caller's oldest entry that still counts. Undefined if none does. */
  oldest(principal: string): Promise<number | undefined>;
  /** Stores sent texts, the oldest first, and returns their places. */
  addSent(principal: string, texts: readonly OutgoingText[]): Promise<readonly SentPlace[]>;
  /** Returns the ids of the mails that a caller received within this time, the newest first. */
  mailsRead(principal: string, withinMs: number): Promise<readonly string[]>;
  /** Returns how many mails of the index have each of the words. */
  frequencies(words: readonly string[]): Promise<Frequencies>;
}

/** Formats a source as `mail em_a2b3`. */
export function inShort({ kind, id }: Pick<Source, "kind" | "id">): string {
  return `${kind} ${id}`;
}
