import type { Receipt } from "./mail-store.ts";

/** A message that lies elsewhere and cannot be taken from there. Sender and subject are a stranger's words. */
export interface RefusalNote {
  /** `rf_` and 26 characters; the same each time that the message is met. */
  refusalId: string;
  intake: Receipt["intake"];
  /** What it came to, for a person: a mailbox, a part of a bucket. */
  source: string;
  /** Where it was put. */
  liesIn: string;
  bytes: number;
  from: string;
  subject: string;
  reason: string;
}

/** What an intake knows of a message that it cannot take. */
export interface RejectedMail extends Omit<RefusalNote, "refusalId" | "from" | "subject"> {
  /** Never that of another message at this intake. */
  id: string;
  /** So many bytes from its beginning; undefined where it is gone. */
  beginning: (bytes: number) => Promise<Uint8Array | undefined>;
}

/** Notes of what was not taken: its sender was rid of it before, so nobody else can be told. Errors: `unavailable`. */
export interface MailRefusals {
  /** Durable when it resolves; a message that is refused again keeps its one note. */
  note(mail: RefusalNote): Promise<void>;
  /** There is nothing to say of it any more; false where there is no such note. */
  remove(refusalId: string): Promise<boolean>;
}
