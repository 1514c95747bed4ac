import { packedFilters } from "./frequent-words-data.ts";

/**
 * The weight of a word as evidence, by its rank among the words of its language. An index with few mails does not show
 * which words are frequent elsewhere.
 */
export const levels: readonly { ranks: number; weight: number }[] = [
  { ranks: 2_000, weight: 0 },
  { ranks: 6_000, weight: 0.3 },
  { ranks: 14_000, weight: 0.55 },
  { ranks: 25_000, weight: 0.75 },
];

/** Bits of one word in a Bloom filter. */
const places = 4;

let opened: readonly Uint8Array[] | undefined;
const known = new Map<string, number>();
const mostKnown = 20_000;

/** Returns the weight of a normalised word: 0 for the most frequent words of a language, 1 for a word in no list. */
export function weightOf(word: string): number {
  const found = known.get(word);
  if (found !== undefined) return found;
  opened ??= packedFilters.map((lines) => Buffer.from(lines.join(""), "base64"));
  const hashes = hashesOf(word);
  const level = opened.findIndex((filter) => has(filter, hashes));
  const weight = levels[level]?.weight ?? 1;
  if (known.size >= mostKnown) known.clear();
  known.set(word, weight);
  return weight;
}

function has(filter: Uint8Array, [one, other]: Hashes): boolean {
  for (let at = 0; at < places; at += 1) {
    const place = placeOf(one, other, at, filter.length * 8);
    if (((filter[place >> 3] ?? 0) & (1 << (place & 7))) === 0) return false;
  }
  return true;
}

type Hashes = readonly [number, number];

function hashesOf(word: string): Hashes {
  let one = 0x81_1c_9d_c5;
  let other = 0x01_00_01_93;
  for (let at = 0; at < word.length; at += 1) {
    const unit = word.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01_00_01_93);
    other = Math.imul(other ^ unit, 0x85_eb_ca_6b);
    other ^= other >>> 13;
  }
  return [one, other | 1];
}

function placeOf(one: number, other: number, at: number, bits: number): number {
  return ((one + Math.imul(at, other)) >>> 0) % bits;
}

/** Returns the bits of a word in a filter of this size. */
export function placesIn(word: string, bits: number): number[] {
  const [one, other] = hashesOf(word);
  return Array.from({ length: places }, (_, at) => placeOf(one, other, at, bits));
}
