import type { Authenticated } from "../../ports/mail/mail-authenticator.ts";
import type { SmtpFacts } from "../../ports/mail/mail-store.ts";

/** A message for the thread. */
export interface Job {
  id: number;
  raw: Uint8Array;
  author: string;
  isSigned: boolean;
  session: SmtpFacts | undefined;
  sealer: string | undefined;
}

export interface CheckVerdict extends Authenticated {
  /** Relevant DNS lookups failed. `all`: every lookup failed. */
  unreachable: "all" | "some" | undefined;
}

export type CheckReply = { id: number } & ({ verdict: CheckVerdict } | { error: string });

export interface ThreadOptions {
  /** Undefined for the system's. */
  servers: readonly string[] | undefined;
}
