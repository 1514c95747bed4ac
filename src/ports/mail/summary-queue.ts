import type { Sender } from "./mail-reader.ts";
import type { StoredText } from "./mail-store.ts";

/** A message whose summary a model is to write, and that this process alone may work on until its lease ends. */
export interface DueSummary {
  emailId: string;
  /** Names the claim; what is written under a claim that was lost is refused. */
  claim: string;
  /** How often it was tried, this time included. */
  attempts: number;
  sender: Sender;
  subject: string;
  date: Date;
  text: StoredText;
  attachmentTexts: readonly StoredText[];
}

/**
 * Messages that wait for a model's summary. They can be found and read meanwhile: the extract stands in for it. Errors:
 * `unavailable`.
 */
export interface SummaryQueue {
  /** Leases up to `limit` messages that are due, the newest arrival first: what is old can wait for what is new. */
  claim(options: { limit: number; leaseMs: number }): Promise<readonly DueSummary[]>;
  /** Counts one call of today (UTC) for all processes; false, and nothing is counted, where `most` were made. */
  takeCall(most: number): Promise<boolean>;
  /** Replaces the summary, in the index too; false where the claim was lost, and then nothing is written. */
  replace(
    due: DueSummary,
    summary: string,
    texts: { body: string; attachments: string },
  ): Promise<boolean>;
  /** Gives the claim back. `attempts`: how many count. */
  putBack(
    due: DueSummary,
    next: { attempts: number; afterMs: number; reason: string },
  ): Promise<void>;
  /** Keeps the extract for good, and why. */
  giveUp(due: DueSummary, reason: string): Promise<void>;
}
