import type { CodeKind } from "../content-marks.ts";
import { windowLength } from "../content-marks.ts";
import type { Hasher } from "../hasher.ts";
import type { Hit } from "../hit.ts";
import type { KnownCode, KnownContents } from "../known-contents.ts";
import type { GivenSource } from "../ledger.ts";
import type { Part } from "./new-part.ts";
import { spanOf } from "./reading.ts";
import type { Trust, TrustedReading } from "./readings.ts";
import {
  type Token,
  digitsIn,
  isDigit,
  isEveryday,
  shortestSolid,
  squeezedUnits,
  tokensOf,
} from "./tokens.ts";

/** A text without separators, with the fingerprints of its pairs. */
interface Squeezed {
  text: string;
  pairs: Int32Array;
  layout: () => Layout;
  /** Returns the number of digits in the text. */
  digits: () => number;
  /** Returns whether a part of the text is an ordinary number. Many codes match at the same part. */
  everyday: (text: string) => boolean;
}

interface Layout {
  /** The place of each character in the reading. */
  places: readonly number[];
  /** For each character, 1 if a word starts there. The last entry is for the end of the text. */
  starts: readonly number[];
}

/** Pairs of the text that is compared now. One comparison takes no turns, and new arrays would need many collections. */
let pairsNow = new Int32Array(1_024);

function squeeze(tokens: readonly Token[], hasher: Hasher): Squeezed {
  let text = "";
  for (const token of tokens) text += token.text;
  if (text.length > pairsNow.length) pairsNow = new Int32Array(text.length * 2);
  for (let at = 0; at + 1 < text.length; at += 1)
    pairsNow[at] = hasher.pair(text.charCodeAt(at), text.charCodeAt(at + 1));
  let layout: Layout | undefined;
  let digits: number | undefined;
  const known = new Map<string, boolean>();
  return {
    text,
    pairs: pairsNow,
    layout: () => (layout ??= layoutOf(tokens)),
    digits: () => (digits ??= digitsIn(text)),
    everyday: (part) => {
      const found = known.get(part) ?? isEveryday(part);
      known.set(part, found);
      return found;
    },
  };
}

/** Computes the layout, which only a match needs. */
function layoutOf(tokens: readonly Token[]): Layout {
  const places: number[] = [];
  const starts: number[] = [];
  for (const token of tokens)
    for (let place = token.start; place < token.end; place += 1) {
      starts.push(place === token.start ? 1 : 0);
      places.push(place);
    }
  starts.push(1);
  return { places, starts };
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
  const digits = digitsIn(text);
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
const doubt: Record<Trust, number> = {
  plain: 5,
  reversed: 2,
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
const shortestPlace = 8;

interface Same {
  code: KnownCode;
  /** The first character in the squeezed text, and how many are the same. */
  first: number;
  length: number;
  /** The first pair of the code, from its start. */
  at: number;
}

/** Finds codes, addresses and texts without spaces in a part of a reading, also if they begin or end beside it. */
export function codesIn(
  reading: TrustedReading,
  part: Part,
  { contents, hasher }: { contents: KnownContents; hasher: Hasher },
): Hit[] {
  const hasDigit = needsDigit(reading);
  if (hasDigit && !mayHaveCode(reading, { contents, hasher })) return [];
  const tokens = reading.tokens();
  const squeezed = squeeze(tokens, hasher);
  const { text, pairs } = squeezed;
  const { from, to } = windowsOf(part, tokens, text.length);
  const found: { same: Same; kind: CodeKind }[] = [];
  const seen = new Set<number>();
  for (let first = from; first <= to; first += 1) {
    const unknown = lastUnknown(pairs, first, contents);
    if (unknown >= first) {
      first = unknown;
      continue;
    }
    if (hasDigit && !hasDigitAt(text, first)) continue;
    contents.withSeed(pairs, first, (code, at) => {
      // An alignment is found again at each of its characters.
      const alignment = code.index * 4_096 + (first - at + 2_048);
      if (seen.has(alignment)) return;
      seen.add(alignment);
      const same = extended({ code, first, at, length: shortestSolid }, squeezed, contents);
      if (isMatch(same, reading, squeezed, contents)) found.push({ same, kind: code.kind });
    });
  }
  return found.length === 0 ? [] : joinedHits(found, reading, squeezed, contents);
}

/**
 * Returns whether a match in a reading needs a digit. A match of letters alone would be an address, or text in a script
 * without spaces, and guesses find neither.
 */
export function needsDigit({ trust }: TrustedReading): boolean {
  return trust !== "plain" && trust !== "reversed";
}

/** The letters and digits of the text that is examined now. */
let unitsNow = new Uint16Array(1_024);

/**
 * Returns false if no window around a digit has known pairs only. Most texts have few digits, so this needs fewer pairs
 * than all windows do, and no tokens.
 */
export function mayHaveCode(
  { text }: TrustedReading,
  { contents, hasher }: { contents: KnownContents; hasher: Hasher },
): boolean {
  if (text.length > unitsNow.length) unitsNow = new Uint16Array(text.length * 2);
  const units = unitsNow;
  const length = squeezedUnits(text, units);
  let known = 0;
  let next = 0;
  for (let digit = 0; digit < length; digit += 1) {
    if (!isDigit(units[digit] ?? 0)) continue;
    const first = Math.max(0, digit - shortestSolid + 1);
    if (first > next) [next, known] = [first, 0];
    for (; next < Math.min(length - 1, digit + shortestSolid - 1); next += 1) {
      const pair = hasher.pair(units[next] ?? 0, units[next + 1] ?? 0);
      known = contents.hasPair(pair) ? known + 1 : 0;
      if (known >= shortestSolid - 1) return true;
    }
  }
  return false;
}

/** Returns the first and last place at which a shortest match in the part, or right beside it, can begin. */
function windowsOf({ first, last }: Part, tokens: readonly Token[], length: number) {
  let [before, within] = [0, 0];
  for (let at = 0; at <= last; at += 1) {
    const own = tokens[at]?.text.length ?? 0;
    if (at < first) before += own;
    else within += own;
  }
  return {
    from: Math.max(0, before - shortestSolid),
    to: Math.min(length - shortestSolid, before + within),
  };
}

/** Returns the last place in a window whose pair no code has. A smaller number than `first` if there is none. */
function lastUnknown(pairs: Int32Array, first: number, contents: KnownContents): number {
  for (let at = first + shortestSolid - 2; at >= first; at -= 1)
    if (!contents.hasPair(pairs[at] ?? 0)) return at;
  return -1;
}

function hasDigitAt(text: string, first: number): boolean {
  for (let at = first; at < first + shortestSolid; at += 1)
    if (isDigit(text.charCodeAt(at))) return true;
  return false;
}

/** Extends a match over all neighbouring characters that are the same. */
function extended(
  { code, first, at, length }: Same,
  { text, pairs }: Squeezed,
  contents: KnownContents,
): Same {
  let [from, place, same] = [first, at, length];
  while (from > 0 && place > 0 && pairs[from - 1] === contents.pairAt(code.start + place - 1)) {
    from -= 1;
    place -= 1;
    same += 1;
  }
  while (
    from + same < text.length &&
    place + same - 1 < code.pairCount &&
    pairs[from + same - 1] === contents.pairAt(code.start + place + same - 1)
  )
    same += 1;
  return { code, first: from, at: place, length: same };
}

function isMatch(
  { code, first, length, at }: Same,
  reading: TrustedReading,
  { text, digits, layout, everyday }: Squeezed,
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
  if (everyday(same)) return false;
  const isPart =
    (at === 0 || contents.isSeparated(code.start + at - 1)) &&
    (at + length === whole || contents.isSeparated(code.start + at + length - 1));
  const isEnd = at + length === whole && length >= nationalDigits && !/\D/.test(same);
  const newer = contents.newerThan(code);
  const spare =
    bitsOf(same) -
    bitsNeeded(
      length === whole ? newer.codes : newer.pairs,
      reading.trust === "scattered" || reading.trust === "loose" ? digits() : 1,
    );
  const isPlain = reading.trust === "plain";
  // Most matches end here, without the layout of the text.
  if (spare < doubtOfWords && !(isPlain && (isPart || isEnd))) return false;
  const { places, starts } = layout();
  const start = places[first] ?? 0;
  const end = (places[first + length - 1] ?? 0) + 1;
  if (everyday(reading.text.slice(start, end))) return false;
  const endsWord = starts[first + length] === 1;
  const isWord = starts[first] === 1 && endsWord;
  if (isPlain && ((isWord && isPart) || (isEnd && endsWord))) return true;
  return (
    spare >=
    (isWord && reading.trust !== "loose" && reading.trust !== "cipher"
      ? Math.min(doubtOfWords, doubt[reading.trust])
      : doubt[reading.trust])
  );
}

/** Joins the matches at each place of the text into one hit. */
function joinedHits(
  found: readonly { same: Same; kind: CodeKind }[],
  reading: TrustedReading,
  { text, layout }: Squeezed,
  contents: KnownContents,
): Hit[] {
  const { places, starts } = layout();
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
