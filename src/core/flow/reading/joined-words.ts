import type { Hasher } from "../hasher.ts";
import type { KnownContents } from "../known-contents.ts";
import { type Reading, replacedAt } from "./reading.ts";
import { type Token, digitsIn, isUnspaced } from "./tokens.ts";

/** A shorter token is an ordinary word. Characters. */
const shortestJoined = 14;
/** A longer one is cut, to bound the time. */
const longestJoined = 300;
const longestWord = 18;
/** A text is in pieces if its tokens are shorter than this on average. Characters. */
const shortOnAverage = 3.6;
/** The share of letters in known words that an ordinary text has, and the shortest of these words. */
const ordinaryShare = 0.6;
const shortestOrdinary = 3;
/** The share of digits in a sentence with a number. Codes and encoded texts have more. */
const mostDigits = 0.15;
/** Fewest words that a piece must consist of. Two are an ordinary compound. */
const fewestWords = 3;

interface Known {
  contents: KnownContents;
  hasher: Hasher;
}

/**
 * Creates a function that separates words of known items that are written without spaces, or whose letters are in
 * groups. It returns undefined if there are none.
 * @returns a function. `inPieces`: false if groups of letters are not searched
 */
export function createSeparator(
  known: Known,
): (source: Reading, how?: { inPieces: boolean }) => Reading | undefined {
  /** The lengths of the known words at the start of a text. Readings of one text have the same places. */
  const lengths = new Map<string, readonly number[]>();
  return (source, { inPieces } = { inPieces: true }) =>
    separatedWords(source, known, lengths, inPieces);
}

function separatedWords(
  source: Reading,
  { contents, hasher }: Known,
  lengths: Map<string, readonly number[]>,
  inPieces: boolean,
): Reading | undefined {
  let count = 0;
  let length = 0;
  let longest = 0;
  for (const token of source.tokens()) {
    if (isUnspaced(token)) continue;
    count += 1;
    length += token.text.length;
    longest = Math.max(longest, token.text.length);
  }
  const isInPieces =
    inPieces && count >= 5 && length >= shortestJoined && length / count < shortOnAverage;
  // Most texts end here.
  if (!isInPieces && longest < shortestJoined) return undefined;
  const plain = source.tokens().filter((token) => !isUnspaced(token));
  const [first, last] = [plain.at(0), plain.at(-1)];
  const isKnown = (word: string): boolean => contents.withWord(hasher.token(word), 1).length > 0;
  const runs =
    isInPieces && first && last && !areOrdinary(plain, length, isKnown)
      ? [{ text: plain.map(({ text }) => text).join(""), start: first.start, end: last.end }]
      : plain.filter(
          (token) =>
            token.text.length >= shortestJoined && hasFewDigits(token) && !isKnown(token.text),
        );
  const changes = runs.flatMap(({ text, start, end }) => {
    const words = wordsOf(text.slice(0, longestJoined), { contents, hasher }, lengths);
    return words === undefined ? [] : [{ start, end, text: words.join(" ") }];
  });
  return replacedAt(source, changes);
}

function hasFewDigits({ text, hasDigit }: Token): boolean {
  return !hasDigit || digitsIn(text) <= text.length * mostDigits;
}

/** Returns whether most letters are in known words of at least three letters, as in a text with many short words. */
function areOrdinary(
  tokens: readonly Token[],
  length: number,
  isKnown: (word: string) => boolean,
): boolean {
  let letters = 0;
  for (const { text } of tokens)
    if (text.length >= shortestOrdinary && isKnown(text)) letters += text.length;
  return letters >= length * ordinaryShare;
}

/** Returns the smallest number of words of known items that cover a text, except for its end. */
function wordsOf(
  text: string,
  known: Known,
  lengths: Map<string, readonly number[]>,
): string[] | undefined {
  const ways: (readonly string[] | undefined)[] = [[]];
  let furthest = 0;
  for (let at = 0; at < text.length; at += 1) {
    const before = ways[at];
    if (before === undefined) continue;
    const start = text.slice(at, at + longestWord);
    let own = lengths.get(start);
    if (own === undefined) lengths.set(start, (own = lengthsIn(start, known)));
    for (const length of own) {
      const end = at + length;
      const other = ways[end];
      if (other !== undefined && other.length <= before.length + 1) continue;
      ways[end] = [...before, start.slice(0, length)];
      furthest = Math.max(furthest, end);
    }
  }
  const found = ways[furthest];
  return found !== undefined && found.length >= fewestWords
    ? [...found, text.slice(furthest)]
    : undefined;
}

function lengthsIn(start: string, { contents, hasher }: Known): number[] {
  const found: number[] = [];
  for (let length = 1; length <= start.length; length += 1)
    if (contents.withWord(hasher.token(start, length), 1).length > 0) found.push(length);
  return found;
}
