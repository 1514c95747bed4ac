import type { Authentication } from "./mail-reader.ts";
import type { SmtpFacts } from "./mail-store.ts";

export interface ToAuthenticate {
  raw: Uint8Array;
  /** The one address in the message's From header. */
  author: string;
  /** True if the message has DKIM signatures that could be valid. */
  isSigned: boolean;
  /** The SMTP session, if the message came directly from outside. SPF checks its peer. */
  session?: SmtpFacts | undefined;
  /** The host name whose ARC seal (RFC 8617) is trusted, if the message has one. */
  sealer?: string | undefined;
}

export interface Authenticated {
  authentication: Authentication;
  /** If the author is not verified, the sealer's results in the form of `Authentication-Results`. */
  sealedResults?: string | undefined;
}

/**
 * Checks whether the domain of a message's author authenticates it: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489).
 * Missing DNS data makes a message `unverified`, never `failed`. Errors: `unavailable` after a temporary DNS failure.
 */
export interface MailAuthenticator {
  authenticate(message: ToAuthenticate): Promise<Authenticated>;
  close(): Promise<void>;
}
