import { withoutInvisible } from "../../core/shared/text/clean-text.ts";
import type { MessengerMessage } from "../../ports/people/messenger.ts";
import { withoutLinks } from "./plain-text.ts";

/** The longest part. Together with head and note it fits into Telegram's limit of 4 096 UTF-16 units. */
const partUnits = 3_900;
/** Limit on entities of one message. Telegram accepts a hundred. */
const mostQuoted = 90;

/** The first line of each message that the model wrote. */
const head = "Assistant:\n";
const repeated = "\n\nThis message may have arrived before.";

/**
 * Words with the signs of host names, mail addresses, user names and commands. A single expression for these four would
 * search a long word again from each of its letters.
 */
const words = /[\w.+@/-]+/g;
/** Parts of a word that Telegram would turn into links. */
const linked = /[\w-]\.[a-z]{2}|@\w|(?<![\w/])\/[a-z]/i;

/**
 * Formats a text of the model as plain text without links. A long one is sent in parts. Each part has a head and is a
 * quotation, so that no line of it can pass for a message of the program.
 */
export function answerMessages(answer: string): MessengerMessage[] {
  return partsOf(clean(answer)).map((part) => ({
    text: head + part,
    quoted: placesOf(part, head.length),
    quotation: { offset: head.length, length: part.length },
    buttons: [],
  }));
}

/** Formats a text of the program itself. */
export function noticeMessages(notice: string): MessengerMessage[] {
  return partsOf(clean(notice)).map((text) => ({ text, quoted: placesOf(text, 0), buttons: [] }));
}

/** Marks a message whose first sending may have succeeded. */
export function repeatedMessage(message: MessengerMessage): MessengerMessage {
  return { ...message, text: message.text + repeated };
}

function clean(text: string): string {
  return withoutLinks(withoutInvisible(text)).trim();
}

function placesOf(text: string, start: number): MessengerMessage["quoted"] {
  const places = Array.from(text.matchAll(words))
    .filter(([word]) => linked.test(word))
    .map(({ index, 0: word }) => ({ offset: start + index, length: withoutEnd(word).length }));
  return places.length > mostQuoted ? [{ offset: start, length: text.length }] : places;
}

/** Removes the punctuation after a word. */
function withoutEnd(word: string): string {
  let end = word.length;
  while (end > 1 && !/\w/.test(word[end - 1] ?? "")) end -= 1;
  return word.slice(0, end);
}

/** Cuts between paragraphs, or else between lines, or else between words. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > partUnits) {
    const beginning = rest.slice(0, partUnits);
    const [at = partUnits] = ["\n\n", "\n", " "]
      .map((end) => beginning.lastIndexOf(end))
      .filter((place) => place > partUnits / 2);
    const first = beginning.slice(0, at).replace(/[\uD800-\uDBFF]$/, "");
    parts.push(first.trimEnd());
    rest = rest.slice(first.length).trimStart();
  }
  return rest === "" ? parts : [...parts, rest];
}
