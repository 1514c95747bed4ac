import { hideCodes, hideValues } from "./hide-codes.ts";
import { mayBeCode } from "./learned/find-learned.ts";

/** Characters of a message by which codes in its sender's name are judged. */
const aboutName = 2_000;

/** Finds codes in the name of a sender, which mail programs show before the subject. */
export function codesOfName(name: string | undefined, text: string): readonly string[] {
  const near = text.slice(0, aboutName);
  if (name === undefined || !/\d/.test(name) || !mayHaveCode(name, near.length)) return [];
  const { subject, values } = hideCodes(name, near);
  return subject === name ? [] : values.filter((value) => hideValues(name, [value]) !== name);
}

/** Names of senders above texts of some length, and whether they may have a code. Most messages are from a few senders. */
const known = new Map<string, boolean>();
const mostKnown = 4_000;
/** A longer name is not kept. Characters. */
const longestKnown = 100;
/** The length of a text is read in steps, and no longer one. Characters. */
const step = 150;
const mostSteps = 5;

/** Judges a name alone, because searching its text a second time takes as long as all other parsing. */
function mayHaveCode(name: string, characters: number): boolean {
  const steps = Math.min(mostSteps, Math.floor(characters / step));
  const key = `${steps} ${name}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const may = mayBeCode(name, steps * step);
  if (known.size >= mostKnown) known.clear();
  if (name.length <= longestKnown) known.set(key, may);
  return may;
}
