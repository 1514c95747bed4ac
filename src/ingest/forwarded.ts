import type { Person } from "../ports/mail-reader.ts";
import { oneLine } from "../core/clean-text.ts";
import { forwardDate } from "./forward-date.ts";
import {
  announced,
  type ForwardField,
  headLine,
  isForwardSubject,
  isReplySubject,
  partedHead,
  withoutForwardPrefix,
} from "./forward-words.ts";
import { mailLimits } from "./limits.ts";

/** Who a message that was passed on says it is from. What whoever passed it on says, and no more than that. */
export interface Forwarded {
  from: Person;
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
 * Finds the outermost message that was passed on in a text, by the head that mail programs write above it. Where the first
 * head cannot be read there is none: one further down belongs to another message.
 */
export function forwardedIn(text: string, forwarder: Forwarder): Forwarded | undefined {
  // Answers quote forwards; what they quote was passed on by somebody else.
  if (isReplySubject(forwarder.subject)) return undefined;
  const isForward = isForwardSubject(forwarder.subject);
  const lines = text.slice(0, mailLimits.forwardCharacters).split("\n").map(unquoted);
  let tries = 0;
  for (const [index, line] of lines.entries()) {
    const announcement = announced(line.trim());
    if (announcement?.is === "forwarded" || (announcement !== undefined && isForward)) {
      // A head on one line ends with it: what follows is the message.
      const following = lines.slice(index + 1, index + mailLimits.forwardHeadLines);
      const { rest } = announcement;
      return found(headAt(rest === "" ? following : partedHead(rest)), forwarder);
    }
    // What was answered in this very message ends the search: below it nothing was passed on by its sender.
    if (announcement !== undefined) return undefined;
    // Outlook announces nothing, and GMX neither: only the subject tells an answer's head from that of a forward.
    if (tries >= mailLimits.forwardTries || !startsHead(line)) continue;
    tries += 1;
    const head = headAt(lines.slice(index, index + mailLimits.forwardHeadLines));
    if (isWhole(head)) return isForward ? found(head, forwarder) : undefined;
  }
  return undefined;
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

/** The lines up to the first empty one behind them; long values go on in lines of their own. */
export function headAt(lines: readonly string[]): Head {
  const head: Head = new Map();
  let last: ForwardField | undefined;
  let isParted = false;
  let before = "";
  for (const given of lines) {
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
  }
  return head.size === 0 ? sentenceHead(lines) : head;
}

/** Proton writes one sentence for a head: `On Monday, March 2nd, 2026 at 2:25 PM, Ann <ann@example.org> wrote:`. */
function sentenceHead(lines: readonly string[]): Head {
  const line = lines.find((one) => one.trim() !== "")?.trim() ?? "";
  const match =
    /^([^<]{1,200}\d[^<]{0,100}?)[,，]?\s([^,<\d]{1,100})<\s?([^\s<>]+@[^\s<>]+?)\s?>[^<>]{0,40}[:：]$/u.exec(
      line,
    );
  if (match === null) return new Map();
  const [, date = "", name = "", address = ""] = match;
  return new Map([
    ["date", date],
    ["from", `${name.trim()} <${address}>`],
  ]);
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
function personIn(given: string): Person | undefined {
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
