import type { Receipt } from "./mail-store.ts";

/** The record of a message that was rejected. Sender and subject are text from strangers. */
export interface RefusalNote {
  /** `rf_` and 26 characters. The same each time the message is seen. */
  refusalId: string;
  intake: Receipt["intake"];
  /** The source, for a person: a mailbox or a part of a bucket. */
  source: string;
  /** The present location. */
  location: string;
  bytes: number;
  from: string;
  subject: string;
  reason: string;
}

/** The intake's facts about a message that it rejects. */
export interface RejectedMail extends Omit<RefusalNote, "refusalId" | "from" | "subject"> {
  /** Unique at this intake. */
  id: string;
  /** Returns its first bytes, at most this many. Undefined if it no longer exists. */
  beginning: (bytes: number) => Promise<Uint8Array | undefined>;
}

/**
 * Records of rejected messages. Their senders consider them delivered, so a person must see them here. Errors:
 * `unavailable`.
 */
export interface MailRefusals {
  /** Stores a record durably. A message that is rejected again keeps its one record. */
  note(mail: RefusalNote): Promise<void>;
  /** Deletes a record. Returns false if it does not exist. */
  remove(refusalId: string): Promise<boolean>;
}
