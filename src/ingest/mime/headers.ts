import type { MailPerson, Sender } from "../../ports/mail/mail-reader.ts";
import { oneLine } from "../../core/shared/text/clean-text.ts";
import { comparableAddress } from "../../core/shared/text/mail-address.ts";
import { addressesIn } from "./address-list.ts";
import { headerText } from "./charset.ts";
import { decodedWords } from "./encoded-words.ts";
import { mailLimits } from "../pipeline/limits.ts";
import { structuredHeader } from "./structured-header.ts";
import { undeclaredCharset } from "./undeclared-charset.ts";

/** The headers of a message by lower-case name, in order, with folded lines joined. */
export type Headers = ReadonlyMap<string, readonly string[]>;

export interface Envelope {
  subject: string;
  from: Sender;
  to: readonly MailPerson[];
  cc: readonly MailPerson[];
  /** Undefined if no plausible date is given. */
  date: Date | undefined;
}

/**
 * Tolerance for wrong clocks and time zones. A later date is false, and would keep the mail at the top of every list.
 */
const maxFutureMs = 48 * 3_600_000;

/** Replaces the bare CR line ends of classic Mac files by LF. Readers that expect LF would see a single line. */
export function withLineFeeds(message: Uint8Array): Uint8Array {
  if (message.includes(0x0a) || !message.includes(0x0d)) return message;
  return message.map((byte) => (byte === 0x0d ? 0x0a : byte));
}

/** The first line of a message: an mbox line, a header with a hyphen in its name, or a known header without one. */
export const beginning =
  /^(?:From |(?:[a-z\d]+-[a-z\d-]+|from|to|cc|bcc|sender|subject|date|received|comments|keywords|references|importance|priority|precedence|organization|status|lines|path|newsgroups)[ \t]*:)/i;

/**
 * Removes blank lines above the headers, which scripts and editors leave. If no header follows, they stay, because they
 * end an empty head.
 */
export function withoutBlankTop(message: Uint8Array): Uint8Array {
  let start = 0;
  for (let at = 0; at < Math.min(message.length, mailLimits.blankTopBytes); at += 1) {
    const byte = message[at] ?? 0;
    if (byte === 0x0a) start = at + 1;
    else if (byte !== 0x0d && byte !== 0x20 && byte !== 0x09) break;
  }
  if (start === 0) return message;
  const first = Buffer.from(message.subarray(start, start + 100)).toString("latin1");
  return beginning.test(first) ? message.subarray(start) : message;
}

/** One header: its name in lower case, its folded lines joined. */
export type HeaderLine = readonly [name: string, value: string];

export function scanHeaders(message: Uint8Array): Headers {
  let charset: { name: string | undefined } | undefined;
  // Looked for once, and only if a line is not UTF-8.
  const once = (): string | undefined => (charset ??= { name: charsetOfHead(message) }).name;
  return grouped(headerLines(message, once));
}

/** Returns the set of the text, which programs use in the headers too, or the one that the message seems to be in. */
function charsetOfHead(message: Uint8Array): string | undefined {
  const lines = headerLines(message);
  const type = lines.find(([name]) => name === "content-type")?.[1] ?? "";
  const declared = structuredHeader(type).parameter("charset");
  return declared ?? undeclaredCharset(message);
}

export function grouped(lines: readonly HeaderLine[]): Headers {
  const headers = new Map<string, string[]>();
  for (const [name, value] of lines) {
    const values = headers.get(name);
    if (values === undefined) headers.set(name, [value]);
    else values.push(value);
  }
  return headers;
}

/**
 * Reads the headers at the top of a message without a parser and within bounds, also for messages that break the
 * parser. Bytes that are not UTF-8 are decoded as windows-1252.
 * @param charset returns the set of bytes that are not UTF-8
 */
export function headerLines(message: Uint8Array, charset?: () => string | undefined): HeaderLine[] {
  const bytes = withoutBlankTop(withLineFeeds(message.subarray(0, mailLimits.headerBytes)));
  const top = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const lines: HeaderLine[] = [];
  let name = "";
  let value = "";
  const finish = (): void => {
    if (name !== "") lines.push([name, value.trim()]);
  };
  let begun = 0;
  for (let start = 0; start < top.length;) {
    const lf = top.indexOf(0x0a, start);
    const next = lf === -1 ? top.length : lf + 1;
    const line = headerText(top.subarray(start, endOfLine(top, start, next)), charset);
    start = next;
    if (line === "") break;
    if (/^[ \t]/.test(line)) {
      // A header with very many folds is cut, because a person sees only its beginning.
      if (value.length < mailLimits.headerBytes / 4) value += line;
      continue;
    }
    begun += 1;
    if (begun > mailLimits.headers) break;
    finish();
    const colon = line.indexOf(":");
    name = colon > 0 ? line.slice(0, colon).trim().toLowerCase() : "";
    value = line.slice(colon + 1);
  }
  finish();
  return lines;
}

/** Returns the end of a line without its line end. A pattern would be slow on very many CRs. */
function endOfLine(bytes: Uint8Array, start: number, next: number): number {
  let end = next;
  while (end > start && (bytes[end - 1] === 0x0d || bytes[end - 1] === 0x0a)) end -= 1;
  return end;
}

export function envelopeOf(headers: Headers, receivedAt: Date): Envelope {
  return {
    subject: wordsOf(headers.get("subject")?.[0] ?? "", mailLimits.subjectCharacters),
    from: senderOf(headers),
    to: peopleOf(headers.get("to")),
    cc: peopleOf(headers.get("cc")),
    date: dateOf(headers.get("date")?.[0], receivedAt),
  };
}

function wordsOf(value: string, characters: number): string {
  return oneLine(decodedWords(value.slice(0, mailLimits.encodedCharacters)), characters);
}

function senderOf(headers: Headers): Sender {
  for (const name of ["from", "sender", "return-path"]) {
    const [person] = peopleOf(headers.get(name));
    if (person !== undefined) return { ...person, source: "header" };
  }
  return { address: "", source: "header" };
}

/** Returns the only author of a message, normalised. Undefined if it names several, as forged mail does. */
export function soleAuthor(headers: Headers): string | undefined {
  const [author, ...others] = authorsOf(headers);
  return headers.get("from")?.length === 1 && others.length === 0 ? author : undefined;
}

/** A mailbox with its address in brackets, or an address alone. */
const mailbox = /[^,;:<>]*<[^<>]*>?|[^\s,;:<>]+@[^\s,;:<>]+/g;
const plainAddress = /^[^\s@<>,;:"\\]+@[^\s@<>,;:"\\]+$/;

/**
 * Returns the addresses of all authors in every `From`, normalised. Empty if there are none, or if programs could read
 * the header in different ways, such as `<ann@a.example> <eve@b.example>`.
 */
export function authorsOf(headers: Headers): string[] {
  const values = headers.get("from") ?? [];
  const authors = values.flatMap((value) => {
    if (value.length > mailLimits.authorCharacters) return [undefined];
    const found = addressesIn(value).map(({ address = "" }) => address);
    const isClear = withoutQuotes(value).match(mailbox)?.length === found.length;
    return isClear && found.every((address) => plainAddress.test(address)) ? found : [undefined];
  });
  return authors.every((author) => author !== undefined) ? authors.map(comparableAddress) : [];
}

/** Removes quoted strings and comments, which nest (RFC 5322 3.2.2) and contain no addresses. */
function withoutQuotes(value: string): string {
  let depth = 0;
  let isQuoted = false;
  let kept = "";
  for (let at = 0; at < value.length; at += 1) {
    const character = value[at] ?? "";
    if (character === "\\") at += 1;
    else if (character === '"' && depth === 0) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === "(") depth += 1;
    else if (character === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += character;
  }
  return kept;
}

function peopleOf(values: readonly string[] | undefined): MailPerson[] {
  const people: MailPerson[] = [];
  let left: number = mailLimits.addressListCharacters;
  for (const value of values ?? []) {
    const list = value.slice(0, left);
    left -= list.length;
    for (const { name, address } of addressesIn(list)) {
      if (people.length >= mailLimits.recipients) return people;
      const person = personOf(name, address ?? "");
      if (person !== undefined) people.push(person);
    }
  }
  // If the parser finds no address, the text of the header is shown.
  const [first] = values ?? [];
  const person = people.length === 0 && first !== undefined ? personOf(first, "") : undefined;
  return person === undefined ? people : [person];
}

function personOf(rawName: string, rawAddress: string): MailPerson | undefined {
  let name = wordsOf(rawName, mailLimits.nameCharacters);
  let address = oneLine(rawAddress, mailLimits.addressCharacters);
  if (address === "") {
    // `Name <local>` without a domain, or a bare word, is a local address.
    const angled = /<\s*([^<>]*?)\s*>/.exec(name)?.[1];
    if (angled !== undefined && angled !== "") {
      address = angled;
      name = name.replace(/<[^<>]*>/g, "").trim();
    } else if (/^[^\s()<>,;"]+$/.test(name)) {
      address = name;
      name = "";
    }
  }
  if (address === "" && name === "") return undefined;
  return { ...(name !== "" && name !== address && { name }), address };
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/**
 * Time zones of RFC 5322 4.3, in hours east of UTC. Military letters are left out, because they were often used
 * wrongly.
 */
const zones: Readonly<Record<string, number>> = {
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  CET: 1,
  CEST: 2,
  MET: 1,
  MEST: 2,
  BST: 1,
  JST: 9,
  MEZ: 1,
  MESZ: 2,
  OEZ: 2,
  OESZ: 3,
  EET: 2,
  EEST: 3,
  WET: 0,
  WEST: 1,
  BRT: -3,
  HKT: 8,
  AEST: 10,
  AEDT: 11,
};

/** Parses an RFC 5322 date with its obsolete forms, or any other unambiguous one. A date without a zone is UTC. */
export function dateOf(header: string | undefined, receivedAt: Date): Date | undefined {
  if (header === undefined) return undefined;
  // The patterns are slow on very many blanks.
  const head = header.slice(0, mailLimits.dateCharacters);
  const time = rfcTime(head) ?? (/\d{4}-\d{2}-\d{2}T/.test(head) ? Date.parse(head) : NaN);
  const earliest = Date.UTC(1900, 0, 1);
  if (!Number.isFinite(time) || time < earliest || time > receivedAt.getTime() + maxFutureMs)
    return undefined;
  return new Date(time);
}

/** Returns the zone of a `Date` header, or an empty string. */
export function zoneOf(header: string | undefined): string {
  return /([+-]\d{4}|\b[A-Z]{3,4})\s*(?:\([^()]*\))?\s*$/.exec(header ?? "")?.[1] ?? "";
}

function rfcTime(header: string): number | undefined {
  const match =
    /(\d{1,2})[\s-]+([A-Za-z]{3})[A-Za-z]*\.?[\s-]+(\d{2,4})[\s,]+(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?(?:\.\d+)?\s*([+-]\s?\d{4}|[A-Za-z]{1,5})?/.exec(
      header.replace(/\([^()]*\)/g, " ").replace(/\s*:\s*/g, ":"),
    );
  const american =
    /([A-Za-z]{3})\s+(\d{1,2})\s+(\d{1,2}):(\d{2}):(\d{2})\s+(?:([A-Za-z]{3,4})\s+)?(\d{4})\s*([+-]\d{4})?/;
  if (match === null) {
    // The format of ctime, `Wed Jun 3 17:00:25 2009`, sometimes with a zone.
    const c = american.exec(header);
    if (c === null) return undefined;
    return timeOf(c[2], c[1], c[7], c[3], c[4], c[5], c[8] ?? c[6]);
  }
  return timeOf(match[1], match[2], match[3], match[4], match[5], match[6], match[7]);
}

function timeOf(
  day = "",
  month = "",
  year = "",
  hour = "",
  minute = "",
  second = "0",
  zone = "",
): number | undefined {
  const monthIndex = months.indexOf(month.toLowerCase());
  if (monthIndex === -1) return undefined;
  // RFC 5322 4.3: two digits up to 49 are in this century. Three digits count from 1900.
  const short = Number(year);
  const fullYear =
    year.length === 4 ? short : short < 50 && year.length === 2 ? 2000 + short : 1900 + short;
  const time = Date.UTC(
    fullYear,
    monthIndex,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  return time - offsetMinutes(zone) * 60_000;
}

/** Returns minutes east of UTC for `+0200` or `CEST`. 0 if the zone is unknown. */
export function offsetMinutes(zone: string): number {
  const numeric = /^([+-])\s?(\d{2})(\d{2})$/.exec(zone);
  if (numeric === null) return (zones[zone.toUpperCase()] ?? 0) * 60;
  const minutes = Number(numeric[2]) * 60 + Number(numeric[3]);
  return numeric[1] === "-" ? -minutes : minutes;
}
