import type { Authentication } from "./mail-reader.ts";
import type { SmtpFacts } from "./mail-store.ts";

export interface ToAuthenticate {
  raw: Uint8Array;
  /** The one address that the message says it is from. */
  author: string;
  /** It has DKIM signatures that are worth a look. */
  isSigned: boolean;
  /** Where it came over SMTP, straight from outside: SPF is about who that is. */
  session?: SmtpFacts | undefined;
  /** Whose seal (ARC, RFC 8617) is believed, where the message has one: a host's name. */
  sealer?: string | undefined;
}

export interface Authenticated {
  authentication: Authentication;
  /** Where the author is not proven: what the sealer found, in the form of `Authentication-Results`. */
  sealedResults?: string | undefined;
}

/**
 * Finds out whether the domain of a message's author vouches for it: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489).
 * What DNS does not tell makes a message `unverified`, never `failed`. Errors: `unavailable` where a part of DNS was away
 * and asking again may tell more.
 */
export interface MailAuthenticator {
  authenticate(message: ToAuthenticate): Promise<Authenticated>;
  close(): Promise<void>;
}
