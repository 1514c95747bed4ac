import { hideCodes, hideValues } from "./hide-codes.ts";
import { hasCandidate, judgeSubject } from "./learned/find-learned.ts";

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

/** Returns whether a name may have a code above a text of this length. */
type Judge = (characters: number) => boolean;

/** Judges of the names of senders that were seen. Most messages are from a few senders. */
const known = new Map<string, Judge>();
const mostKnown = 4_000;
/** A longer name is not kept. Characters. */
const longestKnown = 100;

/** Judges a name alone, because searching its text a second time takes as long as all other parsing. */
function mayHaveCode(name: string, characters: number): boolean {
  const found = known.get(name) ?? judgeOf(name);
  if (!known.has(name) && name.length <= longestKnown) {
    if (known.size >= mostKnown) known.clear();
    known.set(name, found);
  }
  return found(characters);
}

function judgeOf(name: string): Judge {
  const judge = judgeSubject(name);
  let isCandidate: boolean | undefined;
  // A name has a code only with a candidate.
  return (characters) => judge(characters) && (isCandidate ??= hasCandidate(name));
}
