import type { Authentication, MailPerson, Sender } from "./mail-reader.ts";

/** One arrival of a message. A message that arrives again gets another receipt. */
export interface Receipt {
  intake: "smtp" | "lmtp" | "http" | "imap" | "bucket" | "import";
  /** SHA-256 of the bytes of this arrival. Its line ends may differ from those of the first. */
  rawSha256: string;
  bytes: number;
  envelopeFrom?: string;
  envelopeTo?: readonly string[];
  /** The peer's address, or the path of the file. */
  peer?: string;
  /** The name in an SMTP client's HELO or EHLO. */
  helo?: string;
}

/** The SMTP session of a message, for the SPF check. */
export interface SmtpFacts {
  /** The address of the connecting client, which may be the operator's relay. */
  remoteAddress: string;
  helo: string;
  /** Empty for the null sender of a bounce. */
  mailFrom: string;
  at: Date;
}

/** A provider's request to confirm that this address accepts a person's forwarded mail. */
export interface Confirmation {
  provider: string;
  /** The code to enter at the provider. */
  code?: string;
  /** The link to open instead. Always at the provider's own domain. */
  link?: string;
}

/** The reason for the quarantine, with facts for a person's decision. Sender and subject are untrusted text. */
export interface Quarantined {
  reason: "sender" | "confirmation";
  from: string;
  subject: string;
  confirmation?: Confirmation;
}

/** The object `mail/text/<sha256>`, or a part of the object `mail/raw/<sha256>`. */
export interface StoredText {
  sha256: string;
  bytes: number;
  /** The position in the raw message, for a text that is a part of it. */
  inRawAt?: number;
}

export interface StoredAttachment {
  /** `at_` and 26 characters. The same each time the message is parsed. */
  attachmentId: string;
  name?: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  /** Present if the attachment has text. */
  text?: StoredText;
  /** True for a part of the layout, such as a picture in the text. It is stored, but not counted as an attachment. */
  inline: boolean;
}

/** The result of parsing. */
export interface MailFacts {
  from: Sender;
  to: readonly MailPerson[];
  cc: readonly MailPerson[];
  subject: string;
  date: Date;
  forwardedBy?: MailPerson;
  text: StoredText;
  attachments: readonly StoredAttachment[];
  /** Why the readable text is the raw message. */
  parseProblem?: string;
  /** The text part and the HTML part differ. */
  partsDiffer?: true;
  /** Sign-in codes that subject and text do not show. */
  hidden?: number;
}

export interface MailSummary {
  text: string;
  source: "model" | "extract";
}

/** A message that only this process may process until the lease ends. */
export interface ClaimedMail {
  emailId: string;
  /** The id of the claim. Changes under a lost claim are refused. */
  claim: string;
  /** The step to run next. */
  step: string;
  /** Number of starts of this step, including this one. */
  attempts: number;
  rawSha256: string;
  rawBytes: number;
  /** The raw message, if it is still stored in its row and not in the object store. */
  inbox?: Uint8Array | undefined;
  receivedAt: Date;
  /** The first arrival. */
  arrival?: Pick<Receipt, "intake" | "peer">;
  /** The session of its first arrival over SMTP. Undefined for LMTP, HTTP, IMAP, bucket and import. */
  smtp?: SmtpFacts;
  authentication?: Authentication;
  facts?: Omit<MailFacts, "attachments">;
  /** From an earlier parse. */
  attachmentTexts?: readonly StoredText[];
  summary?: MailSummary;
}

/** The state of a message after a step. */
export type NextState =
  | { kind: "run"; step: string }
  | { kind: "retry"; step: string; attempts: number; afterMs: number; reason: string }
  | { kind: "give up"; step: string; reason: string }
  | { kind: "finish" };

export interface MailProgress {
  authentication?: Authentication;
  facts?: MailFacts;
  summary?: MailSummary;
  /** The texts to index besides subject, sender and summary. With them the message becomes searchable. */
  searchable?: { body: string; attachments?: string };
  /** The raw message is now in the object store, and is deleted from its row. */
  leavesInbox?: true;
  /** Queues the message for a model summary, if it has a text. */
  toSummarise?: true;
  /** Makes a notice due, unless one was sent before. */
  toTell?: true;
  next: NextState;
}

export type MailState = "pending" | "searchable" | "failed";

/**
 * The record of arrived messages and their progress. Every change is durable when it resolves. Errors: `unavailable`.
 */
export interface MailStore {
  /**
   * Stores a new message and its receipt in one transaction. A known message only gets another receipt. With
   * `quarantine` the message goes to quarantine, unless it was accepted before. Without it, the message leaves
   * quarantine. With `leaseMs` a new message is leased to the caller immediately: `claimed`. With `raw` the bytes are
   * stored in the new row, and a known message is left unchanged.
   */
  admit(
    mail: { emailId: string; rawSha256: string; bytes: number; firstStep: string },
    receipt: Receipt,
    options?: {
      quarantine?: Quarantined | undefined;
      leaseMs?: number | undefined;
      raw?: Uint8Array | undefined;
      /** True if this message may wait some milliseconds to be committed with others. */
      canWait?: boolean | undefined;
    },
  ): Promise<{ isNew: boolean; claimed?: ClaimedMail }>;
  /** Returns whether a known message has the maximum number of receipts. */
  hasAllReceipts(emailId: string): Promise<boolean>;
  /** Leases up to `limit` due messages whose next step is one of `steps`. A message has one lease at a time. */
  claim(options: {
    steps: readonly string[];
    limit: number;
    leaseMs: number;
  }): Promise<ClaimedMail[]>;
  /** Extends the leases of these claims. */
  renew(claims: readonly string[], leaseMs: number): Promise<void>;
  /** Records a step's result and the next state atomically. Returns false, without a change, if the claim was lost. */
  advance(mail: ClaimedMail, progress: MailProgress): Promise<boolean>;
  /**
   * Returns the states of these messages by id, with the `reason` of a failure. Unknown messages are absent. Progress
   * that is not durable yet may be absent too.
   */
  states(
    emailIds: readonly string[],
  ): Promise<ReadonlyMap<string, { state: MailState; reason?: string }>>;
}
