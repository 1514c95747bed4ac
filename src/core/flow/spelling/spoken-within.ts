import { type Reading, replaced } from "../reading/reading.ts";
import { spokenPhrases } from "./number-words.ts";

// Codes whose digits are words, between letters and without spaces, such as `eightfourQXsevenone`.

/** Shorter words, such as `um` and `no`, are parts of many others. Characters. */
const shortestWord = 3;
/** Fewest words for digits in one code. Two are parts of an ordinary compound. */
const fewestWords = 3;

const digits = Array.from(spokenPhrases)
  .filter(([word, meaning]) => /^\d$/.test(meaning) && /^[a-z]+$/.test(word))
  .map(([word]) => word)
  .filter((word) => word.length >= shortestWord)
  // The alternatives are tried in this order, so the longest word comes first.
  .toSorted((one, other) => other.length - one.length);
const digitWord = new RegExp(digits.join("|"), "g");
/** Fewest characters of such a code. */
const shortestCode = 10;
const longWord = new RegExp(`[a-z0-9]{${shortestCode},200}`, "g");

/** Reads the digits of such codes. Undefined if there are none. */
export function spokenWithin(source: Reading): Reading | undefined {
  // Most texts end here.
  if (!source.tokens().some(({ text }) => text.length >= shortestCode)) return undefined;
  return replaced(source, longWord, (word) => {
    let count = 0;
    let spelled = 0;
    const read = word.replace(digitWord, (digit) => {
      count += 1;
      spelled += digit.length;
      return spokenPhrases.get(digit) ?? digit;
    });
    // Most of a long compound that has such words by chance is other letters.
    return count >= fewestWords && spelled * 2 >= word.length ? read : undefined;
  });
}
