import { domainToUnicode } from "node:url";

/** RFC 1035; what is longer is no domain, and converting it could take long. */
const longestDomain = 255;

/**
 * The form in which addresses are compared, and `@domain` too: in lower case, and a domain of other letters in these, not as
 * the `xn--` of DNS. People write either, and so do senders.
 */
export function comparableAddress(address: string): string {
  const written = address.normalize("NFC").toLowerCase();
  const at = written.lastIndexOf("@") + 1;
  const domain = written.slice(at);
  const isPlain = at === 0 || /^(?!.*xn--)[\u0020-\u007E]*$/.test(domain);
  if (isPlain || domain.length > longestDomain) return written;
  // Empty where it is no domain.
  return written.slice(0, at) + (domainToUnicode(domain) || domain);
}
