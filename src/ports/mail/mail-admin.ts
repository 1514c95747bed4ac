import type { Authentication } from "./mail-reader.ts";
import type {
  ClaimedMail,
  Confirmation,
  MailState,
  MailSummary,
  Quarantined,
} from "./mail-store.ts";

/** A message as the operator sees it. Sender and subject are text from strangers. */
export interface AdminMail {
  emailId: string;
  state: MailState | "quarantined" | "refused";
  receivedAt: Date;
  bytes: number;
  from: string;
  /** The owner who forwarded the message and names its sender. */
  forwardedBy?: string;
  subject: string;
  /** Sign-in codes that subject and text do not show. */
  hidden?: number;
  /** The next step, or the failed one. */
  step?: string;
  attempts: number;
  /** Why the last attempt failed, or why the text is the raw message. */
  problem?: string;
  /** Only from `find`. */
  authentication?: Authentication;
  /** The author of its summary, and why it is not a model yet. Only from `find`. */
  summary?: { source: MailSummary["source"]; problem?: string };
}

export interface Arrived {
  at: Date;
  intake: string;
  envelopeFrom?: string;
  envelopeTo: readonly string[];
  peer?: string;
}

export interface RawMail extends Pick<ClaimedMail, "smtp" | "arrival"> {
  rawSha256: string;
  rawBytes: number;
}

export interface QuarantinedMail extends AdminMail {
  reason: Quarantined["reason"];
  confirmation?: Confirmation;
}

/** A message that was rejected and is still at its source. Its id begins with `rf_`. */
export interface AdminRejectedMail extends AdminMail {
  state: "refused";
  /** The source: a mailbox or a part of a bucket. */
  source: string;
  location: string;
}

/** The messages whose rows a deletion removed. Their objects and words are leftovers. */
export interface Forgotten {
  emailIds: readonly string[];
}

/** The state of mail processing, for the operator. No tool has it. Lists are newest first. Errors: `unavailable`. */
export interface MailAdmin {
  list(options: {
    onlyFailed: boolean;
    limit: number;
  }): Promise<readonly (AdminMail | AdminRejectedMail)[]>;
  quarantined(options: {
    onlyConfirmations: boolean;
    limit: number;
  }): Promise<readonly QuarantinedMail[]>;
  /** Undefined if the message does not exist. */
  find(emailId: string): Promise<AdminMail | QuarantinedMail | AdminRejectedMail | undefined>;
  arrivals(emailId: string): Promise<readonly Arrived[]>;
  /**
   * Returns the location of the raw message and its first arrival, in quarantine or not. Undefined if it does not
   * exist.
   */
  rawOf(emailId: string): Promise<RawMail | undefined>;
  /**
   * Makes failed messages due again at their step. With an id: this message, or at `firstStep` if it has not failed.
   * Returns the number of messages.
   */
  retry(firstStep: string, emailId?: string): Promise<number>;
  /** Requests a model summary for this message, or for all with an extract. Returns the number of messages. */
  retrySummaries(emailId?: string): Promise<number>;
  /** Releases a message from quarantine. Returns false if it is not in quarantine. */
  release(emailId: string, firstStep: string): Promise<boolean>;
  /**
   * Deletes every row of these messages and records their objects as leftovers, in one transaction. Leaves a message
   * that is being processed, and one that arrived again since `before`.
   * @param before milliseconds since 1970
   */
  forget(emailIds: readonly string[], before?: number): Promise<Forgotten>;
  /**
   * Lists messages whose last receipt is before this time, in quarantine or not.
   * @param before milliseconds since 1970
   */
  old(before: number, limit: number): Promise<readonly string[]>;
  /** Deletes the notes of mail that was rejected before this time, and returns their number. */
  forgetRejected(before: number): Promise<number>;
  /** Lists what deletions have still to remove: keys of objects, and the index's words. */
  leftovers(): Promise<readonly string[]>;
  /** Ends a leftover whose object was removed or is needed. Removes the words of the index, if it is that. */
  clearLeftover(key: string): Promise<void>;
  /** Returns whether a message, a receipt or an attachment needs the object of this key. */
  needsObject(key: string): Promise<boolean>;
}
