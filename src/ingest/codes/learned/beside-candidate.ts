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
 * Finds the lines beside a candidate that is alone on its line, or else the parts of its sentence.
 * @param top where the text below the subject begins
 */
export function besideOf(text: string, top: number, one: TextRange): Beside {
  const least = Math.max(0, one.start - besideCharacters);
  const line = lineBefore(text, one.start, least) ?? { start: one.start, end: one.start };
  if (isAloneOnLine(text, one)) {
    const higher = lineBefore(text, line.start - 1, least);
    const lead = { start: higher?.start ?? line.start, end: line.end };
    return { lead, tail: lineBehind(text, one.end), isAlone: true };
  }
  const sentence = sentenceBefore(text, one.start);
  const label = text.slice(sentence.start, sentence.end);
  const tail = sentenceBehind(text, one.end);
  if (!hasText(label)) return { lead: line, tail, isAlone: false };
  const isShort = label.trim().length < shortLabel;
  const above = isShort ? lineBefore(text, sentence.start, Math.max(least, top)) : undefined;
  return { lead: sentence, tail, above, isAlone: false };
}
