import { ToolError } from "../../core/tool/tool-error.ts";
import type { MailAuthenticator } from "../../ports/mail/mail-authenticator.ts";
import { fromOutside, type IsRelay, isThroughOwnServer } from "./peers.ts";
import { trustedEnvelope } from "./trusted-results.ts";
import type { IsVerified } from "./quarantine.ts";

/** A sender waits for its `250 OK` meanwhile. Milliseconds. */
const longestLookupMs = 3_000;

/**
 * Verifies the domain of an envelope sender by SPF: as the operator's own mail server found it, or looked up here for what comes
 * over SMTP straight from outside. Whoever fills the mailbox or the bucket, or shows the token, is believed about the envelope
 * unless `Authentication-Results` of the trusted host contradict.
 */
export function createEnvelopeVerifier(settings: {
  /** Undefined: nothing is looked up, and so nothing that comes from outside is verified. */
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
          // DNS was away.
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
