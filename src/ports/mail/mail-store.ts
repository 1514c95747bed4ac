import type { Authentication, MailPerson, Sender } from "./mail-reader.ts";

/** How a message came in. One row for each arrival, also of a message that is already there. */
export interface Receipt {
  intake: "smtp" | "lmtp" | "http" | "imap" | "bucket" | "import";
  /** SHA-256 of the bytes of this arrival: line ends may differ from those of the first. */
  rawSha256: string;
  bytes: number;
  envelopeFrom?: string;
  envelopeTo?: readonly string[];
  /** The peer's address, or the path of the file. */
  peer?: string;
  /** What an SMTP client called itself in HELO or EHLO. */
  helo?: string;
}

/** What an SMTP session told of a message: what SPF is checked with. */
export interface SmtpFacts {
  /** Of the client that handed it over: a relay of one's own, where there is one. */
  remoteAddress: string;
  helo: string;
  /** Empty for the null sender of a bounce. */
  mailFrom: string;
  at: Date;
}

/** A provider's question whether this address may receive a person's mail. */
export interface Confirmation {
  provider: string;
  /** What to type at the provider. */
  code?: string;
  /** What to open instead; always at the provider's own domain. */
  link?: string;
}

/** Why a message goes to quarantine, and what a person needs to judge it. Text is the message's own: a stranger's word. */
export interface Quarantined {
  reason: "sender" | "confirmation";
  from: string;
  subject: string;
  confirmation?: Confirmation;
}

/** The object `mail/text/<sha256>`. */
export interface StoredText {
  sha256: string;
  bytes: number;
}

export interface StoredAttachment {
  /** `at_` and 26 characters; the same each time the message is parsed. */
  attachmentId: string;
  name?: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  /** If the attachment has text. */
  text?: StoredText;
  /** Part of the message's look, such as a picture in the text: kept, but not counted. */
  inline: boolean;
}

/** What parsing found out. */
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
  /** Its text part and its page say different things. */
  partsDiffer?: true;
}

export interface MailSummary {
  text: string;
  source: "model" | "extract";
}

/** A message that this process alone may work on until its lease ends. */
export interface ClaimedMail {
  emailId: string;
  /** Names the claim; a change made under a claim that was lost is refused. */
  claim: string;
  /** The step to run next. */
  step: string;
  /** How often this step has been started, this time included. */
  attempts: number;
  rawSha256: string;
  rawBytes: number;
  /** The message itself, where it lies with its row and is still to be put into the object store. */
  inbox?: Uint8Array | undefined;
  receivedAt: Date;
  /** How it arrived first. */
  arrival?: Pick<Receipt, "intake" | "peer">;
  /** Of its first arrival over SMTP; undefined where it came by LMTP, HTTP, IMAP, bucket or import. */
  smtp?: SmtpFacts;
  authentication?: Authentication;
  facts?: Omit<MailFacts, "attachments">;
  /** Of an earlier time that it was parsed. */
  attachmentTexts?: readonly StoredText[];
  summary?: MailSummary;
}

/** What becomes of a message after a step. */
export type NextState =
  | { do: "run"; step: string }
  | { do: "retry"; step: string; attempts: number; afterMs: number; reason: string }
  | { do: "give up"; step: string; reason: string }
  | { do: "finish" };

export interface MailProgress {
  authentication?: Authentication;
  facts?: MailFacts;
  summary?: MailSummary;
  /** The texts that a search looks through beside subject, sender and summary; makes the message findable. */
  searchable?: { body: string; attachments?: string };
  /** The message is in the object store now and leaves its row. */
  leavesInbox?: true;
  /** Puts the message into the queue for a model's summary, where it has a text. */
  toSummarise?: true;
  /** People are to be told of it, unless they were. */
  toTell?: true;
  next: NextState;
}

export type MailState = "pending" | "searchable" | "failed";

/** The record of what arrived and how far it is. Every change is durable when it resolves. Errors: `unavailable`. */
export interface MailStore {
  /**
   * Adds the message where it is new, and the receipt in any case, in one transaction. With `withheld` it goes to quarantine,
   * unless it was admitted before; without, it leaves the quarantine where it was there. With `leaseMs` a new message is
   * leased to the caller from the beginning: `claimed`. With `raw` too the bytes lie with the new row from then on; where
   * the message is there already, nothing is added and nothing changed.
   */
  admit(
    mail: { emailId: string; rawSha256: string; bytes: number; firstStep: string },
    receipt: Receipt,
    options?: {
      withheld?: Quarantined | undefined;
      leaseMs?: number | undefined;
      raw?: Uint8Array | undefined;
    },
  ): Promise<{ isNew: boolean; claimed?: ClaimedMail }>;
  /** Leases up to `limit` messages whose next step is one of `steps` and due. No message is leased twice at a time. */
  claim(options: {
    steps: readonly string[];
    limit: number;
    leaseMs: number;
  }): Promise<ClaimedMail[]>;
  /** Prolongs the leases of these claims. */
  renew(claims: readonly string[], leaseMs: number): Promise<void>;
  /** Writes what a step found and what comes next, at once; false where the claim was lost, and then nothing is written. */
  advance(mail: ClaimedMail, progress: MailProgress): Promise<boolean>;
  /** How far a message is; `reason` where it failed. Undefined where there is none. */
  state(emailId: string): Promise<{ state: MailState; reason?: string } | undefined>;
}
