import { cut, oneLine } from "./clean-text.ts";
import { visible } from "./visible.ts";

/** Characters of a client's name that are kept: it is the client's own word and goes to people. */
const maxCharacters = 64;

/** Marks beyond the second on one letter; composed first, no script needs them in a name. */
const stackedMarks = /(?<=\p{M}{2})\p{M}+/gu;

/** What a client calls itself, as it is kept: one line without anything invisible or stacked. */
export function clientName(given: string): string {
  const name = cleaned(given.slice(0, 1_000));
  return name === "" ? "unnamed client" : cut(visible(name), maxCharacters);
}

/** The name as people are shown it, in quotes that it cannot close: it must not read as words of ours. */
export function quotedClient(name: string): string {
  return `"${cleaned(name).replaceAll('"', '\\"')}"`;
}

function cleaned(name: string): string {
  return oneLine(name.normalize("NFC").replace(stackedMarks, ""), maxCharacters);
}
