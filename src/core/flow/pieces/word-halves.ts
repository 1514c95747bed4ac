import type { Hasher } from "../hasher.ts";
import { isUnspaced } from "../reading/tokens.ts";
import type { PlacedWord } from "./pieces.ts";

/** Words of a text whose halves are joined. A longer one, with several arguments, has too many pairs. */
const mostHalves = 20;
const longestWord = 24;
/** The place of two words that are no halves of one word. */
export const noWord = -1;

type Words = readonly PlacedWord[];

/** The joined words of two texts, which do not change between comparisons: by the first and the second halves. */
const known = new WeakMap<Words, WeakMap<Words, Int32Array>>();

/** Returns the fingerprints of each word with each word of another text after it, or `noWord`. */
export function joinedHashes(first: Words, second: Words, hasher: Hasher): Int32Array {
  let ofFirst = known.get(first);
  if (ofFirst === undefined) known.set(first, (ofFirst = new WeakMap()));
  let found = ofFirst.get(second);
  if (found === undefined) ofFirst.set(second, (found = hashesOf(first, second, hasher)));
  return found;
}

function hashesOf(first: Words, second: Words, hasher: Hasher): Int32Array {
  const hashes = new Int32Array(first.length * second.length).fill(noWord);
  if (first.length > mostHalves || second.length > mostHalves) return hashes;
  for (const [row, one] of first.entries()) {
    if (!mayBeHalf(one)) continue;
    for (const [column, other] of second.entries()) {
      if (!mayBeHalf(other)) continue;
      const word = one.token.text + other.token.text;
      if (word.length <= longestWord) hashes[row * second.length + column] = hasher.token(word);
    }
  }
  return hashes;
}

function mayBeHalf({ token }: PlacedWord): boolean {
  return !token.hasDigit && !isUnspaced(token);
}
