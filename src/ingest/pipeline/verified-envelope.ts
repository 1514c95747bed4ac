import { ToolError } from "../../core/tool/tool-error.ts";
import type { MailAuthenticator } from "../../ports/mail/mail-authenticator.ts";
import { fromOutside, type IsRelay, isThroughOwnServer } from "./peers.ts";
import { trustedEnvelope } from "./trusted-results.ts";
import type { IsVerified } from "./quarantine.ts";

/** Time limit of the lookup, during which the sender waits for `250 OK`. Milliseconds. */
const longestLookupMs = 3_000;

/**
 * Creates the SPF check of an envelope sender's domain. It uses the result of the operator's own mail server, or looks
 * the domain up for mail that arrives over SMTP from outside. For a mailbox, a bucket and HTTP with a token the
 * envelope is trusted unless `Authentication-Results` of the trusted host contradict it.
 */
export function createEnvelopeVerifier(settings: {
  /** If undefined, no DNS lookups are made, and no sender from outside is authenticated. */
  authenticator: MailAuthenticator | undefined;
  trustedHost: string | undefined;
  isRelay: IsRelay;
}): IsVerified {
  const { authenticator, trustedHost, isRelay } = settings;
  return async (sender, headers, arrival) => {
    const domain = sender.slice(sender.lastIndexOf("@") + 1);
    const { intake, peer, helo } = arrival;
    if (isThroughOwnServer(arrival, isRelay)) {
      const found = trustedHost && trustedEnvelope(headers, trustedHost, domain);
      return typeof found === "boolean" ? found : intake !== "smtp" && intake !== "lmtp";
    }
    if (intake !== "smtp" || peer === undefined || helo === undefined) return false;
    const session = fromOutside(
      { remoteAddress: peer, helo, mailFrom: sender, at: new Date() },
      isRelay,
    );
    if (authenticator === undefined || session === undefined) return false;
    const message = { raw: new Uint8Array(), author: sender, isSigned: false, session };
    return await inTime(
      authenticator.authenticate(message).then(
        ({ authentication }) => authentication.spf === "pass",
        (error: unknown) => {
          // DNS was unavailable.
          if (error instanceof ToolError) return false;
          throw error;
        },
      ),
    );
  };
}

async function inTime(verified: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), longestLookupMs);
  });
  try {
    return await Promise.race([verified, late]);
  } finally {
    clearTimeout(timer);
  }
}
