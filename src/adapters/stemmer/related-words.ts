import { stemmer } from "stemmer";
import { thesaurus } from "./thesaurus.ts";

/** The stems that tools use, by the stem of one word or of two adjacent words of a request. */
const related = new Map<string, Set<string>>();
for (const line of thesaurus.trim().split("\n")) {
  const [ofTools = [], ofPeople = []] = line
    .split(" : ")
    .map((words) => words.split(" ").filter((word) => word !== ""));
  const stems = ofTools.flatMap((word) => word.split("_")).map((word) => stemmer(word));
  for (const word of ofPeople) {
    const key = word
      .split("_")
      .map((part) => stemmer(part))
      .join(" ");
    const known = related.get(key) ?? new Set<string>();
    for (const stem of stems) known.add(stem);
    related.set(key, known);
  }
}

/** Returns the stems of the words that tools use for a word of a request, or for it and the word after it. */
export function relatedStems(word: string, next: string | undefined): readonly string[] {
  const stem = stemmer(word);
  const both = next === undefined ? [] : [...(related.get(`${stem} ${stemmer(next)}`) ?? [])];
  return [...(related.get(stem) ?? []), ...both];
}
