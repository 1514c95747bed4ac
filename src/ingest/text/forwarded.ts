import type { MailPerson } from "../../ports/mail/mail-reader.ts";
import { oneLine } from "../../core/shared/text/clean-text.ts";
import { forwardDate } from "./forward-date.ts";
import {
  announced,
  attachedMark,
  type ForwardField,
  headLine,
  isForwardSubject,
  isReplySubject,
  partedHead,
  withoutForwardPrefix,
} from "./forward-words.ts";
import type { Envelope } from "../mime/headers.ts";
import { mailLimits } from "../pipeline/limits.ts";

/** The sender, subject and date of a forwarded message, from the forwarder's text. They are not verified. */
export interface Forwarded {
  from: MailPerson;
  subject: string;
  /** Undefined if the date cannot be parsed. */
  date: Date | undefined;
}

/** The message that forwards another one. */
export interface Forwarder {
  subject: string;
  /** The zone of its `Date`, as `+0200` or `CEST`. Programs write the dates of forwarded messages in this zone. */
  zone: string;
  receivedAt: Date;
}

type Head = Map<ForwardField, string>;

/**
 * Finds the outermost forwarded message in a text by the head above it. Returns undefined if the first head cannot be
 * parsed, because a later head belongs to another message.
 */
export function forwardedIn(text: string, forwarder: Forwarder): Forwarded | undefined {
  const { head } = headIn(linesOf(text), forwarder.subject) ?? {};
  return head && found(head, forwarder);
}

/**
 * Returns whether a message with another subject forwards a message below a head without an announcing line. A reply
 * has such a head too, but is sent to the sender in the head.
 */
export function isRenamedForward(
  text: string,
  { subject, from, to, cc }: Envelope,
  receivedAt: Date,
): boolean {
  // `Odp:` and others are reply prefixes in languages that are not supported.
  if (/^\S{1,12}\s?[:：]/u.test(subject)) return false;
  const author = forwardedIn(text, { subject: `Fwd: ${subject}`, zone: "+0000", receivedAt })?.from;
  const named = (person: MailPerson): string[] =>
    [person.address, person.name ?? ""].filter((one) => one !== "").map((one) => one.toLowerCase());
  const known = new Set([from, ...to, ...cc].flatMap(named));
  return author !== undefined && !named(author).some((one) => known.has(one));
}

/** The parts of a forward. */
export interface PartedForward {
  /** The forwarder's text above the head, and also below a quoted forward. */
  note: string;
  /** The head as mail programs wrote it. */
  head: string;
  /** The text after the head, without the quotation marks of its first line. */
  message: string;
  /** The subject of the forwarded message. */
  subject: string;
}

/**
 * Splits a forwarder's note from the forwarded message: the text's outermost forward, or the first message attached to
 * one. Returns undefined if the text forwards nothing.
 * @param subject of the message around it. `Fwd:` distinguishes a head without announcement from that of a reply.
 */
export function partForward(text: string, subject: string): PartedForward | undefined {
  const lines = linesOf(text);
  const place = headIn(lines, subject) ?? attachedIn(lines, subject);
  if (place === undefined) return undefined;
  const { start, end, head } = place;
  const given = text.split("\n");
  const after = given.slice(end);
  // Only text without quotation marks below a quoted forward is the forwarder's.
  const below = given.slice(start, end).some((line) => line.startsWith(">")) ? notQuoted(after) : 0;
  const message = after.slice(0, after.length - below);
  // Some programs quote the message, and some also its head.
  const first = message.find((line) => unquoted(line).trim() !== "") ?? "";
  const depth = /^(?:\s*>)+/.exec(first)?.[0].match(/>/g)?.length ?? 0;
  const marks = Math.min(depth, mailLimits.quoteDepth);
  const ownMarks = new RegExp(`^(?:\\s*>){0,${marks}} ?`);
  return {
    note: [...given.slice(0, start), ...after.slice(message.length)].join("\n").trim(),
    head: lines.slice(start, end).join("\n").trim(),
    message: (marks === 0 ? message : message.map((line) => line.replace(ownMarks, "")))
      .join("\n")
      .trim(),
    subject: head.get("subject") ?? "",
  };
}

/** Counts the lines after the last quotation. Up to a blank line, they are the rest of a line that was folded. */
function notQuoted(lines: readonly string[]): number {
  const last = lines.findLastIndex((line) => line.startsWith(">"));
  const below = lines.slice(last + 1);
  const blank = below.findIndex((line) => line.trim() === "");
  return last === -1 || blank === -1 ? 0 : below.length - blank;
}

/** A forwarded message's head and its lines, including the announcing one. */
interface HeadPlace {
  head: Head;
  start: number;
  end: number;
}

function linesOf(text: string): string[] {
  return text.slice(0, mailLimits.forwardCharacters).split("\n").map(unquoted);
}

function headIn(lines: readonly string[], subject: string): HeadPlace | undefined {
  // Replies quote forwards. The quoted text was forwarded by another person.
  if (isReplySubject(subject)) return undefined;
  const isForward = isForwardSubject(subject);
  let tries = 0;
  for (const [index, line] of lines.entries()) {
    const announcement = announced(line.trim());
    if (announcement?.kind === "forwarded" || (announcement !== undefined && isForward)) {
      // A head on one line ends with that line.
      const { rest } = announcement;
      if (rest !== "")
        return { head: readHead(partedHead(rest)).head, start: index, end: index + 1 };
      return headBelow(lines, index);
    }
    // A quoted message that this one replies to ends the search. Its sender forwarded nothing below.
    if (announcement !== undefined) return undefined;
    // Outlook and GMX write no announcing line, so only the subject distinguishes replies from forwards.
    if (tries >= mailLimits.forwardTries || !startsHead(line)) continue;
    tries += 1;
    const { head, length } = readHead(lines.slice(index, index + mailLimits.forwardHeadLines));
    if (isWhole(head)) return isForward ? { head, start: index, end: index + length } : undefined;
  }
  return undefined;
}

/** Reads the head below the line that announces it. Yahoo writes it on one line. */
function headBelow(lines: readonly string[], start: number): HeadPlace {
  const first = lines.findIndex((line, index) => index > start && line.trim() !== "");
  const parts = partedHead(lines[first]?.trim() ?? "");
  if (parts.length > 2) return { head: readHead(parts).head, start, end: first + 1 };
  const { head, length } = readHead(lines.slice(start + 1, start + mailLimits.forwardHeadLines));
  return { head, start, end: start + 1 + length };
}

function attachedIn(lines: readonly string[], subject: string): HeadPlace | undefined {
  if (!isForwardSubject(subject)) return undefined;
  const start = lines.indexOf(attachedMark);
  return start === -1 ? undefined : headBelow(lines, start);
}

/**
 * Returns whether a head can start with this line. Outlook's head begins with the sender, and that of GMX with the
 * date.
 */
function startsHead(line: string): boolean {
  const field = headLine(line.trim())?.field;
  return field === "from" || field === "date";
}

/** Returns whether a head has sender, date, and recipient or subject. Ordinary text does not have all three. */
function isWhole(head: Head): boolean {
  return head.has("from") && head.has("date") && (head.has("subject") || head.has("to"));
}

/** Removes quotation marks. Blanks before the text are kept, because they mark a continued line. */
function unquoted(line: string): string {
  return line.replace(/^(?:\s*>)+ ?/, "").trimEnd();
}

/** A line of at least this length may have been folded by a program. Characters. */
const foldedCharacters = 55;

/** Returns the fields of the head at the start of the lines. */
export function headAt(lines: readonly string[]): Head {
  return readHead(lines).head;
}

/** Reads the head up to the first empty line after it. Long values continue on further lines. */
function readHead(lines: readonly string[]): { head: Head; length: number } {
  const head: Head = new Map();
  let last: ForwardField | undefined;
  let isParted = false;
  let before = "";
  let length = 0;
  for (const [index, given] of lines.entries()) {
    const line = given.trim();
    if (line === "") {
      isParted = true;
      continue;
    }
    // The separator above some heads is repeated below them.
    if (head.size > 0 && /^[-_=–—]{5}/.test(line)) break;
    const labelled = headLine(line);
    const isFolded = /^(?: {2}|\t)/.test(given) || before.length >= foldedCharacters;
    if (labelled !== undefined && (!head.has(labelled.field) || labelled.field === "other")) {
      head.set(labelled.field, labelled.value);
      last = labelled.field;
    } else if (isParted || last === undefined || (last === "subject" && !isFolded)) {
      // A head may have empty lines before it and between its own lines.
      break;
    } else {
      head.set(last, `${head.get(last) ?? ""} ${line}`.trim());
    }
    isParted = false;
    before = line;
    length = index + 1;
  }
  return head.size === 0 ? sentenceHead(lines) : { head, length };
}

/**
 * Parses Proton's head, which is one sentence: `On Monday, March 2nd, 2026 at 2:25 PM, Ann <ann@example.org> wrote:`.
 */
function sentenceHead(lines: readonly string[]): { head: Head; length: number } {
  const at = lines.findIndex((one) => one.trim() !== "");
  const line = lines[at]?.trim() ?? "";
  const match =
    /^([^<]{1,200}\d[^<]{0,100}?)[,，]?\s([^,<\d]{1,100})<\s?([^\s<>]+@[^\s<>]+?)\s?>[^<>]{0,40}[:：]$/u.exec(
      line,
    );
  if (match === null) return { head: new Map(), length: 0 };
  const [, date = "", name = "", address = ""] = match;
  const head: Head = new Map([
    ["date", date],
    ["from", `${name.trim()} <${address}>`],
  ]);
  return { head, length: at + 1 };
}

function found(head: Head, forwarder: Forwarder): Forwarded | undefined {
  const from = personIn(head.get("from") ?? "");
  const subject = head.get("subject");
  const date = head.get("date");
  if (from === undefined || (subject === undefined && date === undefined)) return undefined;
  return {
    from,
    subject: oneLine(
      subject ?? withoutForwardPrefix(forwarder.subject),
      mailLimits.subjectCharacters,
    ),
    date: date === undefined ? undefined : forwardDate(date, forwarder.zone, forwarder.receivedAt),
  };
}

const addressPattern = /[^\s<>()[\]",;:“”«»]+@[^\s<>()[\]",;:“”«»]+/u;

/**
 * Parses `Ann <ann@example.org>`, `Ann [mailto:ann@example.org]`, `ann@example.org`, or a name alone, as within a
 * company.
 */
function personIn(given: string): MailPerson | undefined {
  const value = given.slice(0, mailLimits.encodedCharacters);
  // The author of `service on behalf of Ann` is Ann.
  const author =
    /\b(?:on behalf of|im auftrag von|de la part de|en nombre de|em nome de)\s+(.+)$/iu.exec(
      value,
    )?.[1];
  const text = author ?? value;
  const match = addressPattern.exec(text);
  const address = oneLine(match?.[0] ?? "", mailLimits.addressCharacters);
  const name = oneLine(
    (match === null ? text : text.slice(0, match.index))
      // Exchange's internal addresses are not mail addresses.
      .replace(/<\/o=[^<>]*>?/i, "")
      .replace(/[[<(]\s*(?:mailto:)?\s*$/i, "")
      .replace(/^[\s*]+|[\s*]+$/g, "")
      .replace(/^["'“„«]+(.*?)["'”“»]+$/u, "$1"),
    mailLimits.nameCharacters,
  );
  if (address === "" && !/\p{L}/u.test(name)) return undefined;
  return { ...(name !== "" && name !== address && { name }), address };
}
