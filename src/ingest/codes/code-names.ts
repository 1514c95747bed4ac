import { hideCodes, hideValues } from "./hide-codes.ts";
import { hasCandidate, mayBeCode } from "./learned/find-learned.ts";

/** Characters of a message by which codes in its sender's name are judged. */
const aboutName = 2_000;

/** A name such as `Office365 Team`. It has no candidate, and its search would take longer than this pattern. */
const isPlain = /^[A-Z][a-z]{2,12}\d{1,3}(?: [A-Za-z][a-z]{2,12})?$/;

/** Finds codes in the name of a sender, which mail programs show before the subject. */
export function codesOfName(name: string | undefined, text: string): readonly string[] {
  const near = text.slice(0, aboutName);
  if (name === undefined || !/\d/.test(name) || isPlain.test(name)) return [];
  if (!mayHaveCode(name, near.length)) return [];
  const { subject, values } = hideCodes(name, near);
  return subject === name ? [] : values.filter((value) => hideValues(name, [value]) !== name);
}

/**
 * Names of senders, and whether they may have a code above a text of each length, as far as they were judged. A name has one
 * only with a candidate. Most messages are from a few senders.
 */
const known = new Map<string, (boolean | undefined)[] | "never">();
const mostKnown = 4_000;
/** A longer name is not kept. Characters. */
const longestKnown = 100;
/** The length of a text is read in steps, and no longer one. Characters. */
const step = 150;
const mostSteps = 5;

/** Judges a name alone, because searching its text a second time takes as long as all other parsing. */
function mayHaveCode(name: string, characters: number): boolean {
  const found = known.get(name) ?? (hasCandidate(name) ? [] : "never");
  if (!known.has(name) && name.length <= longestKnown) {
    if (known.size >= mostKnown) known.clear();
    known.set(name, found);
  }
  if (found === "never") return false;
  const steps = Math.min(mostSteps, Math.floor(characters / step));
  return (found[steps] ??= mayBeCode(name, steps * step));
}
