import type { Receipt, SmtpFacts } from "../../ports/mail/mail-store.ts";

/** Tells the addresses that the operator named as a relay's. No other address is taken for one, whatever network it is in. */
export type IsRelay = (address: string) => boolean;

/**
 * Whether the operator's own mail server had a message in its hands right before: one of the named relays over SMTP and LMTP,
 * where anybody may connect; whoever fills the mailbox or the bucket, shows the token, or wrote the files that were imported.
 */
export function isThroughOwnServer(
  { intake, peer }: Pick<Receipt, "intake" | "peer">,
  isRelay: IsRelay,
): boolean {
  return intake === "smtp" || intake === "lmtp" ? peer !== undefined && isRelay(peer) : true;
}

/** Addresses of this machine and of private networks (RFC 1918, 3927, 4193, 4291, 6598). */
const inside =
  /^(?:0|10|127)\.|^169\.254\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^::1?$|^f[cd]|^fe[89ab]/i;

/** Returns the session if SPF can be judged by it: a relay, and the gateway of a private network, are not who sent the mail. */
export function fromOutside(smtp: SmtpFacts, isRelay: IsRelay): SmtpFacts | undefined {
  const remoteAddress = smtp.remoteAddress.replace(/^::ffff:(?=[\d.]+$)/i, "");
  return inside.test(remoteAddress) || isRelay(remoteAddress)
    ? undefined
    : { ...smtp, remoteAddress };
}
