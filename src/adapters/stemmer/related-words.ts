import { stemOf } from "./stem.ts";
import { phrases } from "./phrases.ts";
import { thesaurus } from "./thesaurus.ts";

/** Words of requests that tools have other words for. */
export const peoplesWords = new Set<string>();
/** The stems that tools use, by the stems of one word or of up to three adjacent words of a request. */
const related = new Map<string, Set<string>>();
for (const line of [...thesaurus.trim().split("\n"), ...phrases.trim().split("\n")]) {
  const [ofTools = [], ofPeople = []] = line
    .split(" : ")
    .map((words) => words.split(" ").filter((word) => word !== ""));
  const stems = ofTools.flatMap((word) => word.split("_")).map((word) => stemOf(word));
  for (const word of ofPeople) {
    for (const part of word.split("_")) peoplesWords.add(part);
    const key = word
      .split("_")
      .map((part) => stemOf(part))
      .join(" ");
    const known = related.get(key) ?? new Set<string>();
    for (const stem of stems) known.add(stem);
    related.set(key, known);
  }
}

const longestPhrase = 3;

/** Returns the stems of the words that tools use for a word of a request. */
export function relatedStems(word: string): readonly string[] {
  return [...(related.get(stemOf(word)) ?? [])];
}

/**
 * Returns the longest phrase of a request that begins at a word and that tools have other words for. Undefined if none
 * does.
 */
export function phraseAt(
  words: readonly string[],
  at: number,
): { length: number; stems: readonly string[] } | undefined {
  for (let length = longestPhrase; length > 1; length -= 1) {
    if (at + length > words.length) continue;
    const key = words
      .slice(at, at + length)
      .map((word) => stemOf(word))
      .join(" ");
    const stems = related.get(key);
    if (stems !== undefined) return { length, stems: [...stems] };
  }
  return undefined;
}
