import type { Sender } from "./mail-reader.ts";
import type { StoredText } from "./mail-store.ts";

/** A message that waits for a model summary. Only this process may process it until the lease ends. */
export interface DueSummary {
  emailId: string;
  /** The id of the claim. A write under a lost claim is refused. */
  claim: string;
  /** Number of attempts, including this one. */
  attempts: number;
  sender: Sender;
  subject: string;
  date: Date;
  text: StoredText;
  attachmentTexts: readonly StoredText[];
}

/**
 * Messages that wait for a model summary. Meanwhile they are searchable and readable with the extract. Errors:
 * `unavailable`.
 */
export interface SummaryQueue {
  /** Leases up to `limit` due messages, newest first, because new mail matters more. */
  claim(options: { limit: number; leaseMs: number }): Promise<readonly DueSummary[]>;
  /**
   * Counts one call for today (UTC) across all processes. Returns false, without counting, if `most` calls have been
   * made.
   */
  takeCall(most: number): Promise<boolean>;
  /** Replaces the summary, in the index too. Returns false, without a change, if the claim was lost. */
  replace(
    due: DueSummary,
    summary: string,
    texts: { body: string; attachments: string },
  ): Promise<boolean>;
  /**
   * Releases the claim.
   * @param next `attempts` is stored. An attempt that a limit or the end of this process prevented does not count
   */
  putBack(
    due: DueSummary,
    next: { attempts: number; afterMs: number; reason: string },
  ): Promise<void>;
  /** Keeps the extract permanently and records the reason. */
  giveUp(due: DueSummary, reason: string): Promise<void>;
}
