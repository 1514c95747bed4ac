import type { Receipt, SmtpFacts } from "../../ports/mail/mail-store.ts";

/**
 * Recognises the addresses that the operator named as relays. No other address is a relay, not even in a private
 * network.
 */
export type IsRelay = (address: string) => boolean;

/**
 * Returns whether the operator's own mail server handled a message last. Over SMTP and LMTP, where any host may
 * connect, that is one of the named relays. Mailbox, bucket, HTTP and import are under the operator's control.
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

/**
 * Returns the session if SPF can be checked with it. A relay or the gateway of a private network is not the sending
 * host.
 */
export function fromOutside(smtp: SmtpFacts, isRelay: IsRelay): SmtpFacts | undefined {
  const remoteAddress = smtp.remoteAddress.replace(/^::ffff:(?=[\d.]+$)/i, "");
  return inside.test(remoteAddress) || isRelay(remoteAddress)
    ? undefined
    : { ...smtp, remoteAddress };
}
