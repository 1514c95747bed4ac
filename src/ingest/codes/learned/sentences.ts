import { hasText } from "../candidates.ts";
import type { TextRange } from "../text-ranges.ts";

/** Longest examined part of the sentences beside a candidate. Characters. */
export const besideCharacters = 200;

const blank = /\s/;

/** Returns whether a sentence may end with a character. */
const isEnd = (code: number): boolean =>
  code === 0x2e ||
  code === 0x0a ||
  code === 0x21 ||
  code === 0x3f ||
  code === 0x3002 ||
  code === 0x0964 ||
  code === 0x061f ||
  code === 0x06d4 ||
  code === 0xff01 ||
  code === 0xff1f;

/** Abbreviations before a number, as in `ext. 4418`. */
const abbreviation =
  /(?<![a-z])(?:ext|tel|t[ée]l|tfno?|nr|no|num|n[úu]m|ref|r[ée]f|art|c[óo]d|int|durchw|inkl|ca|max|m[íi]n|seq|exp|vol|bzw|zzgl|akt|auth|conf|verif)$/i;
/** Characters of the longest abbreviation and one before it. */
const abbreviationCharacters = 8;

/** Returns whether the dot at a place ends an abbreviation, before a small letter or a number. */
function isAbbreviated(text: string, at: number): boolean {
  if (text[at + 1] !== " ") return false;
  const next = text[at + 2] ?? "";
  if (next >= "0" && next <= "9")
    return abbreviation.test(text.slice(Math.max(0, at - abbreviationCharacters), at));
  return next !== next.toUpperCase();
}

/** Returns whether a sentence ends at a place. The dot of an initial, as in `J. Smith`, ends none. */
function endsAt(text: string, at: number): boolean {
  const sign = text[at] ?? "";
  if (sign !== "." && sign !== "!" && sign !== "?") return true;
  if (at + 1 < text.length && !blank.test(text[at + 1] ?? "")) return false;
  if (sign === "." && isAbbreviated(text, at)) return false;
  const initial = text[at - 1] ?? "";
  return initial === initial.toLowerCase() || (at > 1 && hasText(text[at - 2] ?? ""));
}

/** Returns the part before a place that belongs to its sentence. */
export function sentenceBefore(text: string, place: number): TextRange {
  const least = Math.max(0, place - besideCharacters);
  let start = place;
  while (start > least && !(isEnd(text.charCodeAt(start - 1)) && endsAt(text, start - 1)))
    start -= 1;
  return { start, end: place };
}

/** Returns the part from a place on that belongs to its sentence. */
export function sentenceBehind(text: string, place: number): TextRange {
  const most = Math.min(text.length, place + besideCharacters);
  let end = place;
  while (end < most && !(isEnd(text.charCodeAt(end)) && endsAt(text, end))) end += 1;
  return { start: place, end };
}

/** Returns the last line before a place that has text. */
export function lineBefore(text: string, place: number, least: number): TextRange | undefined {
  for (let end = place; end > least;) {
    const start = Math.max(least, text.lastIndexOf("\n", end - 1) + 1);
    if (hasText(text.slice(start, end))) return { start, end };
    end = start - 1;
  }
  return undefined;
}

/** Returns the first line from a place on that has text. */
export function lineBehind(text: string, place: number): TextRange {
  const most = Math.min(text.length, place + besideCharacters);
  for (let start = place; start < most;) {
    const line = text.indexOf("\n", start);
    const end = line === -1 ? most : Math.min(line, most);
    if (hasText(text.slice(start, end))) return { start, end };
    start = end + 1;
  }
  return { start: most, end: most };
}
