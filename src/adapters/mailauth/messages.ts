import type { Authenticated } from "../../ports/mail-authenticator.ts";
import type { SmtpFacts } from "../../ports/mail-store.ts";

/** A message for the thread. */
export interface Job {
  id: number;
  raw: Uint8Array;
  author: string;
  isSigned: boolean;
  session: SmtpFacts | undefined;
  sealer: string | undefined;
}

export interface Verdict extends Authenticated {
  /** DNS was away for something that would have counted. `all`: for everything that was asked. */
  isAway: "all" | "some" | undefined;
}

export type Reply = { id: number } & ({ verdict: Verdict } | { error: string });

export interface ThreadOptions {
  /** Undefined: the system's. */
  servers: readonly string[] | undefined;
}
