import type { Quarantined } from "../../ports/mail/mail-store.ts";
import { oneLine } from "../../core/shared/text/clean-text.ts";
import { comparableAddress } from "../../core/shared/text/mail-address.ts";
import { confirmationIn } from "./confirmation.ts";
import { addressesIn } from "../mime/address-list.ts";
import { decodedWords } from "../mime/encoded-words.ts";
import {
  authorsOf,
  grouped,
  type HeaderLine,
  headerLines,
  type Headers,
  withoutBlankTop,
} from "../mime/headers.ts";
import type { Arrival } from "./accept-message.ts";
import { mailLimits } from "./limits.ts";

/** Returns whether the normalised domain of an envelope sender is authenticated for a message. */
export type IsVerified = (
  sender: string,
  headers: readonly HeaderLine[],
  arrival: Arrival,
) => Promise<boolean>;

/**
 * Creates the function that decides which messages go to quarantine. A provider's forwarding confirmation always does,
 * because its link is meant only for the user. With `senders`, mail by other authors does too, unless an authenticated
 * sender from that list forwarded it.
 * @param senders normalised addresses. `@domain` covers every address there. Undefined allows all senders.
 */
export function createQuarantine(
  senders: readonly string[] | undefined,
  isVerified: IsVerified,
): (message: Uint8Array, arrival: Arrival) => Promise<Quarantined | undefined> {
  const named = senders && new Set(senders);
  return async (message, arrival) => {
    // A person chose the imported file.
    if (arrival.intake === "import") return undefined;
    const lines = headerLines(message);
    const headers = grouped(lines);
    const shown = shownWords(headers);
    const confirmation = await confirmationIn(withoutBlankTop(message), {
      from: firstAddress(headers, "from"),
      subject: shown.subject,
    });
    if (confirmation !== undefined) return { reason: "confirmation", ...shown, confirmation };
    if (named === undefined) return undefined;
    const authors = authorsOf(headers);
    if (authors.length > 0 && authors.every((author) => isAmong(named, author))) return undefined;
    // The envelope names the host that forwarded the mail. `Sender` and `Resent-From` can be forged.
    const sender = envelopeSender(headers, arrival);
    const isNamed = [sender, withoutForwardingTag(sender)].some((one) => isAmong(named, one));
    if (isNamed && (await isVerified(sender, lines, arrival))) return undefined;
    return { reason: "sender", ...shown };
  };
}

/** Returns the sender and subject that a message claims, for the person who reviews it. */
export function shownWords(headers: Headers): Pick<Quarantined, "from" | "subject"> {
  const first = (name: string) =>
    decodedWords((headers.get(name)?.[0] ?? "").slice(0, mailLimits.encodedCharacters));
  return {
    from: oneLine(first("from"), mailLimits.nameCharacters + mailLimits.addressCharacters),
    subject: oneLine(first("subject"), mailLimits.subjectCharacters),
  };
}

/** Returns the envelope sender. Without a known envelope, `Return-Path` records it. */
function envelopeSender(headers: Headers, { envelopeFrom }: Arrival): string {
  return envelopeFrom === undefined
    ? firstAddress(headers, "return-path")
    : comparableAddress(envelopeFrom);
}

/** Removes Gmail's forwarding tag: in `me+caf_=to=domain@gmail.com` the forwarding account is before the tag. */
function withoutForwardingTag(address: string): string {
  // A longer text is not an address, and the pattern would be slow on many tags. It is not cut, because the rest could
  // end in another domain.
  if (address.length > mailLimits.addressCharacters) return address;
  return address.replace(/\+caf_=.*(?=@[^@]*$)/, "");
}

/** Returns the first address in the headers of a name, normalised. Empty if there is none. */
function firstAddress(headers: Headers, name: string): string {
  const values = (headers.get(name) ?? []).join(",").slice(0, mailLimits.authorCharacters);
  return comparableAddress(addressesIn(values)[0]?.address ?? "");
}

function isAmong(named: ReadonlySet<string>, address: string): boolean {
  return named.has(address) || named.has(address.slice(address.lastIndexOf("@")));
}
