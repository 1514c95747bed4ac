import { withoutDisguise } from "./disguised-letters.ts";

/**
 * Characters of one value that a person is shown. The number of the others is added, because a person would not read a
 * longer text.
 */
const maxValueCharacters = 600;

/** Characters of a name in a headline. A longer one would push the rest out of a dialog. */
const maxNameCharacters = 80;

/**
 * Characters that could make a shown value differ from the real one: controls, line and paragraph separators, bidi
 * controls, zero-width and other default-ignorable characters (UAX #44), unusual spaces, tags, unassigned and private
 * code points.
 */
const invisible =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{DI}\u00A0\u1680\u2000-\u200A\u202F\u205F\u2800]/gu;

/** Marks beyond the third on one letter. No script needs them, and stacked ones cover the lines above and below. */
const stackedMarks = /(?<=\p{M}{3})\p{M}/gu;

const shortEscapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Returns the text on one line with every character visible, and with no letter that looks like another one. */
export function visible(text: string): string {
  return escaped(text.replaceAll("\\", "\\\\"));
}

/** Returns the text like `visible`, but leaves backslashes unchanged. */
export function escaped(text: string): string {
  return withoutDisguise(text, escapeOf)
    .replace(stackedMarks, escapeOf)
    .replace(invisible, escapeOf);
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return shortEscapes[character] ?? `\\u{${code.toString(16).toUpperCase().padStart(4, "0")}}`;
}

/**
 * Returns a name for use in a sentence: on one line, in quotes that it cannot close, without its middle if it is long.
 */
export function shownName(text: string): string {
  const name = visible(text).replaceAll('"', '\\"');
  return `"${name.length <= maxNameCharacters ? name : withoutMiddle(name, 50, 25, lengthOf)}"`;
}

/**
 * Returns the name of an argument as a label. A name with spaces or punctuation is in quotes, so that it cannot look like
 * a fact of the program, such as `undo: possible; note`.
 */
export function shownLabel(text: string): string {
  const name = shownName(text);
  const plain = name.slice(1, -1);
  return /^[\p{L}\p{M}\p{N}_$@.…[\]{}\\-]*$/u.test(plain) ? plain : name;
}

/** A name in a sentence, in the form that `shownName` writes. */
const nameInSentence = /"((?:[^"\\]|\\.)*)"/gsu;

/** Fewest columns that a shortened name keeps. */
const leastNameColumns = 8;

/**
 * Shortens the longest names of a sentence in their middle until the sentence fits into a line. A sentence whose other
 * words are too long stays too long.
 */
export function withShortNames(sentence: string, columns: number): string {
  let short = sentence;
  for (let most = columns; most >= leastNameColumns && columnsOf(short) > columns; most -= 1)
    short = sentence.replace(nameInSentence, (quoted, name: string) =>
      columnsOf(name) <= most ? quoted : `"${shortName(name, most)}"`,
    );
  return short;
}

function shortName(name: string, columns: number): string {
  const start = Math.floor((columns * 2) / 3);
  return withoutMiddle(name, start, columns - start - 1, columnsOf);
}

const lengthOf = (text: string): number => text.length;

/** Returns the beginning and the end of a visible text, each up to a size. Escapes are kept whole. */
function withoutMiddle(
  text: string,
  start: number,
  end: number,
  sizeOf: (text: string) => number,
): string {
  const signs = text.match(/\\u\{[^}]*\}|\\.|./gsu) ?? [];
  const first = atMost(signs, start, sizeOf).join("");
  const last = atMost(signs.toReversed(), end, sizeOf).toReversed().join("");
  return `${first}…${last}`;
}

/** Returns as many of the first characters as fit into this size. */
function atMost(
  signs: readonly string[],
  size: number,
  sizeOf: (text: string) => number,
): string[] {
  let left = size;
  return signs.slice(
    0,
    signs.findIndex((sign) => (left -= sizeOf(sign)) < 0),
  );
}

/** Characters that take two columns in a terminal (UAX #11, wide and fullwidth). */
const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;

/** Returns the columns that a visible text takes in a terminal. */
export function columnsOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let columns = 0;
  for (const character of text)
    columns += wide.test(character) ? 2 : /\p{M}/u.test(character) ? 0 : 1;
  return columns;
}

/**
 * Returns a value for a person: a text in quotes, on one line, with at most 600 characters and the number of omitted
 * ones.
 */
export function shownValue(value: unknown): string {
  if (typeof value !== "string") return cut(JSON.stringify(value), visible);
  return cut(value, (text) => `"${visible(text).replaceAll('"', '\\"')}"`);
}

/** Returns a text for a person, like `shownValue` but without quotes. */
export function shownText(text: string): string {
  return cut(text, visible);
}

function cut(text: string, show: (part: string) => string): string {
  if (text.length <= maxValueCharacters) return show(text);
  // No array of all characters, because a text can have megabytes.
  let count = 0;
  let end = 0;
  for (const character of text) {
    count += 1;
    if (count <= maxValueCharacters) end += character.length;
  }
  const rest = count - maxValueCharacters;
  const shown = show(text.slice(0, end));
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

/** Returns whether a headline can show the whole value. */
export function isShort(value: unknown): boolean {
  return shownValue(value).length <= maxNameCharacters + 2;
}
