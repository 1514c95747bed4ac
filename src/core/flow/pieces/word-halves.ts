import type { Hasher } from "../hasher.ts";
import { isUnspaced } from "../reading/tokens.ts";
import type { PlacedWord } from "./pieces.ts";

/** Words of a text whose halves are joined. A longer one, with several arguments, has too many pairs. */
const mostHalves = 20;
const longestWord = 24;
/** The place of two words that are no halves of one word, and that of two whose fingerprint was not needed yet. */
export const noWord = -1;
const notMade = -2;

type Words = readonly PlacedWord[];

/** The joined words of two texts, which do not change between comparisons: by the first and the second halves. */
const known = new WeakMap<Words, WeakMap<Words, JoinedWords>>();

/** The fingerprints of each word of a text with each word of another text after it. */
export interface JoinedWords {
  /** Returns the fingerprint, or `noWord`. */
  at: (row: number, column: number) => number;
}

export function joinedWords(first: Words, second: Words, hasher: Hasher): JoinedWords {
  let ofFirst = known.get(first);
  if (ofFirst === undefined) known.set(first, (ofFirst = new WeakMap()));
  let found = ofFirst.get(second);
  if (found === undefined) ofFirst.set(second, (found = new LazyWords(first, second, hasher)));
  return found;
}

/** Two known words are rarely halves of one, so most fingerprints are never needed. */
class LazyWords implements JoinedWords {
  readonly #first: Words;
  readonly #second: Words;
  readonly #hasher: Hasher;
  readonly #hashes: Int32Array;

  constructor(first: Words, second: Words, hasher: Hasher) {
    [this.#first, this.#second, this.#hasher] = [first, second, hasher];
    const isLong = first.length > mostHalves || second.length > mostHalves;
    this.#hashes = new Int32Array(isLong ? 0 : first.length * second.length).fill(notMade);
  }

  at(row: number, column: number): number {
    const place = row * this.#second.length + column;
    const hash = this.#hashes[place] ?? noWord;
    return hash === notMade ? (this.#hashes[place] = this.#make(row, column)) : hash;
  }

  #make(row: number, column: number): number {
    const [one, other] = [this.#first[row], this.#second[column]];
    if (one === undefined || other === undefined || !mayBeHalf(one) || !mayBeHalf(other))
      return noWord;
    const word = one.token.text + other.token.text;
    return word.length <= longestWord ? this.#hasher.token(word) : noWord;
  }
}

function mayBeHalf({ token }: PlacedWord): boolean {
  return !token.hasDigit && !isUnspaced(token);
}
