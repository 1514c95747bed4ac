import { cut, oneLine } from "./clean-text.ts";
import { visible } from "./visible.ts";

/** Longest stored client name, in characters. The client chooses the name, and people read it. */
const maxCharacters = 64;

/** Marks beyond the second on one letter. In composed form no script needs them in a name. */
const stackedMarks = /(?<=\p{M}{2})\p{M}+/gu;

/** Returns a client's name as it is stored: one line without invisible or stacked characters. */
export function clientName(given: string): string {
  const name = cleaned(given.slice(0, 1_000));
  return name === "" ? "unnamed client" : cut(visible(name), maxCharacters);
}

/** Signs that people take for a double quotation mark. */
const likeQuotes =
  /[\u02BA\u02DD\u02EE\u05F4\u201C-\u201F\u2033\u2036\u275D\u275E\u301D-\u301F\uFF02]/g;

/** Returns the name for people, in quotes that it cannot close, so that it cannot imitate our own words. */
export function quotedClient(name: string): string {
  // Stored names contain backslashes in pairs. A single one would escape the closing quotation mark.
  const inner = cleaned(name)
    .replace(likeQuotes, '"')
    .replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) =>
      [slashes, slashes.length % 2 === 1 ? "\\" : "", quote && '\\"'].join(""),
    );
  return `"${inner}"`;
}

function cleaned(name: string): string {
  return oneLine(name.normalize("NFC").replace(stackedMarks, ""), maxCharacters);
}
