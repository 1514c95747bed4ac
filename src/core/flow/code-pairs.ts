import { separated } from "./content-marks.ts";
import { GrownArray } from "./grown-array.ts";
import { pairBits } from "./hasher.ts";

/** Pairs of characters that left in pieces. */
export interface LeftPairs {
  /** The pairs of each piece of the text that leaves now. A code must have all pairs of a piece in a row. */
  now: readonly (readonly number[])[];
  /** Says of each pair whether it left or leaves. */
  left: Uint8Array;
  /** Returns whether a code is worth a closer look. `newer` codes are as new as it or newer. */
  isEnough: (covered: number, pairCount: number, newer: number) => boolean;
  /** Codes that are returned. */
  most: number;
  /** Most places of pairs that are examined. */
  mostPlaces: number;
}

/** Lookups in the items, which this class does not have. */
export interface CodeSearch {
  counts: (code: number) => boolean;
  /** Calls `use` with the places at which a long piece may begin. Returns false if the piece is too short. */
  seeded: (piece: readonly number[], use: (place: number) => void) => boolean;
}

/** The pairs of neighbouring characters of all codes in a row, and the places of each pair. */
export class CodePairs {
  #pairs = new GrownArray();
  #codeOfPair = new GrownArray();
  #firstOfCode = new GrownArray();
  /** A bit for each pair that a code has. Unlike the places, they fit into a processor's cache. */
  #known = new Int32Array((1 << pairBits) / 32);
  /** The newest place of each pair, plus one. */
  #newest = new Int32Array(1 << pairBits);
  /** The next older place with the same pair, plus one. */
  #older = new GrownArray();

  get length(): number {
    return this.#pairs.length;
  }

  /** Adds the pairs of the next code. @param isInPieces whether the code may leave in pieces */
  addCode(pairs: Uint16Array, isInPieces: boolean): void {
    const code = this.#firstOfCode.length;
    this.#firstOfCode.push(this.#pairs.length);
    for (const pair of pairs) {
      const plain = pair & ~separated;
      this.#known[plain >> 5] = (this.#known[plain >> 5] ?? 0) | (1 << (plain & 31));
      this.#older.push(isInPieces ? (this.#newest[plain] ?? 0) : 0);
      this.#pairs.push(pair);
      this.#codeOfPair.push(code);
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
    return this.#codeOfPair.at(place);
  }

  /**
   * Returns codes of which enough characters are in pairs that have left, the newest first. One of the pieces must leave
   * now.
   */
  codesOf(
    { now, left, isEnough, most, mostPlaces }: LeftPairs,
    { counts, seeded }: CodeSearch,
  ): number[] {
    const isCandidate = new Uint8Array(this.#firstOfCode.length);
    let places = mostPlaces;
    let [newest, candidates] = [-1, 0];
    const examine = (piece: readonly number[], place: number): void => {
      places -= 1;
      const code = this.#codeOfPair.at(place);
      if (isCandidate[code] === 1 || !this.#hasPiece(piece, place)) return;
      isCandidate[code] = 1;
      candidates += 1;
      if (code > newest) newest = code;
    };
    for (const piece of now) {
      const [pair] = piece;
      if (pair === undefined) continue;
      if (seeded(piece, (place) => places > 0 && examine(piece, place))) continue;
      let place = (this.#newest[pair] ?? 0) - 1;
      for (; place >= 0 && places > 0; place = this.#older.at(place) - 1) examine(piece, place);
    }
    const found: number[] = [];
    for (let code = newest; candidates > 0 && found.length < most; code -= 1) {
      if (isCandidate[code] === 0) continue;
      candidates -= 1;
      const first = this.#firstOfCode.at(code);
      const isLast = code + 1 === this.#firstOfCode.length;
      const pairCount = (isLast ? this.#pairs.length : this.#firstOfCode.at(code + 1)) - first;
      const covered = this.#coveredBy(left, first, pairCount);
      if (isEnough(covered, pairCount, isCandidate.length - code) && counts(code)) found.push(code);
    }
    return found;
  }

  /** Returns whether the pairs of a piece begin at this place. They may continue into another code. */
  #hasPiece(piece: readonly number[], place: number): boolean {
    for (let at = 1; at < piece.length; at += 1)
      if (this.at(place + at) !== piece[at]) return false;
    return true;
  }

  /** Returns how many characters of a code are in pairs that have left. */
  #coveredBy(left: Uint8Array, first: number, pairCount: number): number {
    let covered = 0;
    let last = -1;
    for (let at = 0; at < pairCount; at += 1) {
      if (left[this.at(first + at)] === 0) continue;
      covered += last === at ? 1 : 2;
      last = at + 1;
    }
    return covered;
  }
}
