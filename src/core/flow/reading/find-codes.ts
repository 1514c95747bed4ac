import type { CodeKind } from "../content-marks.ts";
import { windowLength } from "../content-marks.ts";
import type { Hasher } from "../hasher.ts";
import type { Hit } from "../hit.ts";
import type { KnownCode, KnownContents } from "../known-contents.ts";
import type { GivenSource } from "../ledger.ts";
import { spanOf } from "./reading.ts";
import type { Trust, TrustedReading } from "./readings.ts";
import { type Token, isEveryday, shortestSolid, tokensOf } from "./tokens.ts";

/** A text without separators, with the fingerprints of its pairs. */
export interface Squeezed {
  text: string;
  pairs: readonly number[];
  /** The place of each character in the reading. */
  places: readonly number[];
  /** For each character, 1 if a word starts there. The last entry is for the end of the text. */
  starts: readonly number[];
}

// Arrays of numbers, because short typed arrays are slow to make.
export function squeeze(tokens: readonly Token[], hasher: Hasher): Squeezed {
  let text = "";
  const places: number[] = [];
  const starts: number[] = [];
  for (const token of tokens) {
    text += token.text;
    for (let place = token.start; place < token.end; place += 1) {
      starts.push(place === token.start ? 1 : 0);
      places.push(place);
    }
  }
  starts.push(1);
  return { text, pairs: pairsOf(text, hasher), places, starts };
}

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
  const digits = text.replace(/\D/g, "").length;
  return digits * digitBits + (text.length - digits) * letterBits;
}

/**
 * Returns how many bits a match must have to make a coincidence unlikely. The newest items are searched first, so one
 * of the last ten codes that the caller read needs fewer bits than one among thousands.
 */
export function bitsNeeded(choices: number, tries: number): number {
  return Math.log2(2 * choices) + Math.log2(Math.max(1, tries));
}

/** Additional bits that a match in a less likely reading must have. */
const doubt: Record<Trust, number> = { plain: 5, reversed: 2, guess: 6, scattered: 6, loose: 6 };

/** The last digits of a telephone number, which are the same with and without the country code. */
const nationalDigits = 8;
/** The part of an address or URL that must match. */
const placeShare = 0.75;
const shortestPlace = 8;

interface Same {
  code: KnownCode;
  /** The first character in the squeezed text, and how many are the same. */
  first: number;
  length: number;
  /** The first pair of the code, from its start. */
  at: number;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** Finds codes, addresses and texts without spaces in one reading. */
export function codesIn(
  reading: TrustedReading,
  squeezed: Squeezed,
  contents: KnownContents,
): Hit[] {
  const { text, pairs } = squeezed;
  const found: { same: Same; kind: CodeKind }[] = [];
  const seen = new Set<number>();
  // In these readings a match needs a digit. A match of letters alone would be an address, or text in a script without
  // spaces, and guesses find neither.
  const needsDigit = ["guess", "scattered", "loose"].includes(reading.trust);
  let lastDigit = -shortestSolid;
  for (let last = 0; last < Math.min(shortestSolid - 1, text.length); last += 1)
    if (isDigit(text.charCodeAt(last))) lastDigit = last;
  for (let first = 0; first + shortestSolid - 1 <= pairs.length; first += 1) {
    const last = first + shortestSolid - 1;
    if (isDigit(text.charCodeAt(last))) lastDigit = last;
    if (needsDigit && lastDigit < first) continue;
    contents.withSeed(pairs, first, (code, at) => {
      // An alignment is found again at each of its characters.
      const alignment = code.index * 4_096 + (first - at + 2_048);
      if (seen.has(alignment)) return;
      seen.add(alignment);
      const same = extended({ code, first, at, length: shortestSolid }, pairs, contents);
      if (isMatch(same, reading, squeezed, contents)) found.push({ same, kind: code.kind });
    });
  }
  return joinedHits(found, reading, squeezed, contents, text);
}

/** Extends a match over all neighbouring characters that are the same. */
function extended(
  { code, first, at, length }: Same,
  pairs: readonly number[],
  contents: KnownContents,
): Same {
  let [from, place, same] = [first, at, length];
  while (from > 0 && place > 0 && pairs[from - 1] === contents.pairAt(code.start + place - 1)) {
    from -= 1;
    place -= 1;
    same += 1;
  }
  while (
    from + same - 1 < pairs.length &&
    place + same - 1 < code.pairCount &&
    pairs[from + same - 1] === contents.pairAt(code.start + place + same - 1)
  )
    same += 1;
  return { code, first: from, at: place, length: same };
}

function isMatch(
  { code, first, length, at }: Same,
  reading: TrustedReading,
  { text, places, starts }: Squeezed,
  contents: KnownContents,
): boolean {
  const same = text.slice(first, first + length);
  const whole = code.pairCount + 1;
  if (code.kind === "text") return length >= windowLength;
  if (code.kind === "place")
    return (
      length >= shortestPlace &&
      length >= whole * placeShare &&
      reading.trust !== "scattered" &&
      reading.trust !== "loose"
    );
  if (!/\p{N}/u.test(same) && length < whole) return false;
  const start = places[first] ?? 0;
  const end = (places[first + length - 1] ?? 0) + 1;
  if (isEveryday(same) || isEveryday(reading.text.slice(start, end))) return false;
  const isWord = starts[first] === 1 && starts[first + length] === 1;
  const isPart =
    (at === 0 || contents.isSeparated(code.start + at - 1)) &&
    (at + length === whole || contents.isSeparated(code.start + at + length - 1));
  const isNational =
    at + length === whole &&
    length >= nationalDigits &&
    !/\D/.test(same) &&
    starts[first + length] === 1;
  if (reading.trust === "plain" && ((isWord && isPart) || isNational)) return true;
  const newer = contents.newerThan(code);
  const needed = bitsNeeded(
    length === whole ? newer.codes : newer.pairs,
    reading.trust === "scattered" || reading.trust === "loose" ? text.replace(/\D/g, "").length : 1,
  );
  return (
    bitsOf(same) >=
    needed +
      (isWord && reading.trust !== "loose"
        ? Math.min(2, doubt[reading.trust])
        : doubt[reading.trust])
  );
}

/** Joins the matches at each place of the text into one hit. */
function joinedHits(
  found: readonly { same: Same; kind: CodeKind }[],
  reading: TrustedReading,
  { places, starts }: Squeezed,
  contents: KnownContents,
  text: string,
): Hit[] {
  const byPlace = new Map<
    string,
    { first: number; length: number; kind: CodeKind; sources: GivenSource[] }
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
    const key = `${first} ${length}`;
    const known = byPlace.get(key);
    if (known === undefined) byPlace.set(key, { first, length, kind, sources: [source] });
    else if (!known.sources.some(({ id }) => id === source.id)) known.sources.push(source);
  }
  return [...byPlace.values()].map(({ first, length, kind, sources }) => {
    const same = text.slice(first, first + length);
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
    };
  });
}
