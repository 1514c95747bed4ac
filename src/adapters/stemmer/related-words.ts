import { stemOf } from "./stem.ts";

import { everyday } from "./everyday.ts";
import { fields } from "./fields.ts";
import { goals } from "./goals.ts";
import { phrases } from "./phrases.ts";
import { platforms } from "./platforms.ts";
import { subjects } from "./subjects.ts";
import { thesaurus } from "./thesaurus.ts";
import { trades } from "./trades.ts";

/** Words of requests that tools have other words for. */
export const peoplesWords = new Set<string>();
/** The stems that tools use, by the stems of one word or of up to three adjacent words of a request. */
const related = new Map<string, Set<string>>();
for (const line of [
  thesaurus,
  subjects,
  goals,
  trades,
  platforms,
  fields,
  everyday,
  phrases,
].flatMap((list) => list.trim().split("\n"))) {
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

/** The second words of phrases such as "push back", which may follow the object: "push the meeting back". */
const particles = new Set(["away", "back", "down", "off", "out", "up"]);
/** Most words between a verb and its particle. */
const longestObject = 4;

/** Returns the phrase of a verb and a later particle. Undefined if the thesaurus has no such phrase. */
export function partedPhraseAt(
  words: readonly string[],
  at: number,
): { particleAt: number; stems: readonly string[] } | undefined {
  for (let next = at + 2; next <= at + longestObject + 1; next += 1) {
    const particle = words[next];
    if (particle === undefined) return undefined;
    if (!particles.has(particle)) continue;
    const stems = related.get(`${stemOf(words[at] ?? "")} ${stemOf(particle)}`);
    if (stems !== undefined) return { particleAt: next, stems: [...stems] };
  }
  return undefined;
}
