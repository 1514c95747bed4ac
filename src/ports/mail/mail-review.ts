import type { Authentication } from "./mail-reader.ts";
import type { QuarantinedMail } from "./mail-admin.ts";

/** A message in quarantine as the person sees it who decides about it. Everything in it is a stranger's word but the verdict. */
export interface HeldMail {
  mail: QuarantinedMail;
  /** The readable text; undefined if its bytes are not here. */
  text: string | undefined;
  /** Whether the sender's domain vouches for it; undefined if nobody could tell in time. */
  sender: Authentication["from"] | undefined;
}

/** The quarantine for a person at an approval channel; no tool has it. Errors: `unavailable`. */
export interface MailReview {
  count(): Promise<number>;
  /** Newest first. */
  held(limit: number): Promise<readonly HeldMail[]>;
  /** Lets a message out and puts that on record. False if it is not in quarantine. */
  release(emailId: string, person: { by: string; channel: "page" | "terminal" }): Promise<boolean>;
}
