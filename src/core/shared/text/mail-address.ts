import { domainToUnicode } from "node:url";

/** The limit of RFC 1035 section 2.3.4. Longer texts are not domains and could be slow to convert. */
const longestDomain = 255;

/**
 * Returns an address or `@domain` in the form for comparison: in lower case, with an internationalized domain in its
 * own letters instead of `xn--`. People and senders write either form. Wide letters stay different from narrow ones,
 * because they are different domains in DNS.
 */
export function comparableAddress(address: string): string {
  const written = address.normalize("NFC").toLowerCase();
  const at = written.lastIndexOf("@") + 1;
  const domain = written.slice(at);
  const isEncoded = domain.length <= longestDomain && /^(?=.*xn--)[ -~]*$/.test(domain);
  // Empty if the text is not a domain.
  return isEncoded ? written.slice(0, at) + (domainToUnicode(domain) || domain) : written;
}
