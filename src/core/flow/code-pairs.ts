import { separated } from "./content-marks.ts";
import { pairBits } from "./hasher.ts";
import { IntegerList } from "./lists/integer-list.ts";
import { LargestShares } from "./lists/largest-shares.ts";

/** Pairs of characters that were sent in pieces, now or before. */
export interface LeftPairs {
  /** The pairs of each piece of the text that is sent now. A code must have all pairs of a piece in a row. */
  now: readonly (readonly number[])[];
  /** Returns whether a pair was sent before or is sent now. */
  hasLeft: (pair: number) => boolean;
  /**
   * Returns how many characters of a code must have been sent, so that it is worth a closer look. Each call is for an
   * older code than the one before.
   * @param kind the place of its kind in `codeKinds`
   * @param newer the number of codes that are not older than it
   */
  fewest: (kind: number, pairCount: number, newer: number) => number;
  /** Limit on codes that are returned. */
  most: number;
  /** Limit on places of pairs that are examined. */
  mostPlaces: number;
}

/** Lookups in the items, which this class does not have. */
export interface CodeSearch {
  /** Returns whether the item of a code may still be compared. */
  isCurrent: (code: number) => boolean;
  /** Calls `use` with the places at which a long piece may begin. Returns false if the piece is too short. */
  forEachSeed: (piece: readonly number[], use: (place: number) => void) => boolean;
}

/** The search for a short piece in the codes, from the newest to the oldest. */
interface Search {
  piece: readonly number[];
  /** The next place that may have the piece, plus one. Zero at the end. */
  next: number;
  /** The code that was found last. -1 at the end. */
  code: number;
}

/** The pairs of neighbouring characters of all codes in a row, and the places of each pair. */
export class CodePairs {
  #pairs = new IntegerList();
  /** For each code, two numbers: the place of its first pair, and that of its kind in `codeKinds`. */
  #codes = new IntegerList();
  /** A bit for each pair that a code has. Unlike the places, they fit into a processor's cache. */
  #known = new Int32Array((1 << pairBits) / 32);
  /** The newest place of each pair, plus one. */
  #newest = new Int32Array(1 << pairBits);
  /**
   * For each place, two numbers: its code, and the next older place with the same pair, plus one. They are next to each
   * other, so that one access to the memory reads both.
   */
  #links = new IntegerList();

  get length(): number {
    return this.#pairs.length;
  }

  /**
   * Adds the pairs of the next code.
   * @param kind the place of its kind in `codeKinds`
   * @param isInPieces whether the code may be sent in pieces
   */
  addCode(pairs: Uint16Array, kind: number, isInPieces: boolean): void {
    const code = this.#codes.length / 2;
    this.#codes.push(this.#pairs.length);
    this.#codes.push(kind);
    for (const pair of pairs) {
      const plain = pair & ~separated;
      this.#known[plain >> 5] = (this.#known[plain >> 5] ?? 0) | (1 << (plain & 31));
      this.#links.push(code);
      this.#links.push(isInPieces ? (this.#newest[plain] ?? 0) : 0);
      this.#pairs.push(pair);
      if (isInPieces) this.#newest[plain] = this.#pairs.length;
    }
  }

  has(pair: number): boolean {
    return ((this.#known[pair >> 5] ?? 0) & (1 << (pair & 31))) !== 0;
  }

  at(place: number): number {
    return this.#pairs.at(place) & ~separated;
  }

  /** Returns whether a separator is between the characters of a pair. */
  isSeparated(place: number): boolean {
    return (this.#pairs.at(place) & separated) !== 0;
  }

  codeAt(place: number): number {
    return this.#links.at(place * 2);
  }

  /**
   * Returns codes of which enough characters are in pairs that were sent, the newest first. If there are too many, those
   * with the largest share are returned. One of the pieces must be sent now.
   */
  codesOf(
    { now, hasLeft, fewest, most, mostPlaces }: LeftPairs,
    { isCurrent, forEachSeed }: CodeSearch,
  ): number[] {
    let places = mostPlaces;
    const searches: Search[] = [];
    const seeds: number[] = [];
    for (const piece of now) {
      const [pair] = piece;
      if (pair === undefined) continue;
      const isSeeded = forEachSeed(piece, (place) => {
        if (this.#hasPiece(piece, place)) seeds.push(this.codeAt(place));
      });
      if (isSeeded) continue;
      const search = { piece, next: this.#newest[pair] ?? 0, code: -1 };
      places -= this.#advance(search, places);
      searches.push(search);
    }
    seeds.sort((one, other) => one - other);
    const codeCount = this.#codes.length / 2;
    // The newest codes would displace an older one of which more was sent.
    const found = new LargestShares(most);
    let last = codeCount;
    // A whole code has the share 1, so that no older one exceeds it.
    while (places > 0 && found.least < 1) {
      let newest: Search | undefined;
      for (const search of searches) if (search.code > (newest?.code ?? -1)) newest = search;
      const code = Math.max(newest?.code ?? -1, seeds.at(-1) ?? -1);
      if (code < 0) break;
      if (newest?.code === code) places -= this.#advance(newest, places);
      else seeds.pop();
      // Several pieces may be in one code, or one piece several times.
      if (code === last) continue;
      last = code;
      const first = this.#codes.at(code * 2);
      const isLast = code + 1 === codeCount;
      const pairCount = (isLast ? this.#pairs.length : this.#codes.at(code * 2 + 2)) - first;
      const needed = fewest(this.#codes.at(code * 2 + 1), pairCount, codeCount - code);
      // Short codes end here: not even all of their characters are enough.
      if (pairCount + 1 < needed) continue;
      const least = Math.max(needed, Math.floor(found.least * (pairCount + 1)));
      const covered = this.#coveredBy(hasLeft, { first, pairCount, least });
      const share = covered / (pairCount + 1);
      if (covered >= needed && share > found.least && isCurrent(code)) found.enter(code, share);
    }
    return found.newestFirst();
  }

  /** Moves a search to the next older code with its piece. Returns the number of places that it examined. */
  #advance(search: Search, most: number): number {
    search.code = -1;
    let count = 0;
    for (; search.next > 0 && search.code < 0 && count < most; count += 1) {
      const place = search.next - 1;
      search.next = this.#links.at(place * 2 + 1);
      if (this.#hasPiece(search.piece, place)) search.code = this.codeAt(place);
    }
    return count;
  }

  /** Returns whether the pairs of a piece begin at this place. They may continue into another code. */
  #hasPiece(piece: readonly number[], place: number): boolean {
    for (let at = 1; at < piece.length; at += 1)
      if (this.at(place + at) !== piece[at]) return false;
    return true;
  }

  /** Returns how many characters of a code are in pairs that were sent. Zero if there are fewer than `least`. */
  #coveredBy(
    hasLeft: LeftPairs["hasLeft"],
    { first, pairCount, least }: { first: number; pairCount: number; least: number },
  ): number {
    let covered = 0;
    let last = -1;
    for (let at = 0; at < pairCount; at += 1) {
      if (!hasLeft(this.at(first + at))) {
        // Most codes end here: not even all of their other characters would be enough.
        if (covered + pairCount - at < least) return 0;
        continue;
      }
      covered += last === at ? 1 : 2;
      last = at + 1;
    }
    return covered < least ? 0 : covered;
  }
}
