import type { Authentication } from "./mail-reader.ts";
import type {
  ClaimedMail,
  Confirmation,
  MailState,
  MailSummary,
  Quarantined,
} from "./mail-store.ts";

/** A message as the operator sees it. Sender and subject are untrusted text. */
export interface AdminMail {
  emailId: string;
  state: MailState | "quarantined" | "rejected";
  receivedAt: Date;
  bytes: number;
  from: string;
  /** The owner who forwarded the message, and whose forward names the sender. */
  forwardedBy?: string;
  subject: string;
  /** Number of sign-in codes that are hidden in the subject and the text. */
  hidden?: number;
  /** The next step, or the failed one. */
  step?: string;
  attempts: number;
  /** Why the last attempt failed, or why the text is the raw message. */
  problem?: string;
  /** Only from `find`. */
  authentication?: Authentication;
  /** The source of its summary, and why it is not yet a model's. Only from `find`. */
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

/** A rejected message, which is still at its source. Its id begins with `rf_`. */
export interface AdminRejectedMail extends AdminMail {
  state: "rejected";
  /** The source: a mailbox or a part of a bucket. */
  source: string;
  location: string;
}

/** The messages whose rows a deletion removed. Their objects and index entries are leftovers. */
export interface Forgotten {
  emailIds: readonly string[];
}

/**
 * The state of mail processing, for the operator and never for a tool. Lists are newest first. Errors: `unavailable`.
 */
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
   * Makes all failed messages due again at the step that failed. With an id, only this message, which starts at
   * `firstStep` if it has not failed. Returns the number of messages.
   */
  retry(firstStep: string, emailId?: string): Promise<number>;
  /** Requests a model summary for this message, or for all with an extract. Returns the number of messages. */
  retrySummaries(emailId?: string): Promise<number>;
  /** Releases a message from quarantine. Returns false if it is not in quarantine. */
  release(emailId: string, firstStep: string): Promise<boolean>;
  /**
   * Deletes every row of these messages and records their objects as leftovers, in one transaction. Skips messages that
   * are being processed, and those that arrived again since `before`.
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
  /** Lists what deletions have yet to remove: keys of objects, and index entries. */
  leftovers(): Promise<readonly string[]>;
  /**
   * Deletes the records of leftovers whose objects were removed or are still needed. For index entries, also removes
   * them.
   */
  clearLeftovers(keys: readonly string[]): Promise<void>;
  /** Returns those of these keys whose objects a message, a receipt or an attachment needs. Reads all mail once. */
  neededObjects(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns whether the message with this id, or a receipt of it, needs its raw message with this key. */
  needsRaw(key: string, emailId: string): Promise<boolean>;
}
