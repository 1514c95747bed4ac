import { domainToUnicode } from "node:url";

/** The limit of RFC 1035 section 2.3.4. Longer texts are not domains and could be slow to convert. */
const longestDomain = 255;

/**
 * Returns an address or `@domain` in a form for comparison: lower case, and an internationalized domain in its own
 * script instead of `xn--`. People and senders write either form. Fullwidth letters stay different from ASCII, because
 * DNS treats them as different domains.
 */
export function comparableAddress(address: string): string {
  const written = address.normalize("NFC").toLowerCase();
  const at = written.lastIndexOf("@") + 1;
  const domain = written.slice(at);
  const isEncoded = domain.length <= longestDomain && /^(?=.*xn--)[ -~]*$/.test(domain);
  // Empty if the text is not a domain.
  return isEncoded ? written.slice(0, at) + (domainToUnicode(domain) || domain) : written;
}

/** Formats `Ann <ann@example.org>`, or the address alone. */
export function formatAddress({
  name,
  address,
}: {
  name?: string | undefined;
  address: string;
}): string {
  return name === undefined ? address : `${name} <${address}>`;
}
