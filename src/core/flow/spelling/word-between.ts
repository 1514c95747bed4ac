import { type Change, type Reading, replacedAt } from "../reading/reading.ts";

/** Fewest times that a word follows every other word. Four are between the five words of a run. */
const fewestTimes = 4;

/** Returns a text without a word that is between all words of a part, such as an operator of a search. */
export function withoutWordBetween(source: Reading): Reading | undefined {
  const tokens = source.tokens();
  if (tokens.length <= 2 * fewestTimes) return undefined;
  const changes: Change[] = [];
  for (let at = 1; at < tokens.length; at += 1) {
    const word = tokens[at]?.text;
    let after = at;
    while (after < tokens.length && tokens[after]?.text === word) after += 2;
    if (after - at < 2 * fewestTimes) continue;
    // The same word before each piece of a code is that of several calls.
    if (tokens.slice(at - 1, after).some(({ hasDigit }) => hasDigit)) continue;
    for (let each = at; each < after; each += 2) {
      const { start = 0, end = 0 } = tokens[each] ?? {};
      changes.push({ start, end, text: "" });
    }
    at = after - 1;
  }
  return replacedAt(source, changes);
}
