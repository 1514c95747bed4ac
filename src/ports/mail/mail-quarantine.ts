import type { Authentication, MailAttachment } from "./mail-reader.ts";
import type { QuarantinedMail } from "./mail-admin.ts";

/** The readable parts of a message, for a person. All of it is untrusted text. */
export interface ReadableMail {
  text: string;
  /** In the order of the message. Empty for a message that could not be parsed. */
  attachments: readonly Omit<MailAttachment, "attachmentId">[];
}

/** A message in quarantine, for the person who decides about it. Everything except `sender` is untrusted text. */
export interface QuarantineEntry {
  mail: QuarantinedMail;
  /** Undefined if the raw message is not stored here. */
  readable: ReadableMail | undefined;
  /** The result of the sender check. Undefined if the check took too long. */
  sender: Authentication["from"] | undefined;
}

/** The quarantine, for a person in an approval channel and never for a tool. Errors: `unavailable`. */
export interface MailQuarantine {
  count(): Promise<number>;
  /** Newest first. */
  entries(limit: number): Promise<readonly QuarantineEntry[]>;
  /** Releases a message and adds an audit event. Returns false if the message is not in quarantine. */
  release(emailId: string, person: { by: string; channel: "page" | "terminal" }): Promise<boolean>;
}
