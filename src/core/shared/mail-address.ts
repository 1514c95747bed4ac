import { domainToUnicode } from "node:url";

/** RFC 1035; what is longer is no domain, and converting it could take long. */
const longestDomain = 255;

/**
 * The form in which addresses are compared, and `@domain` too: in lower case, and a domain of other letters in these, not as
 * the `xn--` of DNS. People write either, and so do senders. No letter of a domain stands for another, such as a wide one for
 * a narrow one: DNS, which says who may write in its name, takes them for two domains.
 */
export function comparableAddress(address: string): string {
  const written = address.normalize("NFC").toLowerCase();
  const at = written.lastIndexOf("@") + 1;
  const domain = written.slice(at);
  const isEncoded = domain.length <= longestDomain && /^(?=.*xn--)[ -~]*$/.test(domain);
  // Empty where it is no domain.
  return isEncoded ? written.slice(0, at) + (domainToUnicode(domain) || domain) : written;
}
