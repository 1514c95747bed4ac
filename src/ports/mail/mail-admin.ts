import type { Authentication } from "./mail-reader.ts";
import type {
  ClaimedMail,
  Confirmation,
  MailState,
  MailSummary,
  Quarantined,
} from "./mail-store.ts";

/** A message as who runs this instance sees it. Sender and subject are a stranger's words. */
export interface AdminMail {
  emailId: string;
  state: MailState | "quarantined" | "refused";
  receivedAt: Date;
  bytes: number;
  from: string;
  /** Whose word it is that the message is from `from`: an owner who forwarded it. */
  forwardedBy?: string;
  subject: string;
  /** The step that comes next, or that failed. */
  step?: string;
  attempts: number;
  /** Why the last attempt failed, or why the text is the raw message. */
  problem?: string;
  /** Only from `find`. */
  authentication?: Authentication;
  /** Who wrote its summary, and why a model has not yet; only from `find`. */
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
}

export interface QuarantinedMail extends AdminMail {
  reason: Quarantined["reason"];
  confirmation?: Confirmation;
}

/** A message that is not here: it could not be taken from where it lies. Its id begins with `rf_`. */
export interface RefusedMail extends AdminMail {
  state: "refused";
  /** What it came to: a mailbox, a part of a bucket. */
  source: string;
  liesIn: string;
}

/** What a deleted message left in the object store. A part that another message has, too, is not among them. */
export interface LeftObjects {
  raw: readonly string[];
  text: readonly string[];
  attachments: readonly string[];
}

/** The state of ingestion, for who runs this instance; no tool has it. Lists are newest first. Errors: `unavailable`. */
export interface MailAdmin {
  list(options: {
    onlyFailed: boolean;
    limit: number;
  }): Promise<readonly (AdminMail | RefusedMail)[]>;
  quarantined(options: {
    onlyConfirmations: boolean;
    limit: number;
  }): Promise<readonly QuarantinedMail[]>;
  /** Undefined where there is none. */
  find(emailId: string): Promise<AdminMail | QuarantinedMail | RefusedMail | undefined>;
  arrivals(emailId: string): Promise<readonly Arrived[]>;
  /** Returns where the raw message is and how it came first, in quarantine or not; undefined if there is none. */
  rawOf(emailId: string): Promise<RawMail | undefined>;
  /** Makes a message due again: a failed one at its step, any other at `firstStep`. Without an id: all that failed. */
  retry(firstStep: string, emailId?: string): Promise<number>;
  /** Has a model write the summary of this message, or of all that have an extract; a number of messages. */
  retrySummaries(emailId?: string): Promise<number>;
  /** Lets a message out of quarantine; false where it is not in there. */
  release(emailId: string, firstStep: string): Promise<boolean>;
  /**
   * Removes every trace of a message from the database, and says which objects are nobody's now. Undefined, and nothing is
   * removed, while the message is being worked on.
   */
  forget(emailId: string): Promise<LeftObjects | undefined>;
  /** True while a message or a receipt needs the raw bytes of this hash. */
  needsRaw(rawSha256: string): Promise<boolean>;
  /** True while a message has a text or an attachment of this hash. */
  needsPart(sha256: string): Promise<boolean>;
}
