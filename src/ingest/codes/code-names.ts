import { hideCodes, hideValues } from "./hide-codes.ts";
import { hasCandidate, judgeSubject } from "./learned/find-learned.ts";
import { withRanges } from "./letters.ts";

/** Characters of a message by which codes in its sender's name are judged. */
const aboutName = 2_000;

/** A word with a number behind it, such as `Office365`. */
const wordAndNumber = /^[A-Z]?[a-z]{2,20}\d{1,4}$/;
/** The beginnings of the words before a code, such as `Pin4821`. */
const namesCode = /^(?:cod|kod|otp|pin|tan|pass|mdp)/i;
const betweenParts = withRanges(String.raw`[^\p{L}\p{N}]+`);
/** Every code of digits alone has more of them. */
const fewDigits = 3;
/** A code of fewer digits has capitals or hyphens, such as `FK 882` or `nube-cobre-39`. */
const mayHaveFew = /[A-Z]{2}|[-–]/;

/**
 * Returns whether all digits of a name belong to words, such as those of `Office365 Team`, or are too few for a code, such
 * as those of `Studio 54`. Few names of senders have other digits, and judging a name takes long.
 */
function isPlain(name: string): boolean {
  const parts = name.split(betweenParts).filter((part) => /\d/.test(part));
  const others = parts.filter((part) => !wordAndNumber.test(part) || namesCode.test(part));
  return (
    others.length === 0 ||
    (others.every((part) => /^\d+$/.test(part)) &&
      others.join("").length <= fewDigits &&
      !mayHaveFew.test(name))
  );
}

/** Finds codes in the name of a sender, which mail programs show before the subject. */
export function codesOfName(name: string | undefined, text: string): readonly string[] {
  const near = text.slice(0, aboutName);
  if (name === undefined || !/\d/.test(name) || isPlain(name)) return [];
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
