import { separated } from "./content-marks.ts";
import { GrownArray } from "./grown-array.ts";
import { pairBits } from "./hasher.ts";

/** Pairs of characters that left in pieces. */
export interface LeftPairs {
  /** The pairs of the text that leaves now. */
  now: Iterable<number>;
  /** Says of each pair whether it left or leaves. */
  left: Uint8Array;
  /** Returns whether a code is worth a closer look. `newer` codes are as new as it or newer. */
  isEnough: (covered: number, pairCount: number, newer: number) => boolean;
  /** Codes that are returned. */
  most: number;
  /** Most places of pairs that are examined. */
  mostPlaces: number;
}

/** The pairs of neighbouring characters of all codes in a row, and the places of each pair. */
export class CodePairs {
  #pairs = new GrownArray();
  #codeOfPair = new GrownArray();
  #firstOfCode = new GrownArray();
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
      this.#older.push(isInPieces ? (this.#newest[plain] ?? 0) : 0);
      this.#pairs.push(pair);
      this.#codeOfPair.push(code);
      if (isInPieces) this.#newest[plain] = this.#pairs.length;
    }
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
   * Returns codes of which enough characters are in pairs that have left, the newest first. One of the pairs must leave
   * now.
   */
  codesOf(
    { now, left, isEnough, most, mostPlaces }: LeftPairs,
    counts: (code: number) => boolean,
  ): number[] {
    const isCandidate = new Uint8Array(this.#firstOfCode.length);
    let places = mostPlaces;
    for (const pair of now) {
      let place = (this.#newest[pair] ?? 0) - 1;
      for (; place >= 0 && places > 0; place = this.#older.at(place) - 1) {
        isCandidate[this.#codeOfPair.at(place)] = 1;
        places -= 1;
      }
    }
    const found: number[] = [];
    let end = this.#pairs.length;
    for (let code = isCandidate.length - 1; code >= 0 && found.length < most; code -= 1) {
      const first = this.#firstOfCode.at(code);
      const pairCount = end - first;
      end = first;
      if (isCandidate[code] === 0) continue;
      const covered = this.#coveredBy(left, first, pairCount);
      if (isEnough(covered, pairCount, isCandidate.length - code) && counts(code)) found.push(code);
    }
    return found;
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
