import { addressParser } from "postal-mime";
import type { Quarantined } from "../../ports/mail/mail-store.ts";
import { oneLine } from "../../core/shared/clean-text.ts";
import { comparableAddress } from "../../core/shared/mail-address.ts";
import { confirmationIn } from "./confirmation.ts";
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

/** Whether the domain of an envelope sender, as it is compared, is proven to have sent a message. */
export type IsVerified = (
  sender: string,
  headers: readonly HeaderLine[],
  arrival: Arrival,
) => Promise<boolean>;

/**
 * Says which messages wait for a person: a provider's question whether to forward, always, since its link is for nobody
 * else; and if `senders` are named, mail that names another author, unless one of them sent it on and that is verified.
 * @param senders as they are compared; `@domain` stands for every address there; undefined: everybody
 */
export function createQuarantine(
  senders: readonly string[] | undefined,
  isVerified: IsVerified,
): (message: Uint8Array, arrival: Arrival) => Promise<Quarantined | undefined> {
  const named = senders && new Set(senders);
  return async (message, arrival) => {
    // Who imports a file has chosen it.
    if (arrival.intake === "import") return undefined;
    const lines = headerLines(message);
    const headers = grouped(lines);
    const shown = shownWords(headers);
    const confirmation = await confirmationIn(
      withoutBlankTop(message),
      addressesIn(headers, "from")[0] ?? "",
    );
    if (confirmation !== undefined) return { reason: "confirmation", ...shown, confirmation };
    if (named === undefined) return undefined;
    const authors = authorsOf(headers);
    if (authors.length > 0 && authors.every((author) => isAmong(named, author))) return undefined;
    // Whoever sends mail on is in its envelope. `Sender` and `Resent-From` are anybody's words.
    const sender = envelopeSender(headers, arrival);
    const isNamed = [sender, withoutForwardingTag(sender)].some((one) => isAmong(named, one));
    if (isNamed && (await isVerified(sender, lines, arrival))) return undefined;
    return { reason: "sender", ...shown };
  };
}

/** What a message says of itself to a person who is to judge it. */
export function shownWords(headers: Headers): Pick<Quarantined, "from" | "subject"> {
  const [from = ""] = headers.get("from") ?? [];
  const [subject = ""] = headers.get("subject") ?? [];
  return {
    from: oneLine(decodedWords(from), mailLimits.nameCharacters + mailLimits.addressCharacters),
    subject: oneLine(decodedWords(subject), mailLimits.subjectCharacters),
  };
}

/** If no envelope is known, its trace is the `Return-Path`. */
function envelopeSender(headers: Headers, { envelopeFrom }: Arrival): string {
  return envelopeFrom === undefined
    ? (addressesIn(headers, "return-path")[0] ?? "")
    : comparableAddress(envelopeFrom);
}

/** Gmail forwards as `me+caf_=to=domain@gmail.com`: the account that forwards is before the tag. */
function withoutForwardingTag(address: string): string {
  // What is longer is no address, and the pattern would try each of very many tags in it. Cut, it could end in a name
  // that it does not end in.
  if (address.length > mailLimits.addressCharacters) return address;
  return address.replace(/\+caf_=.*(?=@[^@]*$)/, "");
}

function addressesIn(headers: Headers, name: string): string[] {
  return (headers.get(name) ?? [])
    .flatMap((value) => addressParser(value, { flatten: true }))
    .slice(0, mailLimits.recipients)
    .flatMap(({ address }) => (address === undefined ? [] : [comparableAddress(address)]));
}

function isAmong(named: ReadonlySet<string>, address: string): boolean {
  return named.has(address) || named.has(address.slice(address.lastIndexOf("@")));
}
