import { HashMultimap } from "../lists/hash-multimap.ts";
import { longPairs, longSeedHash, seedPairs } from "../mark-hashes.ts";

/**
 * The places of all codes at which a match may begin, by the hashes of the pairs there. Words of addresses are in
 * thousands of codes, so the parts of a text without digits are looked up only in the two smaller lists.
 */
export class CodeSeeds {
  /** Every place of every code. */
  readonly all = new HashMultimap();
  /** The first place of each number or code. One without digits matches only as a whole. */
  readonly starts = new HashMultimap();
  /** The places of addresses and texts at which the shortest match of these may begin. */
  readonly longs = new HashMultimap();

  /**
   * Adds the next code.
   * @param seeds the hashes at each place of the item's codes
   * @param range the places of this code in `seeds`
   * @param options.shift the difference to its place among all codes
   * @param options.isLong whether it is an address or a text without spaces
   */
  add(
    seeds: ArrayLike<number>,
    range: { start: number; pairCount: number },
    { shift, isLong }: { shift: number; isLong: boolean },
  ): void {
    const { start, pairCount } = range;
    const end = start + pairCount;
    for (let at = start; at + seedPairs <= end; at += 1) {
      const seed = seeds[at] ?? 0;
      this.all.push(seed, at + shift);
      if (!isLong) {
        if (at === start) this.starts.push(seed, at + shift);
      } else if (at + longPairs <= end) {
        const last = seeds[at + longPairs - seedPairs] ?? 0;
        this.longs.push(longSeedHash(seed, last), at + shift);
      }
    }
  }
}
