import type { Hasher } from "../hasher.ts";
import type { KnownContents } from "../known-contents.ts";
import { type Reading, replacedAt } from "./reading.ts";
import { type Token, isUnspaced } from "./tokens.ts";

/** A shorter token is an ordinary word. Characters. */
const shortestJoined = 14;
/** A longer one is cut, to bound the time. */
const longestJoined = 300;
const longestWord = 18;
/** A text is in pieces if its tokens are shorter than this on average. Characters. */
const shortOnAverage = 3.6;
/** Fewest words that a piece must consist of. Two are an ordinary compound. */
const fewestWords = 3;

/**
 * Separates words of known items that are written without spaces, or whose letters are in groups. Returns undefined if
 * there are none.
 */
export function separatedWords(
  source: Reading,
  tokens: readonly Token[],
  { contents, hasher }: { contents: KnownContents; hasher: Hasher },
): Reading | undefined {
  const plain = tokens.filter((token) => !isUnspaced(token));
  const [first, last] = [plain.at(0), plain.at(-1)];
  const length = plain.reduce((sum, { text }) => sum + text.length, 0);
  const isInPieces =
    plain.length >= 5 && length >= shortestJoined && length / plain.length < shortOnAverage;
  const isKnown = (word: string): boolean => contents.withWord(hasher.token(word), 1).length > 0;
  const runs =
    isInPieces && first && last
      ? [{ text: plain.map(({ text }) => text).join(""), start: first.start, end: last.end }]
      : plain.filter(
          ({ text, hasDigit }) => !hasDigit && text.length >= shortestJoined && !isKnown(text),
        );
  const changes = runs.flatMap(({ text, start, end }) => {
    const words = wordsOf(text.slice(0, longestJoined), { contents, hasher });
    return words === undefined ? [] : [{ start, end, text: words.join(" ") }];
  });
  return replacedAt(source, changes);
}

/** Returns the smallest number of words of known items that cover a text, except for its end. */
function wordsOf(
  text: string,
  { contents, hasher }: { contents: KnownContents; hasher: Hasher },
): string[] | undefined {
  const ways: (readonly string[] | undefined)[] = [[]];
  let furthest = 0;
  for (let at = 0; at < text.length; at += 1) {
    const before = ways[at];
    if (before === undefined) continue;
    for (let end = at + 1; end <= Math.min(text.length, at + longestWord); end += 1) {
      const known = ways[end];
      if (known !== undefined && known.length <= before.length + 1) continue;
      const word = text.slice(at, end);
      if (contents.withWord(hasher.token(word), 1).length === 0) continue;
      ways[end] = [...before, word];
      furthest = Math.max(furthest, end);
    }
  }
  const found = ways[furthest];
  return found !== undefined && found.length >= fewestWords
    ? [...found, text.slice(furthest)]
    : undefined;
}
