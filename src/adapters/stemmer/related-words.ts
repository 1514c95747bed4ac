import { stemOf } from "./stem.ts";

import { brands } from "./lists/brands.ts";
import { everyday } from "./lists/everyday.ts";
import { fields } from "./lists/fields.ts";
import { goals } from "./lists/goals.ts";
import { phrases } from "./lists/phrases.ts";
import { platforms } from "./lists/platforms.ts";
import { popular } from "./lists/popular.ts";
import { subjects } from "./lists/subjects.ts";
import { thesaurus } from "./lists/thesaurus.ts";
import { trades } from "./lists/trades.ts";
import { usualRequests } from "./lists/usual-requests.ts";
import { usualTopics } from "./lists/usual-topics.ts";

/** Words of requests that tools have other words for. */
export const peoplesWords = new Set<string>();
/** The stems that tools use, by the stems of one word or of up to three adjacent words of a request. */
const related = stemsByWords(
  [
    thesaurus,
    subjects,
    goals,
    trades,
    platforms,
    popular,
    fields,
    everyday,
    phrases,
    usualRequests,
    usualTopics,
  ],
  peoplesWords,
);
/** The stems of the names of servers, by the stems of one or two adjacent words of a request. */
const named = stemsByWords([brands]);

/**
 * Returns the stems of the words before the colon, by the stems of those after it.
 * @param spelt receives the single words of requests
 */
function stemsByWords(
  lists: readonly string[],
  spelt?: Set<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const line of lists.flatMap((list) => list.trim().split("\n"))) {
    const [ofTools = [], ofPeople = []] = line
      .split(" : ")
      .map((words) => words.split(" ").filter((word) => word !== ""));
    const stems = ofTools.flatMap((word) => word.split("_")).map((word) => stemOf(word));
    for (const word of ofPeople) {
      const parts = word.split("_");
      for (const part of parts) spelt?.add(part);
      const key = keyOf(parts);
      const known = found.get(key) ?? new Set<string>();
      for (const stem of stems) known.add(stem);
      found.set(key, known);
    }
  }
  return found;
}

function keyOf(words: readonly string[]): string {
  return words.map((word) => stemOf(word)).join(" ");
}

/** Returns the stems of the names of servers that do what a word of a request, alone or with the next one, is about. */
export function serverStems(words: readonly string[], at: number): readonly string[] {
  return [1, 2].flatMap((length) => [...(named.get(keyOf(words.slice(at, at + length))) ?? [])]);
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
    const stems = related.get(keyOf(words.slice(at, at + length)));
    if (stems !== undefined) return { length, stems: [...stems] };
  }
  return undefined;
}

/** The last words of phrases such as "push back", which may follow the object: "push the meeting back". */
const particles = new Set([
  "away",
  "back",
  "down",
  "informed",
  "know",
  "off",
  "out",
  "posted",
  "up",
]);
/** Limit on words between a verb and its particle. */
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
