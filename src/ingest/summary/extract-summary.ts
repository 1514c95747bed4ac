import { cut, withoutInvisible } from "../../core/shared/text/clean-text.ts";
import { type PartedForward, partForward } from "../text/forwarded.ts";
import { mailLimits } from "../pipeline/limits.ts";
import { historyMark } from "../text/quoted-history.ts";

/** The line that ends the new text. The quoted or forwarded mail follows. */
const historyStart =
  /^(?:-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|message d'origine|mensaje original)|on .{5,200}\bwrote:$|am .{5,200}\bschrieb .{0,100}:$|le .{5,200}\ba écrit\s?:$|el .{5,200}\bescribió:$|begin forwarded message:)/i;

/**
 * A line that is left out: a greeting, a header block, the frame of a newsletter, or a signature that a telephone adds.
 */
const filler =
  /^(?:\[\d+ invisible passages? w[^\]]*\]$|\[The style sheets of this page [^\]]*\]$|(?:hi|hello|dear|hey|hallo|guten (?:tag|morgen)|liebe[rs]?|sehr geehrte[rs]?|bonjour|cher|chère|hola|estimad[oa])\b.{0,60}[,!:]?$|(?:from|to|cc|date|sent|subject|reply-to|von|an|betreff|gesendet|de|à|objet|da|inviato|oggetto|van|aan|verzonden|onderwerp)\s?:.*|.*\b(?:view|read|open)\b.{0,30}\bin (?:your|a|the) browser.*|(?:sent from (?:my|outlook|yahoo|mail)|get outlook for|von meinem .{1,30} gesendet|gesendet von (?:meinem|outlook|mail)|envoyé de(?:puis)? mon|enviado desde mi|enviado do meu)\b.{0,40}|[^\p{L}\p{N}]*)$/iu;

/**
 * Returns the first sentences of the sender's own text, as one plain line of at most 280 characters. Quoted history,
 * signatures, greetings and links are left out if other text remains.
 */
export function extractSummary(text: string): string {
  // Enough text for 280 characters of prose, even after a long preamble.
  const lines = text
    .slice(0, 20_000)
    .split("\n")
    .map((line) => line.trim());
  const fresh = compact(newLines(lines));
  if (fresh.length >= 20) return shorten(fresh, mailLimits.summaryCharacters);
  const all = compact(
    lines.map((line) => line.replace(/^(?:>\s?)+/, "")).filter((line) => !filler.test(line)),
  );
  const found = all.length > fresh.length ? all : fresh;
  return shorten(found === "" ? compact(lines) : found, mailLimits.summaryCharacters);
}

/** Characters for the forwarder's note, if the forwarded message fills the rest. */
const noteCharacters = 90;
/** Nested forwards that are searched for the innermost message. */
const mostForwards = 5;

/** Returns the first sentences of a forwarded message, then the forwarder's note, as one plain line. */
export function extractForward(
  { note, message, subject }: PartedForward,
  most: number = mailLimits.summaryCharacters,
  forwardsLeft = mostForwards,
): string {
  const added = extractSummary(note);
  const inner = forwardsLeft > 0 ? partForward(message, subject) : undefined;
  const passedOn = (room: number): string =>
    inner === undefined
      ? shorten(extractSummary(message), room)
      : extractForward(inner, room, forwardsLeft - 1);
  if (added === "") return passedOn(most);
  const all = passedOn(most);
  if (all === "") return shorten(added, most);
  const left = most - all.length - " [Note: ]".length;
  const room = Math.max(left, Math.min(noteCharacters, Math.floor(most / 3)));
  const shownNote = ` [Note: ${shorten(added, room)}]`;
  return passedOn(most - shownNote.length) + shownNote;
}

function newLines(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (const [index, line] of lines.entries()) {
    // RFC 3676 4.3: the signature follows `-- `, whose blank many programs lose.
    if (line === "--" || line === historyMark || historyStart.test(line)) break;
    // The introduction of a quotation may be folded over two lines.
    if (/^(?:on|am|le|el) \S/i.test(line) && historyStart.test(`${line} ${lines[index + 1] ?? ""}`))
      break;
    if (line.startsWith(">") || filler.test(line)) continue;
    kept.push(line);
  }
  return kept;
}

function compact(lines: readonly string[]): string {
  return withoutInvisible(
    lines
      .join(" ")
      .replace(/[[<(]?\b(?:https?|mailto):[^\s\])>]+[\])>]?/gi, " ")
      .replace(/[-=_*~#|]{3,}/g, " ")
      .replace(/\s+/g, " ")
      .replace(/ (?=[.,;:!?](?:\s|$))/g, ""),
  ).trim();
}

/** Cuts a text to at most `most` characters: after a whole sentence if enough remains, or else after a word. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most);
  // A whole sentence is preferred if it is not much shorter than the limit.
  const end = Math.max(
    ...[". ", "! ", "? ", "。", "！", "？"].map((mark) => head.lastIndexOf(mark)),
  );
  if (end >= most * 0.6) return head.slice(0, end + 1).trim();
  const space = head.lastIndexOf(" ", most - 2);
  return space > most * 0.8 ? `${head.slice(0, space)}…` : cut(text, most);
}
