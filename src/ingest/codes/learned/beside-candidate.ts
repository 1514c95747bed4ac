import { hasText, isAloneOnLine } from "../candidates.ts";
import type { TextRange } from "../text-ranges.ts";
import {
  besideCharacters,
  lineBefore,
  lineBehind,
  sentenceBefore,
  sentenceBehind,
} from "./sentences.ts";

/** A shorter part of a sentence is a label, such as that of a button. It is read with the line above it. */
const shortLabel = 30;
/** The text before and after a candidate. */
interface Beside {
  lead: TextRange;
  tail: TextRange;
  /** The line above a short label before the candidate. */
  above?: TextRange | undefined;
  /** Whether the candidate is alone on its line. */
  isAlone: boolean;
}

/**
 * Returns whether a value is in the subject beside a name alone, as in `482913 - Acme`. The sentence below the subject tells
 * what it is.
 */
export const isBesideName = (subjectLength: number, { start, end }: TextRange): boolean =>
  end <= subjectLength && subjectLength - (end - start) < shortLabel;

/** Returns the end of the first sentence of the text below the subject, or of the second one below a greeting. */
function firstSentences(text: string, top: number): number {
  const { end } = sentenceBehind(text, top);
  return end - top < shortLabel ? sentenceBehind(text, lineBehind(text, end).start).end : end;
}

/**
 * Finds the lines beside a candidate that is alone on its line, or else the parts of its sentence.
 * @param top where the text below the subject begins
 */
export function besideOf(
  text: string,
  { top, subjectLength }: { top: number; subjectLength: number },
  one: TextRange,
): Beside {
  const least = Math.max(0, one.start - besideCharacters);
  const line = lineBefore(text, one.start, least) ?? { start: one.start, end: one.start };
  if (isAloneOnLine(text, one)) {
    const higher = lineBefore(text, line.start - 1, least);
    const lead = { start: higher?.start ?? line.start, end: line.end };
    return { lead, tail: lineBehind(text, one.end), isAlone: true };
  }
  const sentence = sentenceBefore(text, one.start);
  const label = text.slice(sentence.start, sentence.end);
  const tail = isBesideName(subjectLength, one)
    ? { start: one.end, end: firstSentences(text, top) }
    : sentenceBehind(text, one.end);
  if (!hasText(label)) return { lead: line, tail, isAlone: false };
  const isShort = label.trim().length < shortLabel;
  const above = isShort ? lineBefore(text, sentence.start, Math.max(least, top)) : undefined;
  return { lead: sentence, tail, above, isAlone: false };
}
