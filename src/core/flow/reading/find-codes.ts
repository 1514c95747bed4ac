import type { CodeKind } from "../content-marks.ts";
import type { Hasher } from "../hasher.ts";
import type { Hit } from "../hit.ts";
import type { KnownCode, KnownContents } from "../known-contents.ts";
import { type GivenSource, inShort } from "../ledger.ts";
import { searchAll, searchDigits } from "../codes/search-codes.ts";
import { type Squeezed, digitsAmong, squeeze } from "../codes/squeezed.ts";
import type { Part } from "./new-part.ts";
import { type Reading, backwards, spanOf } from "./reading.ts";
import type { Trust, TrustedReading } from "./readings.ts";
import { digitsIn, shortestLong, shortestSolid, tokensOf } from "./tokens.ts";

export function pairsOf(text: string, hasher: Hasher): number[] {
  const pairs: number[] = [];
  for (let at = 0; at + 1 < text.length; at += 1)
    pairs.push(hasher.pair(text.charCodeAt(at), text.charCodeAt(at + 1)));
  return pairs;
}

/** Information of a random character of a code, in bits. */
const digitBits = Math.log2(10);
export const letterBits = 4;

/** Returns the information of a text in bits, as if its characters were random. */
export function bitsOf(text: string): number {
  return bitsOfCharacters(text.length, digitsIn(text));
}

function bitsOfCharacters(length: number, digits: number): number {
  return digits * digitBits + (length - digits) * letterBits;
}

/**
 * Returns how many bits a match must have to make a coincidence unlikely. The newest items are searched first, so one
 * of the last ten codes that the caller read needs fewer bits than one among thousands.
 */
export function bitsNeeded(choices: number, tries: number): number {
  return Math.log2(2 * choices) + Math.log2(Math.max(1, tries));
}

/** Additional bits that a match in a less likely reading must have. */
const doubt: Record<Trust, number> = {
  plain: 5,
  reversed: 5,
  guess: 6,
  cipher: 11,
  scattered: 6,
  loose: 6,
};

/** The same for whole words. */
const doubtOfWords = 2;

/** The last digits of a telephone number, which are the same with and without the country code. */
const nationalDigits = 8;
/** The part of an address or URL that must match. */
const placeShare = 0.75;

interface Same {
  code: KnownCode;
  /** The first character in the squeezed text, and how many are the same. */
  first: number;
  length: number;
  /** The first pair of the code, from its start. */
  at: number;
}

/**
 * Finds codes, addresses and texts without spaces in a reading.
 * @param part the part that is searched, also for those that begin or end beside it. Undefined for the whole
 */
export function codesIn(
  reading: TrustedReading,
  part: Part | undefined,
  { contents, hasher }: { contents: KnownContents; hasher: Hasher },
): Hit[] {
  const squeezed = squeeze(reading, hasher);
  const { from, to } = windowsOf(part, reading, squeezed.length);
  const found: { same: Same; kind: CodeKind }[] = [];
  /** The end of each alignment that was found. It is found again at each of its characters. */
  let ends: Map<number, number> | undefined;
  const examine = (code: KnownCode, at: number, start: number): void => {
    const alignment = code.index * 4_096 + (start - at + 2_048);
    if (start < (ends?.get(alignment) ?? 0)) return;
    const same = extended({ code, first: start, at, length: shortestSolid }, squeezed, contents);
    ends ??= new Map();
    ends.set(alignment, same.first + same.length);
    // The match may be beside the part.
    if (same.first > to || same.first + same.length - shortestSolid < from) return;
    if (isMatch(same, reading, squeezed, contents)) found.push({ same, kind: code.kind });
  };
  const range = { from, to };
  if (needsDigit(reading)) searchDigits(squeezed, range, contents, examine);
  else searchAll(squeezed, range, contents, examine);
  return found.length === 0 ? [] : joinedHits(found, reading, squeezed, contents);
}

/**
 * Returns whether a match in a reading needs a digit. A match of letters alone would be an address, which guesses find
 * only with its sign, or text in a script without spaces, which they do not find.
 */
function needsDigit({ trust, text }: TrustedReading): boolean {
  if (trust === "guess" || trust === "cipher") return !text.includes("@");
  return trust !== "plain" && trust !== "reversed";
}

/** Returns the first and last place at which a shortest match in the part, or right beside it, can begin. */
function windowsOf(part: Part | undefined, reading: Reading, length: number) {
  if (part === undefined) return { from: 0, to: length - shortestSolid };
  const tokens = reading.tokens();
  let before = 0;
  let within = 0;
  for (let at = 0; at <= part.last; at += 1) {
    const own = tokens[at]?.text.length ?? 0;
    if (at < part.first) before += own;
    else within += own;
  }
  return {
    from: Math.max(0, before - shortestSolid),
    to: Math.min(length - shortestSolid, before + within),
  };
}

/** Extends a match over all neighbouring characters that are the same. */
function extended(
  { code, first, at, length }: Same,
  { length: textLength, pairAt }: Squeezed,
  contents: KnownContents,
): Same {
  // A list for all three would be made for each of hundreds of matches.
  let from = first;
  let place = at;
  let same = length;
  while (from > 0 && place > 0 && pairAt(from - 1) === contents.pairAt(code.start + place - 1)) {
    from -= 1;
    place -= 1;
    same += 1;
  }
  while (
    from + same < textLength &&
    place + same - 1 < code.pairCount &&
    pairAt(from + same - 1) === contents.pairAt(code.start + place + same - 1)
  )
    same += 1;
  return { code, first: from, at: place, length: same };
}

function isMatch(
  { code, first, length, at }: Same,
  reading: TrustedReading,
  { units, text, digits, layout, everyday }: Squeezed,
  contents: KnownContents,
): boolean {
  const whole = code.pairCount + 1;
  if (code.kind === "text") return length >= shortestLong;
  if (code.kind === "whole") return length === whole;
  if (code.kind === "year") {
    const { starts } = layout();
    const isOwn = starts[first] === 1 && starts[first + length] === 1;
    return reading.trust === "plain" && length === whole && isOwn;
  }
  if (code.kind === "place")
    return (
      length >= shortestLong &&
      length >= whole * placeShare &&
      reading.trust !== "scattered" &&
      reading.trust !== "loose"
    );
  const ownDigits = digitsAmong(units, first, first + length);
  const isPart =
    (at === 0 || contents.isSeparated(code.start + at - 1)) &&
    (at + length === whole || contents.isSeparated(code.start + at + length - 1));
  const isEnd = at + length === whole && length >= nationalDigits && ownDigits === length;
  const newer = contents.newerThan(code);
  const spare =
    bitsOfCharacters(length, ownDigits) -
    bitsNeeded(
      length === whole ? newer.codes : newer.pairs,
      reading.trust === "scattered" || reading.trust === "loose" ? digits() : 1,
    );
  const isPlain = reading.trust === "plain";
  // Most matches end here, without their text and the layout of the reading.
  if (spare < doubtOfWords && !(isPlain && (isPart || isEnd))) return false;
  const same = text().slice(first, first + length);
  if (!/\p{N}/u.test(same) && length < whole) return false;
  const isOrdinary = (part: string): boolean =>
    everyday(part) || (reading.trust === "reversed" && everyday(backwards(part)));
  if (isOrdinary(same)) return false;
  const { places, starts } = layout();
  const start = places[first] ?? 0;
  const end = (places[first + length - 1] ?? 0) + 1;
  if (isOrdinary(reading.text.slice(start, end))) return false;
  const endsWord = starts[first + length] === 1;
  const isWord = starts[first] === 1 && endsWord;
  if (isPlain && ((isWord && isPart) || (isEnd && endsWord))) return true;
  const proof = spare - digitBits * digitsOfYears(reading, start, end);
  return (
    proof >=
    (isWord && reading.trust !== "loose" && reading.trust !== "cipher"
      ? Math.min(doubtOfWords, doubt[reading.trust])
      : doubt[reading.trust])
  );
}

/** A year of our time, forwards and backwards. Most questions that have a number name such a year. */
const [year, yearBackwards] = [/^20[1-3]\d$/, /^\d[1-3]02$/];

/** Returns how many characters of this part belong to a year. They prove nothing. */
function digitsOfYears(reading: TrustedReading, start: number, end: number): number {
  const form = reading.trust === "reversed" ? yearBackwards : year;
  let digits = 0;
  for (const token of reading.tokens()) {
    if (token.start >= end) break;
    if (token.end > start && token.hasDigit && form.test(token.text))
      digits += Math.min(end, token.end) - Math.max(start, token.start);
  }
  return digits;
}

/**
 * Joins the matches of the same characters into one hit. Items that have different parts of one word get a hit each, so
 * that none of them counts as the source of the other part.
 */
function joinedHits(
  found: readonly { same: Same; kind: CodeKind }[],
  reading: TrustedReading,
  { text, layout }: Squeezed,
  contents: KnownContents,
): Hit[] {
  const { places, starts } = layout();
  const squeezedText = text();
  const byPlace = new Map<
    string,
    { first: number; length: number; isWhole: boolean; kind: CodeKind; sources: GivenSource[] }
  >();
  for (const { same, kind } of found) {
    const { code } = same;
    let [first, last] = [same.first, same.first + same.length];
    // Whole words are marked, so that a telephone number is marked with its first zero.
    if (reading.trust === "plain" && kind !== "text") {
      while (starts[first] === 0) first -= 1;
      while (starts[last] === 0) last += 1;
    }
    const length = last - first;
    const source = contents.sourceOf(code.content);
    if (source === undefined) continue;
    const key = `${first} ${length} ${same.first} ${same.length}`;
    const isWhole = length === same.length;
    const known = byPlace.get(key);
    if (known === undefined) byPlace.set(key, { first, length, isWhole, kind, sources: [source] });
    else if (!known.sources.some((each) => inShort(each) === inShort(source)))
      known.sources.push(source);
  }
  return [...byPlace.values()].map(({ first, length, isWhole, kind, sources }) => {
    const same = squeezedText.slice(first, first + length);
    const start = places[first] ?? 0;
    const end = (places[first + length - 1] ?? 0) + 1;
    const words = tokensOf(reading.text.slice(start, end)).filter((token) => token.text.length > 2);
    const terms = kind === "text" ? [same] : [same, ...words.map((token) => token.text)];
    return {
      kind: kind === "text" ? "run" : "code",
      text: same,
      terms: [...new Set(terms)],
      span: spanOf(reading, start, end),
      sources: sources.toSorted((a, b) => b.at.getTime() - a.at.getTime()),
      isWhole,
    };
  });
}
