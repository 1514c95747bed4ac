import { DigitLines, lineSigns } from "./digit-lines.ts";
import { hasSign, textSigns } from "./text-pass.ts";
import { placesAtHyphens, type TextRange } from "./text-ranges.ts";
import { withRanges } from "./letters.ts";

const digits = withRanges(
  String.raw`(?=\d)(?<![\p{L}\p{N}+_/@&=.,:$€£¥#-])(?:\d{4,10}|\d{3}[ \-·–]\d{3,4}|\d{3} [\-–] \d{3}|\d{2}[ -]\d{2}[ -]\d{2}|\d{4}[ -]\d{3,4}|\d{3}[ -]\d{3}[ -]\d{2,3}|\d(?:[ \t\u200b]{1,3}\d){3,7}|\d(?:[ \t]*(?:\n[ \t]*){1,2}\d){3,7}|\d(?:[ \t]?[|·•\-–](?:[ \t]{1,3}\|)?[ \t]?\d){3,7})(?![\p{L}\p{N}_@&=/])(?!\s?[:.,]\d)(?![ -]\d)`,
  "g",
);
/** Digits directly beside Chinese, Japanese or Korean text. */
const digitsInHan = withRanges(
  String.raw`(?=\d)(?<=[\p{Cjk}가-힣：:「『【」』）)[(（、，。]|[가-힣：:\]】.!?] |[\p{Cjk}],|^|\n)(?:\d{4,8}|\d{3}[ -]\d{3}|\d\d \d\d \d\d)(?=[\p{Cjk}가-힣」』】\]()（），,。、；;！!\s]|$)(?![ -]\d)`,
  "g",
);
/** Single digits with blanks in two groups, such as `2 9 0 – 7 7 4`. */
export const twoApart =
  /(?=\d \d)(?<![\w+(.,/|-] ?)\d(?: \d){1,3} ?[-–·|] ?\d(?: \d){1,3}(?! ?[\w/|-]|[.,:]\d)/g;
/** A code with a prefix, such as `G-482913`. */
const prefixed = withRanges(
  String.raw`(?=[A-Z]{1,4}-)(?<![\p{L}\p{N}_/.-])[A-Z]{1,4}-\d{4,8}(?![\p{L}\p{N}_-])`,
  "g",
);
const mixed =
  /(?<![A-Za-z0-9_/@.=&%+-])(?=[A-Za-z-]{0,24}\d)(?=[\d-]{0,24}[A-Za-z])[A-Za-z0-9]{2,12}(?:-[A-Za-z0-9]{2,8}){0,4}(?![A-Za-z0-9_@=&%-]|\.[a-z]|:\/\/)/g;
/** A look behind, which `beforeCapitals` replaces, would make the search four times slower. */
const capitals = /(?:[A-Z]{5,8}|[A-Z]{3,4}-[A-Z]{3,4}(?:-[A-Z]{3,4})?)(?![A-Za-z0-9_@-])/g;
const beforeCapitals = /[A-Za-z0-9_/@.&-]/;
const magicWords = withRanges(
  String.raw`(?<![\p{L}\p{N}_/@.-])[a-zà-ÿ]{3,12}(?:-[a-zà-ÿ]{3,12}){2,5}(?![\p{L}\p{N}_/@-])`,
  "y",
);

/** A long random value alone on a line. */
const opaque =
  /(?<![A-Za-z0-9/_+=.-])(?=[A-Za-z0-9/_+=.-]{18})(?<=^[ \t"'`*]{0,8})(?=[^\s]{0,100}\d)(?=[^\s]{0,100}[a-z])(?=[^\s]{0,100}[A-Z])[A-Za-z0-9/_+=.-]{18,200}(?=[ \t"'`*]{0,8}$)/gm;

type Kind = "number" | "mixed" | "word" | "token";

export interface Candidate extends TextRange {
  kind: Kind;
}

/** Limit on candidates in a text. A text with more numbers is not about a code, and each one costs time. */
const mostCandidates = 1_000;

/** Finds everything that has the form of a code, in the order of the text. */
export function candidatesIn(text: string, lines: DigitLines = new DigitLines(text)): Candidate[] {
  const all: (Candidate & { rank: number })[] = [];
  for (const [rank, [pattern, kind, sign]] of withDigit.entries())
    for (const { start, end } of lines.placesOf(pattern, sign))
      all.push({ start, end, kind, rank });
  const rank = withDigit.length;
  const hasHyphen = hasSign(text, textSigns.hyphen);
  if (hasHyphen || hasSign(text, textSigns.capitals))
    for (const { start, end } of capitalsIn(text)) all.push({ start, end, kind: "word", rank });
  if (hasHyphen)
    for (const { start, end } of placesAtHyphens(magicWords, text))
      all.push({ start, end, kind: "word", rank: rank + 1 });
  return all.length === 0 ? [] : firstOf(all);
}

/** Returns candidates in the order of the text, without those that overlap others. */
function firstOf(all: readonly (Candidate & { rank: number })[]): Candidate[] {
  const found: Candidate[] = [];
  let end = 0;
  for (const one of all.toSorted((a, b) => a.start - b.start || a.rank - b.rank)) {
    if (one.start < end) continue;
    if (found.length === mostCandidates) break;
    found.push({ start: one.start, end: one.end, kind: one.kind });
    end = one.end;
  }
  return found;
}

/**
 * Forms that need a digit, and the sign of the lines that may have one. At the same place they take precedence over those
 * without a digit.
 */
export const withDigit: readonly (readonly [RegExp, Kind, number])[] = [
  [opaque, "token", lineSigns.long],
  [prefixed, "number", lineSigns.prefix],
  [digits, "number", lineSigns.digit],
  [digitsInHan, "number", lineSigns.digit],
  [mixed, "mixed", lineSigns.mixed],
];

function capitalsIn(text: string): TextRange[] {
  const places: TextRange[] = [];
  capitals.lastIndex = 0;
  for (let match = capitals.exec(text); match !== null; match = capitals.exec(text)) {
    const { index: start } = match;
    if (beforeCapitals.test(text[start - 1] ?? "")) capitals.lastIndex = start + 1;
    else places.push({ start, end: capitals.lastIndex });
  }
  return places;
}

const letterOrDigit = withRanges(String.raw`[\p{L}\p{N}]`);

/** Returns whether a line has a letter or digit. */
export const hasText = (line: string): boolean => letterOrDigit.test(line);

/** Characters on each side of a code that are checked for letters and digits of its line. A frame is allowed. */
const aloneWithin = 80;

/** Returns whether a code is alone on its line. */
export function isAloneOnLine(text: string, { start, end }: TextRange): boolean {
  const above = text.slice(Math.max(0, start - aloneWithin), start);
  const before = above.slice(above.lastIndexOf("\n") + 1);
  const below = text.slice(end, end + aloneWithin);
  const line = below.indexOf("\n");
  const behind = line === -1 ? below : below.slice(0, line);
  return !hasText(before) && !hasText(behind);
}
