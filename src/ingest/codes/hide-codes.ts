import { neighboursOf, inSameList } from "./beside.ts";
import { belowSubject } from "./learned/features.ts";
import { findAgain } from "./find-again.ts";
import { findKeys } from "./find-keys.ts";
import { judgeLearned, type Learned, mayHaveCode, type Weights } from "./learned/find-learned.ts";
import { hiddenCode } from "./hidden-code.ts";
import { isEndOfNumber } from "./end-of-number.ts";
import { foundWithPassages } from "./learned/passages.ts";
import { codesInPlainSentences, statedPasswords } from "./plain-sentence.ts";
import {
  forgetText,
  halfWidth,
  hasWideText,
  withoutArmour,
  withoutBold,
  withoutLeaders,
} from "./text-forms.ts";
import { forgetPass, hasSign, keepPass, textSigns } from "./text-pass.ts";
import type { TextRange } from "./text-ranges.ts";
import { quotedCodes, warnedCodes } from "./warned-code.ts";

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
 * by the words around them, independent of the sender. Learned weights recognise most of them. Rules find codes in plain
 * sentences, codes with a warning not to share them, and lists of recovery keys.
 * `weights` are for tests.
 */
export function hideCodes(subject: string, text: string, weights?: Weights): HiddenText {
  try {
    return withoutCodes(subject, text, weights);
  } finally {
    forgetText();
    forgetPass();
  }
}

const hasLetter = /\p{L}/u;

function withoutCodes(subject: string, text: string, weights: Weights | undefined): HiddenText {
  const given = subject + belowSubject + text;
  const narrow = hasSign(given, textSigns.wide) ? halfWidth(given) : given;
  if (!hasWideText(given)) keepPass(narrow, given);
  const whole = withoutLeaders(withoutBold(withoutArmour(narrow)));
  keepPass(whole, narrow);
  // A number alone says nothing, and the weights know such messages only as parts of others.
  if (!mayHaveCode(whole) || !hasLetter.test(whole))
    return { subject, text, hidden: 0, values: [] };
  const learned = judgeLearned(whole, subject.length, weights);
  const found = foundByRules(whole, subject.length, learned);
  for (const one of foundWithPassages(whole, subject.length, { learned, weights })) found.push(one);
  if (found.length === 0) return { subject, text, hidden: 0, values: [] };
  return withoutFound(subject, text, whole, found);
}

/** Finds codes that the weights do not recognise, or that they would judge by the rest of the message. */
function foundByRules(whole: string, subjectLength: number, learned: Learned): TextRange[] {
  const found: TextRange[] = [];
  const add = (places: readonly TextRange[], mayBeDenied: boolean): void => {
    for (const one of places)
      if (!(mayBeDenied && learned.denies(one)) && !isEndOfNumber(whole, one)) found.push(one);
  };
  add(findKeys(whole, subjectLength, subjectLength + belowSubject.length), true);
  add(codesInPlainSentences(whole), true);
  add(statedPasswords(whole), true);
  add(warnedCodes(whole, subjectLength), false);
  add(quotedCodes(whole, subjectLength), false);
  return found;
}

function withoutFound(
  subject: string,
  text: string,
  whole: string,
  found: TextRange[],
): HiddenText {
  const top = subject.length + belowSubject.length;
  found.push(...found.flatMap((one) => [...neighboursOf(whole, one), ...inSameList(whole, one)]));
  const values = new Set(
    found.map(({ start, end }) => whole.slice(start, end).replace(/\s+/g, " ")),
  );
  const places = [...found, ...findAgain(whole, values)];
  const first = replaced(
    subject,
    places.filter(({ start }) => start < subject.length),
  );
  const second = replaced(
    text,
    places
      .filter(({ end }) => end > top)
      .map(({ start, end }) => ({ start: Math.max(0, start - top), end: end - top })),
  );
  return {
    subject: first.text,
    text: second.text,
    hidden: first.count + second.count,
    values: [...values],
  };
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
