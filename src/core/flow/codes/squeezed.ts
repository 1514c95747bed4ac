import type { Hasher } from "../hasher.ts";
import { type Reading, textOfUnits } from "../reading/reading.ts";
import { type Token, isDigit, isEveryday, squeezedUnits } from "../reading/tokens.ts";

/** A text without separators. Most readings have no match, and need only its units and few pairs. */
export interface Squeezed {
  length: number;
  units: Uint16Array;
  /** Returns the fingerprint of the pair of characters at a place. */
  pairAt: (at: number) => number;
  /** Returns a list with these fingerprints at the places from `from` to `to`. The next call overwrites it. */
  pairsIn: (from: number, to: number) => Int32Array;
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
let pairsNow = new Int32Array(1_024);

export function squeeze(reading: Reading, hasher: Hasher): Squeezed {
  if (reading.text.length > unitsNow.length) {
    unitsNow = new Uint16Array(reading.text.length * 2);
    pairsNow = new Int32Array(reading.text.length * 2);
  }
  const units = unitsNow;
  const length = squeezedUnits(reading.text, units);
  let text: string | undefined;
  let layout: Layout | undefined;
  let digits: number | undefined;
  let known: Map<string, boolean> | undefined;
  return {
    length,
    units,
    pairAt: (at) => hasher.pair(units[at] ?? 0, units[at + 1] ?? 0),
    pairsIn: (from, to) => {
      hasher.pairs(units, from, Math.min(to + 1, length), pairsNow);
      return pairsNow;
    },
    text: () => (text ??= textOfUnits(units, length)),
    layout: () => (layout ??= layoutOf(reading.tokens())),
    digits: () => (digits ??= digitsAmong(units, 0, length)),
    everyday: (part) => {
      known ??= new Map();
      const found = known.get(part) ?? isEveryday(part);
      known.set(part, found);
      return found;
    },
  };
}

export function digitsAmong(units: Uint16Array, from: number, to: number): number {
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
