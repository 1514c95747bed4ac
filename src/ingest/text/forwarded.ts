import type { MailPerson } from "../../ports/mail/mail-reader.ts";
import { oneLine } from "../../core/shared/clean-text.ts";
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
import { mailLimits } from "../pipeline/limits.ts";

/** Who a message that was passed on says it is from. What whoever passed it on says, and no more than that. */
export interface Forwarded {
  from: MailPerson;
  subject: string;
  /** Undefined where it cannot be read. */
  date: Date | undefined;
}

/** What the message around it says. */
export interface Forwarder {
  subject: string;
  /** `+0200`, `CEST`: the zone of its `Date`, in which programs write the dates of what they pass on. */
  zone: string;
  receivedAt: Date;
}

type Head = Map<ForwardField, string>;

/**
 * Finds the outermost message that was passed on in a text, by the head that mail programs write above it. Returns undefined if
 * the first head cannot be read: one further down belongs to another message.
 */
export function forwardedIn(text: string, forwarder: Forwarder): Forwarded | undefined {
  const { head } = headIn(linesOf(text), forwarder.subject) ?? {};
  return head && found(head, forwarder);
}

/** A forward in its parts. */
export interface PartedForward {
  /** What the forwarder wrote above it. */
  note: string;
  /** As mail programs wrote it. */
  head: string;
  /** What follows the head, without the marks of a quotation that its first line has. */
  message: string;
  /** Of the message. */
  subject: string;
}

/**
 * Parts a forwarder's note from the message that was passed on: the text's outermost forward, or the first message attached to
 * one. Returns undefined if the text passes nothing on.
 * @param subject of the message around it; `Fwd:` tells a head that nothing announces from that of an answer
 */
export function partForward(text: string, subject: string): PartedForward | undefined {
  const lines = linesOf(text);
  const place = headIn(lines, subject) ?? attachedIn(lines, subject);
  if (place === undefined) return undefined;
  const { start, end, head } = place;
  const given = text.split("\n");
  const message = given.slice(end);
  // Some programs mark the message as a quotation, some its head as well.
  const first = message.find((line) => unquoted(line).trim() !== "") ?? "";
  const depth = /^(?:\s*>)+/.exec(first)?.[0].match(/>/g)?.length ?? 0;
  const marks = Math.min(depth, mailLimits.quoteDepth);
  const ownMarks = new RegExp(`^(?:\\s*>){0,${marks}} ?`);
  return {
    note: given.slice(0, start).join("\n").trim(),
    head: lines.slice(start, end).join("\n").trim(),
    message: (marks === 0 ? message : message.map((line) => line.replace(ownMarks, "")))
      .join("\n")
      .trim(),
    subject: head.get("subject") ?? "",
  };
}

/** A forwarded message's head and the lines that it takes, the one that announces it included. */
interface HeadPlace {
  head: Head;
  start: number;
  end: number;
}

function linesOf(text: string): string[] {
  return text.slice(0, mailLimits.forwardCharacters).split("\n").map(unquoted);
}

function headIn(lines: readonly string[], subject: string): HeadPlace | undefined {
  // Answers quote forwards; what they quote was passed on by somebody else.
  if (isReplySubject(subject)) return undefined;
  const isForward = isForwardSubject(subject);
  let tries = 0;
  for (const [index, line] of lines.entries()) {
    const announcement = announced(line.trim());
    if (announcement?.is === "forwarded" || (announcement !== undefined && isForward)) {
      // A head on one line ends with it: what follows is the message.
      const { rest } = announcement;
      if (rest !== "")
        return { head: readHead(partedHead(rest)).head, start: index, end: index + 1 };
      return headBelow(lines, index);
    }
    // What was answered in this very message ends the search: below it nothing was passed on by its sender.
    if (announcement !== undefined) return undefined;
    // Outlook announces nothing, and GMX neither: only the subject tells an answer's head from that of a forward.
    if (tries >= mailLimits.forwardTries || !startsHead(line)) continue;
    tries += 1;
    const { head, length } = readHead(lines.slice(index, index + mailLimits.forwardHeadLines));
    if (isWhole(head)) return isForward ? { head, start: index, end: index + length } : undefined;
  }
  return undefined;
}

/** Under the line that announces it. */
function headBelow(lines: readonly string[], start: number): HeadPlace {
  const { head, length } = readHead(lines.slice(start + 1, start + mailLimits.forwardHeadLines));
  return { head, start, end: start + 1 + length };
}

function attachedIn(lines: readonly string[], subject: string): HeadPlace | undefined {
  if (!isForwardSubject(subject)) return undefined;
  const start = lines.indexOf(attachedMark);
  return start === -1 ? undefined : headBelow(lines, start);
}

/** Outlook's head begins with who, that of GMX with when. */
function startsHead(line: string): boolean {
  const field = headLine(line.trim())?.field;
  return field === "from" || field === "date";
}

/** Who, when, and to whom or what about: nobody writes that by chance. */
function isWhole(head: Head): boolean {
  return head.has("from") && head.has("date") && (head.has("subject") || head.has("to"));
}

/** Without the marks of a quotation. Blanks before it stay: they tell a line that goes on. */
function unquoted(line: string): string {
  return line.replace(/^(?:\s*>)+ ?/, "").trimEnd();
}

/** Lines so long were folded by a program. */
const foldedCharacters = 55;

/** Returns the fields of the head that the lines begin with. */
export function headAt(lines: readonly string[]): Head {
  return readHead(lines).head;
}

/** Reads the lines up to the first empty one behind them; long values go on in lines of their own. */
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
    // What stands above some heads stands below them too.
    if (head.size > 0 && /^[-_=–—]{5}/.test(line)) break;
    const labelled = headLine(line);
    const isFolded = /^(?: {2}|\t)/.test(given) || before.length >= foldedCharacters;
    if (labelled !== undefined && (!head.has(labelled.field) || labelled.field === "other")) {
      head.set(labelled.field, labelled.value);
      last = labelled.field;
    } else if (isParted || last === undefined || (last === "subject" && !isFolded)) {
      // A head may have empty lines between its own, and before it.
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

/** Proton writes one sentence for a head: `On Monday, March 2nd, 2026 at 2:25 PM, Ann <ann@example.org> wrote:`. */
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

/** `Ann <ann@example.org>`, `Ann [mailto:ann@example.org]`, `ann@example.org`, or a name alone, as within a company. */
function personIn(given: string): MailPerson | undefined {
  const value = given.slice(0, mailLimits.encodedCharacters);
  // The service that sent it in Ann's name is not who wrote it.
  const author =
    /\b(?:on behalf of|im auftrag von|de la part de|en nombre de|em nome de)\s+(.+)$/iu.exec(
      value,
    )?.[1];
  const text = author ?? value;
  const match = addressPattern.exec(text);
  const address = oneLine(match?.[0] ?? "", mailLimits.addressCharacters);
  const name = oneLine(
    (match === null ? text : text.slice(0, match.index))
      // Exchange's own addresses are none.
      .replace(/<\/o=[^<>]*>?/i, "")
      .replace(/[[<(]\s*(?:mailto:)?\s*$/i, "")
      .replace(/^[\s*]+|[\s*]+$/g, "")
      .replace(/^["'“„«]+(.*?)["'”“»]+$/u, "$1"),
    mailLimits.nameCharacters,
  );
  if (address === "" && !/\p{L}/u.test(name)) return undefined;
  return { ...(name !== "" && name !== address && { name }), address };
}
