import { addressParser } from "postal-mime";
import { mailLimits } from "../pipeline/limits.ts";

interface Mailbox {
  name: string;
  address?: string | undefined;
}

/** The depth at which the parser stops. */
const parsedDepth = 50;

/**
 * Parses the value of an address header (RFC 5322 3.4) and returns its mailboxes, also those of groups. The parser reads
 * the rest of a list again for each group inside another one, so a list with many colons is cut. RFC 5322 allows no nested
 * groups, and the colon of `<smtp:ann@example.com>` begins none.
 */
export function addressesIn(list: string): Mailbox[] {
  const colons = list.match(/(?<!<\w{0,10}):/g)?.length ?? 0;
  const readings = 1 + Math.min(parsedDepth, colons);
  // A list of authors is never cut, so that each author of a mail is seen.
  const most = Math.max(
    mailLimits.authorCharacters,
    (2 * mailLimits.addressListCharacters) / readings,
  );
  return addressParser(list.slice(0, most), { flatten: true });
}
