import { neighboursOf, inSameList } from "./beside.ts";
import { candidatesIn } from "./candidates.ts";
import { findAgain } from "./find-again.ts";
import { findBare } from "./find-bare.ts";
import { findKeys } from "./find-keys.ts";
import { judgeLearned, type Weights } from "./learned/find-learned.ts";
import { wideCandidatesIn } from "./learned/wide-candidates.ts";
import { hiddenCode } from "./hidden-code.ts";
import { halfWidth, isEndOfNumber, type TextRange, withoutLeaders } from "./found.ts";

export interface HiddenText {
  subject: string;
  text: string;
  /** The number of replaced places. */
  hidden: number;
  /** The hidden values, for `hideValues` on other texts of the same message, such as file names. */
  values: readonly string[];
}

/**
 * Replaces one-time codes, sign-in and reset links, recovery keys and sent passwords. They are recognised by form and
 * by the words around them, independent of the sender: by learned weights, and by rules for lists of recovery keys and
 * for messages without words. `weights` are for tests.
 */
export function hideCodes(subject: string, text: string, weights?: Weights): HiddenText {
  const [aboutIt, whole] = [halfWidth(subject), withoutLeaders(halfWidth(text))];
  const inSubject = subjectCodes(aboutIt, whole, weights);
  const learned = judgeLearned(aboutIt, whole, { weights });
  const byRule = [...findBare(aboutIt, whole), ...findKeys(aboutIt, whole)];
  const inText = byRule
    .filter((one) => !learned.denies(one) && !isEndOfNumber(whole, one))
    .concat(learned.found);
  inText.push(...inText.flatMap((one) => [...neighboursOf(whole, one), ...inSameList(whole, one)]));
  if (inSubject.length === 0 && inText.length === 0)
    return { subject, text, hidden: 0, values: [] };
  const values = new Set(
    [
      ...inSubject.map(({ start, end }) => aboutIt.slice(start, end)),
      ...inText.map(({ start, end }) => whole.slice(start, end)),
    ].map((value) => value.replace(/\s+/g, " ")),
  );
  const first = replaced(subject, [...inSubject, ...findAgain(aboutIt, values)]);
  const second = replaced(text, [...inText, ...findAgain(whole, values)]);
  return {
    subject: first.text,
    text: second.text,
    hidden: first.count + second.count,
    values: [...values],
  };
}

/** Characters of a message by which codes of its subject are judged. */
const aboutSubject = 2_000;

/** Finds codes of a subject, which is judged with the text below it. */
function subjectCodes(subject: string, text: string, weights?: Weights): readonly TextRange[] {
  // Checked first, because most subjects contain no form of a code and the text is long.
  if (wideCandidatesIn(subject).length === 0 && candidatesIn(subject).length === 0) return [];
  const within = subject.length;
  const both = `${subject}\n\n${text.slice(0, aboutSubject)}`;
  return judgeLearned("", both, { weights, within }).found.filter(({ end }) => end <= within);
}

/** Replaces codes that were found in another text of the same message. */
export function hideValues(text: string, values: readonly string[]): string {
  return values.length === 0 ? text : replaced(text, findAgain(halfWidth(text), values)).text;
}

function replaced(text: string, places: readonly TextRange[]): { text: string; count: number } {
  const parts: string[] = [];
  let from = 0;
  let count = 0;
  for (const { start, end } of places.toSorted((one, other) => one.start - other.start)) {
    if (end <= from) continue;
    if (start >= from) {
      parts.push(text.slice(from, start), hiddenCode);
      count += 1;
    }
    from = end;
  }
  return { text: parts.join("") + text.slice(from), count };
}
