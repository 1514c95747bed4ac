import { type Marks, separated } from "./content-marks.ts";
import { shortestLong, shortestSolid } from "./reading/tokens.ts";

/** Length of the runs of words that are compared. */
export const runLength = 5;
/** Number of neighbouring pairs by which a code is found: those of its shortest possible match. */
export const seedPairs = shortestSolid - 1;
/** Number of neighbouring pairs of the shortest match of an address or of a text without spaces. */
export const longPairs = shortestLong - 1;

/** The hashes under which an item is found. Another thread may compute them. */
export interface MarkHashes {
  /** Each word once. */
  words: Uint32Array;
  /** One for each run of words, in the order of their first words. */
  runs: Int32Array;
  /** One for each pair. Only those count at which a long enough run of pairs of one code begins. */
  seeds: Int32Array;
}

/** Computes the hashes under which an item is found. */
export function hashesOf({ tokens, pairs }: Marks): MarkHashes {
  const runs = new Int32Array(Math.max(0, tokens.length - runLength + 1));
  for (let at = 0; at < runs.length; at += 1) runs[at] = runHash(tokens, at);
  const seeds = new Int32Array(pairs.length);
  for (let at = 0; at < seeds.length; at += 1) seeds[at] = seedHash(pairs, at);
  return { words: Uint32Array.from(new Set(tokens)), runs, seeds };
}

/** Returns the hash of the run of words that begins at a place. */
export function runHash(hashes: ArrayLike<number>, first: number): number {
  let mixed = 0;
  for (let at = first; at < first + runLength; at += 1) {
    mixed = Math.imul(mixed ^ (hashes[at] ?? 0), 0x85_eb_ca_6b);
    mixed ^= mixed >>> 13;
  }
  return mixed;
}

/** Returns the hash of the neighbouring pairs that begin at a place. */
export function seedHash(pairs: ArrayLike<number>, first: number): number {
  let mixed = 0;
  for (let at = first; at < first + seedPairs; at += 1) {
    mixed = Math.imul(mixed ^ ((pairs[at] ?? 0) & ~separated), 0xc2_b2_ae_35);
    mixed ^= mixed >>> 15;
  }
  return mixed;
}

/** Returns the hash of the pairs of a longer match, from the seeds at its start and at its end. */
export function longSeedHash(first: number, last: number): number {
  const mixed = Math.imul(first ^ Math.imul(last, 0x9e_37_79_b1), 0x85_eb_ca_6b);
  return mixed ^ (mixed >>> 15);
}
