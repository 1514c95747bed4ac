import { stemmer } from "stemmer";

/** Words whose stem would be that of a word with another meaning. */
const apart: Readonly<Record<string, string>> = {
  documentation: "docs",
  // The environment, and not the stage of a version control system.
  staging: "preproduction",
};

/** Returns the stem of an English word in lower case. */
export function stemOf(word: string): string {
  return stemmer(Object.hasOwn(apart, word) ? (apart[word] ?? word) : word);
}
