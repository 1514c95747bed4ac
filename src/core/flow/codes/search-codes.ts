import type { KnownCode, KnownContents } from "../known-contents.ts";
import { longPairs, longSeedHash, seedHash, seedPairs } from "../mark-hashes.ts";
import { isDigit, mayBeDigit, shortestSolid } from "../reading/tokens.ts";
import type { Squeezed } from "./squeezed.ts";

/** The first and last place at which a shortest match may begin. */
interface Range {
  from: number;
  to: number;
}

/** Examines a code that has the characters of the text at `start` at one of its places. */
type Examine = (code: KnownCode, at: number, start: number) => void;

/** The pairs of the window that is looked up now. */
const seed = new Int32Array(seedPairs);
const long = new Int32Array(longPairs);
/** The hashes of the last windows. */
const seeds = new Int32Array(longPairs + 1);

function fill(pairs: Int32Array, { pairAt }: Squeezed, first: number): Int32Array {
  for (let at = 0; at < pairs.length; at += 1) pairs[at] = pairAt(first + at);
  return pairs;
}

/** Searches matches that have a digit in a window. */
export function searchDigits(
  squeezed: Squeezed,
  { from, to }: Range,
  contents: KnownContents,
  examine: Examine,
): void {
  for (let first = from; first <= to; first += 1) {
    const skipped = nextDigit(squeezed, first) - shortestSolid;
    const unknown = skipped >= first ? skipped : lastUnknown(squeezed, first, contents);
    if (unknown >= first) {
      first = unknown;
      continue;
    }
    const hash = seedHash(fill(seed, squeezed, first), 0);
    if (contents.mayHaveSeed(hash)) contents.withSeed("all", hash, seed, first, examine);
  }
}

/**
 * Searches all matches. A match without digits is the whole of a code, or a long part of an address or of a text
 * without spaces.
 */
export function searchAll(
  squeezed: Squeezed,
  range: Range,
  contents: KnownContents,
  examine: Examine,
): void {
  const { from, to } = wholeMatches(squeezed, range, contents);
  if (to < from) return;
  const pairs = squeezed.pairsIn(from, to + seedPairs);
  /** The number of windows before this one that are in some code, without a gap. */
  let count = 0;
  /** The number of pairs before this one that some code has, without a gap. */
  let known = 0;
  for (let last = from; last < to + seedPairs; last += 1) {
    if (!contents.hasPair(pairs[last] ?? 0)) {
      known = 0;
      count = 0;
      continue;
    }
    known += 1;
    if (known < seedPairs) continue;
    const first = last - seedPairs + 1;
    const hash = seedHash(pairs, first);
    if (!contents.mayHaveSeed(hash)) {
      count = 0;
      continue;
    }
    count += 1;
    seeds[first % seeds.length] = hash;
    fill(seed, squeezed, first);
    contents.withSeed(hasDigit(squeezed, first) ? "all" : "starts", hash, seed, first, examine);
    const start = first - (longPairs - seedPairs);
    if (first - start >= count) continue;
    const longHash = longSeedHash(seeds[start % seeds.length] ?? 0, hash);
    if (contents.mayHaveLong(longHash))
      contents.withSeed("longs", longHash, fill(long, squeezed, start), start, examine);
  }
}

/** Lengthens a range to both sides, so that it contains all windows of each match that it touches. */
function wholeMatches(squeezed: Squeezed, range: Range, contents: KnownContents): Range {
  let { from, to } = range;
  const isKnown = (first: number): boolean =>
    lastUnknown(squeezed, first, contents) < first &&
    contents.mayHaveSeed(seedHash(fill(seed, squeezed, first), 0));
  if (from > 0 && isKnown(from)) while (from > 0 && isKnown(from - 1)) from -= 1;
  const last = squeezed.length - shortestSolid;
  if (to < last && isKnown(to)) while (to < last && isKnown(to + 1)) to += 1;
  return { from, to };
}

function hasDigit({ units }: Squeezed, first: number): boolean {
  for (let at = first; at < first + shortestSolid; at += 1)
    if (mayBeDigit(units[at] ?? 0)) return true;
  return false;
}

/** Returns the last place in a window whose pair no code has. A smaller number than `first` if there is none. */
function lastUnknown({ pairAt }: Squeezed, first: number, contents: KnownContents): number {
  for (let at = first + shortestSolid - 2; at >= first; at -= 1)
    if (!contents.hasPair(pairAt(at))) return at;
  return first - 1;
}

/** Returns the place of the next digit, or the end of the text. */
function nextDigit({ units, length }: Squeezed, first: number): number {
  let at = first;
  while (at < length && !isDigit(units[at] ?? 0)) at += 1;
  return at;
}
