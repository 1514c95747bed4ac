import { stemmer } from "stemmer";

/** Words whose stem would be that of a word with another meaning. */
const apart: Readonly<Record<string, string>> = { documentation: "docs" };

/** Returns the stem of an English word in lower case. */
export function stemOf(word: string): string {
  return stemmer(Object.hasOwn(apart, word) ? (apart[word] ?? word) : word);
}
