import { withoutInvisible } from "../../core/shared/text/clean-text.ts";
import type { MessengerMessage } from "../../ports/people/messenger.ts";
import { withoutLinks } from "./plain-text.ts";

/** Below Telegram's limit of 4 096 UTF-16 units. */
const partUnits = 4_000;
/** Telegram accepts a hundred entities. */
const mostQuoted = 90;

/** Host names, mail addresses, user names and commands, of which Telegram would make links. */
const linked =
  /[\w.+-]+@[\w-]+\.\w+|(?<!\w)@\w+|(?<![\w/])\/[a-z]\w*|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b/gi;

/** Formats an answer of the assistant as plain text without links. A long one is sent in parts. */
export function answerMessages(answer: string): MessengerMessage[] {
  return partsOf(withoutLinks(withoutInvisible(answer)).trim()).map((text) => {
    const places = Array.from(text.matchAll(linked), ({ index, 0: found }) => ({
      offset: index,
      length: found.length,
    }));
    const quoted = places.length > mostQuoted ? [{ offset: 0, length: text.length }] : places;
    return { text, quoted, buttons: [] };
  });
}

/** Cuts between paragraphs, else between lines, else between words. */
function partsOf(text: string): string[] {
  if (text === "") return [];
  if (text.length <= partUnits) return [text];
  const head = text.slice(0, partUnits);
  const [at = partUnits] = ["\n\n", "\n", " "]
    .map((end) => head.lastIndexOf(end))
    .filter((place) => place > partUnits / 2);
  const first = head.slice(0, at).replace(/[\uD800-\uDBFF]$/, "");
  return [first.trimEnd(), ...partsOf(text.slice(first.length).trimStart())];
}
