import { cut } from "../../core/shared/text/clean-text.ts";

/** Telegram's limit for the answer to a press. Characters. */
const maxAnswerCharacters = 200;
/** The characters of the end that are kept, because the end says what was not done and what to do next. */
const keptAtEnd = 140;

/** Shortens an answer to a press in its middle, where the long name of a file is. */
export function shortAnswer(text: string): string {
  if (text.length <= maxAnswerCharacters) return text;
  const start = cut(text, maxAnswerCharacters - keptAtEnd);
  return `${start}${text.slice(-keptAtEnd).replace(/^[\uDC00-\uDFFF]/, "")}`;
}
