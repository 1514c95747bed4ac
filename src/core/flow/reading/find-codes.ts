import type { CodeKind } from "../content-marks.ts";
import { windowLength } from "../content-marks.ts";
import type { Hasher } from "../hasher.ts";
import type { Hit } from "../hit.ts";
import type { KnownCode, KnownContents } from "../known-contents.ts";
import { type GivenSource, inShort } from "../ledger.ts";
import type { Part } from "./new-part.ts";
import { type Reading, spanOf, textOfUnits } from "./reading.ts";
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

/** A text without separators. Most readings have no match, and need only its units and few pairs. */
interface Squeezed {
  length: number;
  units: Uint16Array;
  /** Returns the fingerprint of the pair of characters at a place. */
  pairAt: (at: number) => number;
  text: () => string;
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

/** The letters and digits of the text that is examined now. New arrays would need many collections. */
let unitsNow = new Uint16Array(1_024);

function squeeze(reading: Reading, hasher: Hasher): Squeezed {
  if (reading.text.length > unitsNow.length) unitsNow = new Uint16Array(reading.text.length * 2);
  const units = unitsNow;
  const length = squeezedUnits(reading.text, units);
  let text: string | undefined;
  let layout: Layout | undefined;
  let digits: number | undefined;
  const known = new Map<string, boolean>();
  return {
    length,
    units,
    pairAt: (at) => hasher.pair(units[at] ?? 0, units[at + 1] ?? 0),
    text: () => (text ??= textOfUnits(units, length)),
    layout: () => (layout ??= layoutOf(reading.tokens())),
    digits: () => (digits ??= digitsAmong(units, 0, length)),
    everyday: (part) => {
      const found = known.get(part) ?? isEveryday(part);
      known.set(part, found);
      return found;
    },
  };
}

function digitsAmong(units: Uint16Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (isDigit(units[at] ?? 0)) count += 1;
  return count;
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

/**
 * Finds codes, addresses and texts without spaces in a reading.
 * @param part the part that is searched, also for those that begin or end beside it. Undefined for the whole
 */
export function codesIn(
  reading: TrustedReading,
  part: Part | undefined,
  { contents, hasher }: { contents: KnownContents; hasher: Hasher },
): Hit[] {
  const hasDigit = needsDigit(reading);
  const squeezed = squeeze(reading, hasher);
  const { from, to } = windowsOf(part, reading, squeezed.length);
  const found: { same: Same; kind: CodeKind }[] = [];
  const seen = new Set<number>();
  const seed = new Int32Array(shortestSolid - 1);
  for (let first = from; first <= to; first += 1) {
    const skipped = hasDigit ? nextDigit(squeezed, first) - shortestSolid : -1;
    const unknown = skipped >= first ? skipped : lastUnknown(squeezed, first, contents);
    if (unknown >= first) {
      first = unknown;
      continue;
    }
    for (let at = 0; at < seed.length; at += 1) seed[at] = squeezed.pairAt(first + at);
    // The function below must not keep the variable of the loop, which would then be slow.
    const start = first;
    contents.withSeed(seed, (code, at) => {
      // An alignment is found again at each of its characters.
      const alignment = code.index * 4_096 + (start - at + 2_048);
      if (seen.has(alignment)) return;
      seen.add(alignment);
      const same = extended({ code, first: start, at, length: shortestSolid }, squeezed, contents);
      if (isMatch(same, reading, squeezed, contents)) found.push({ same, kind: code.kind });
    });
  }
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
  let [before, within] = [0, 0];
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

/** Returns the last place in a window whose pair no code has. A smaller number than `first` if there is none. */
function lastUnknown({ pairAt }: Squeezed, first: number, contents: KnownContents): number {
  for (let at = first + shortestSolid - 2; at >= first; at -= 1)
    if (!contents.hasPair(pairAt(at))) return at;
  return -1;
}

/** Returns the place of the next digit, or the end of the text. */
function nextDigit({ units, length }: Squeezed, first: number): number {
  let at = first;
  while (at < length && !isDigit(units[at] ?? 0)) at += 1;
  return at;
}

/** Extends a match over all neighbouring characters that are the same. */
function extended(
  { code, first, at, length }: Same,
  { length: textLength, pairAt }: Squeezed,
  contents: KnownContents,
): Same {
  let [from, place, same] = [first, at, length];
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
  if (code.kind === "text") return length >= windowLength;
  if (code.kind === "year") {
    const { starts } = layout();
    const isOwn = starts[first] === 1 && starts[first + length] === 1;
    return reading.trust === "plain" && length === whole && isOwn;
  }
  if (code.kind === "place")
    return (
      length >= shortestPlace &&
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
  if (everyday(same)) return false;
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
