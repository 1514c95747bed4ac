import { cut, withoutInvisible } from "../core/clean-text.ts";
import { mailLimits } from "./limits.ts";
import { historyMark } from "./quoted-history.ts";

/** Where the new text ends: what follows is the mail that was answered or passed on. */
const historyStart =
  /^(?:-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|message d'origine|mensaje original)|on .{5,200}\bwrote:$|am .{5,200}\bschrieb .{0,100}:$|le .{5,200}\ba écrit\s?:$|el .{5,200}\bescribió:$|begin forwarded message:)/i;

/** A line that belongs to a greeting, a header block or the frame of a newsletter. */
const filler =
  /^(?:\[\d+ invisible passages? w[^\]]*\]$|\[The style sheets of this page [^\]]*\]$|(?:hi|hello|dear|hey|hallo|guten (?:tag|morgen)|liebe[rs]?|sehr geehrte[rs]?|bonjour|cher|chère|hola|estimad[oa])\b.{0,60}[,!:]?$|(?:from|to|cc|date|sent|subject|reply-to|von|an|betreff|gesendet|de|à|objet)\s?:.*|.*\b(?:view|read|open)\b.{0,30}\bin (?:your|a|the) browser.*|[^\p{L}\p{N}]*)$/iu;

/**
 * The first sentences of what the sender wrote, as one plain line of at most 280 characters. Quoted history, signatures,
 * greetings and links are left out where something else is there.
 */
export function extractSummary(text: string): string {
  // Enough to find 280 characters of prose, whatever comes before them.
  const lines = text
    .slice(0, 20_000)
    .split("\n")
    .map((line) => line.trim());
  const fresh = compact(newLines(lines));
  if (fresh.length >= 20) return shorten(fresh, mailLimits.summaryCharacters);
  const all = compact(
    lines.map((line) => line.replace(/^(?:>\s?)+/, "")).filter((line) => !filler.test(line)),
  );
  return shorten(all.length > fresh.length ? all : fresh, mailLimits.summaryCharacters);
}

function newLines(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (const [index, line] of lines.entries()) {
    // RFC 3676 4.3: the signature starts behind `-- `, whose blank many programs lose.
    if (line === "--" || line === historyMark || historyStart.test(line)) break;
    // The line that introduces a quotation may be folded in two.
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

/** At most `most` characters: whole sentences where that leaves enough, else whole words. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most);
  // A whole sentence, where it is not much shorter than what would fit.
  const end = Math.max(
    ...[". ", "! ", "? ", "。", "！", "？"].map((mark) => head.lastIndexOf(mark)),
  );
  if (end >= most * 0.6) return head.slice(0, end + 1).trim();
  const space = head.lastIndexOf(" ", most - 2);
  return space > most * 0.8 ? `${head.slice(0, space)}…` : cut(text, most);
}
