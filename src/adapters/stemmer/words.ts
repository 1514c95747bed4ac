import { stemOf } from "./stem.ts";

/** Words that are ignored. */
export const stopWords = new Set(
  "a about all an and any are as at be been called can could did do does for from had has have he her him his how i if im in into is it its just let me my named of on or our please she so some that the their them then there these they this those to us was we were what when where which who will with would you your".split(
    " ",
  ),
);

/** Returns the stems of words without those that are ignored. */
export function stemsOf(words: readonly string[]): string[] {
  return words.filter((word) => !stopWords.has(word)).map((word) => stemOf(word));
}

/** Returns the words of a text in lower case, including those of `camelCase` and `snake_case`. */
export function wordsOf(text: string): string[] {
  return (
    text
      .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z]{2})(?=[A-Z][a-z]{2})/g, " ")
      .toLowerCase()
      .replaceAll(/['’](?:s|re|ve|ll|d|m)\b/g, "")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}
