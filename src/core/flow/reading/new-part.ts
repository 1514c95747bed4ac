import type { Reading } from "./reading.ts";
import { type Token, isUnspaced, shortestWord } from "./tokens.ts";

/** The tokens of a reading that are compared, by their indexes. There are none if `last` is before `first`. */
export interface Part {
  first: number;
  last: number;
  /** False if the words of the reading are those of the other reading. */
  hasNewWords: boolean;
}

export function wholeOf(reading: Reading): Part {
  return { first: 0, last: reading.tokens().length - 1, hasNewWords: true };
}

/**
 * Returns the part of a reading that differs from another reading of the same text, with the tokens that touch it. Most
 * readings change only a few words, and the rest of them would give the same matches again.
 */
export function newPart(reading: Reading, other: Reading): Part {
  const one = reading.text;
  const two = other.text;
  const shorter = Math.min(one.length, two.length);
  let start = 0;
  while (start < shorter && one.charCodeAt(start) === two.charCodeAt(start)) start += 1;
  let same = 0;
  while (
    same < shorter - start &&
    one.charCodeAt(one.length - 1 - same) === two.charCodeAt(two.length - 1 - same)
  )
    same += 1;
  const own = touching(reading.tokens(), start, one.length - same);
  const others = touching(other.tokens(), start, two.length - same);
  return {
    ...own,
    hasNewWords: hasWord(reading.tokens(), own) || hasWord(other.tokens(), others),
  };
}

function touching(tokens: readonly Token[], start: number, end: number) {
  let first = 0;
  while (first < tokens.length && (tokens[first]?.end ?? 0) < start) first += 1;
  let last = tokens.length - 1;
  while (last >= 0 && (tokens[last]?.start ?? 0) > end) last -= 1;
  return { first, last };
}

function hasWord(tokens: readonly Token[], { first, last }: Pick<Part, "first" | "last">): boolean {
  for (let at = first; at <= last; at += 1) {
    const token = tokens[at];
    if (token && !token.hasDigit && (token.text.length >= shortestWord || isUnspaced(token)))
      return true;
  }
  return false;
}
