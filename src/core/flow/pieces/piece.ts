import type { Hasher } from "../hasher.ts";
import { bitsOf, pairsOf } from "../reading/find-codes.ts";
import { weightOf } from "../reading/frequent-words.ts";
import { type Span, backwards } from "../reading/reading.ts";
import { isEveryday } from "../reading/tokens.ts";

/** The fewest characters of a code that is sent in pieces. */
export const charactersNeeded = 4;
/** Bits for each letter of a piece without digits: of a frequent word, and of one that is in no list. */
const wordLetterBits = 2;
const oddLetterBits = 3;

/** How often a comparison has found a word. Pieces with the same text share it, because a map would be slower. */
interface Count {
  /** The comparison that counted last. */
  comparison: number;
  /** Pieces without digits. */
  times: number;
  /** Pieces that some code may have. */
  copies: number;
  /** Whether the word is an ordinary number. Undefined until it is needed. */
  isOrdinary: boolean | undefined;
}

/** A possible piece of a code in an outgoing text. */
export interface Piece {
  text: string;
  count: Count;
  /** Whether some code may have the piece, and the version of the items for which that was found out. */
  mayBeInCode: { version: number; is: boolean };
  pairs: readonly number[];
  span: Span;
  hasDigit: boolean;
  /** True for a name with a number of one digit, such as `part2`. Its digit is no place of a piece. */
  isNumbered: boolean;
  /** The information of the piece. */
  bits: number;
  /** False for a single character, and for a year or date, which occur in many texts. */
  isTelling: boolean;
  /** True if the characters were in the opposite order. */
  isBackwards: boolean;
  /** The place among those of its text. Different ways to read the same characters have the same place. */
  place: number;
}

const numbered = /^\p{L}{3,}\d$/u;

/** Zero is the most frequent digit of ordinary numbers, and proves less than another one. */
const bitsOfZeros = 1;

function zerosIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) === zero) count += 1;
  return count;
}

const zero = 0x30;
const bitsOfLetters = (text: string): number =>
  text.length * (weightOf(text) === 1 ? oddLetterBits : wordLetterBits);

type Way = Pick<Piece, "span" | "isBackwards" | "place">;

/** Measures a piece: its pairs, its information, and whether it tells anything. */
export function toPiece(text: string, { span, isBackwards, place }: Way, hasher: Hasher): Piece {
  const hasDigit = /\p{N}/u.test(text);
  return {
    text,
    count: countOf(text, hasher),
    mayBeInCode: { version: 0, is: false },
    pairs: pairsOf(text, hasher),
    span,
    hasDigit,
    isNumbered: hasDigit && numbered.test(text),
    bits: hasDigit ? bitsOf(text) - bitsOfZeros * zerosIn(text) : bitsOfLetters(text),
    isTelling:
      text.length > 1 &&
      !(
        text.length >= charactersNeeded &&
        (isOrdinary(text, hasher) || (isBackwards && isOrdinary(backwards(text), hasher)))
      ),
    isBackwards,
    place,
  };
}

/** The counts of the words of all texts. */
const counts = new WeakMap<Hasher, Map<string, Count>>();

/** Returns the counts of the words under a key, by word. */
export function countsOf(hasher: Hasher): Map<string, Count> {
  let own = counts.get(hasher);
  if (own === undefined) counts.set(hasher, (own = new Map<string, Count>()));
  return own;
}

function countOf(text: string, hasher: Hasher): Count {
  const own = countsOf(hasher);
  let count = own.get(text);
  if (count === undefined)
    own.set(text, (count = { comparison: 0, times: 0, copies: 0, isOrdinary: undefined }));
  return count;
}

function isOrdinary(text: string, hasher: Hasher): boolean {
  return (countOf(text, hasher).isOrdinary ??= isEveryday(text));
}
