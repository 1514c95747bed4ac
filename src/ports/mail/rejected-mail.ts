import type { Receipt } from "./mail-store.ts";

/** The record of a message that was rejected. Sender and subject are untrusted text. */
export interface RejectionNote {
  /** `rf_` and 26 characters, always the same for the same message. */
  rejectionId: string;
  intake: Receipt["intake"];
  /** The source, for a person: a mailbox or a part of a bucket. */
  source: string;
  /** The current location. */
  location: string;
  bytes: number;
  from: string;
  subject: string;
  reason: string;
}

/** The intake's facts about a message that it rejects. */
export interface RejectedMail extends Omit<RejectionNote, "rejectionId" | "from" | "subject"> {
  /** Unique at this intake. */
  id: string;
  /** Returns its first bytes, at most this many. Undefined if it no longer exists. */
  beginning: (bytes: number) => Promise<Uint8Array | undefined>;
}

/**
 * Notes of rejected messages. Their senders consider them delivered, so a person must be able to see them. Errors:
 * `unavailable`.
 */
export interface RejectionNotes {
  /** Stores a note durably. A message that is rejected again keeps its first note. */
  note(mail: RejectionNote): Promise<void>;
  /** Deletes a note. Returns false if it does not exist. */
  remove(rejectionId: string): Promise<boolean>;
}
