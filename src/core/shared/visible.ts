/** Characters of one value that a person is shown; the rest is counted. Longer texts are not read, they are accepted. */
const maxValueCharacters = 600;

/** Characters of a name within a headline; a longer one would push the rest out of what a dialog shows. */
const maxNameCharacters = 80;

/**
 * Everything that could make a shown value differ from the real one: controls, line and paragraph separators, bidi
 * controls, zero-width and other default-ignorable characters (UAX #44), odd spaces, tags, unassigned and private code points.
 */
const invisible =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{DI}\u00A0\u1680\u2000-\u200A\u202F\u205F\u2800]/gu;

/** Marks beyond the third on one letter: no script needs them, and stacked ones cover the lines above and below. */
const stackedMarks = /(?<=\p{M}{3})\p{M}/gu;

const shortEscapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** The text with every character visible and on one line. */
export function visible(text: string): string {
  return escaped(text.replaceAll("\\", "\\\\"));
}

/** Like `visible`, but leaves backslashes as they are. */
export function escaped(text: string): string {
  return text.replace(stackedMarks, escapeOf).replace(invisible, escapeOf);
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return shortEscapes[character] ?? `\\u{${code.toString(16).toUpperCase().padStart(4, "0")}}`;
}

/** A name within a sentence: in quotes that it cannot close, on one line, without its middle if it is long. */
export function shownName(text: string): string {
  // No escape is cut in two.
  const signs =
    visible(text)
      .replaceAll('"', '\\"')
      .match(/\\u\{[^}]*\}|\\.|./gsu) ?? [];
  if (signs.join("").length <= maxNameCharacters) return `"${signs.join("")}"`;
  const start = atMost(signs, 50).join("");
  const end = atMost(signs.toReversed(), 25).toReversed().join("");
  return `"${start}…${end}"`;
}

/** The first of these that take so many characters together. */
function atMost(signs: readonly string[], characters: number): string[] {
  let left = characters;
  return signs.slice(
    0,
    signs.findIndex((sign) => (left -= sign.length) < 0),
  );
}

/** A value as a person sees it: text in quotes, one line, at most 600 characters and the number of those left out. */
export function shownValue(value: unknown): string {
  if (typeof value !== "string") return cut(JSON.stringify(value), visible);
  return cut(value, (text) => `"${visible(text).replaceAll('"', '\\"')}"`);
}

/** A text as a person sees it: without quotes, otherwise like `shownValue`. */
export function shownText(text: string): string {
  return cut(text, visible);
}

function cut(text: string, show: (part: string) => string): string {
  const characters = Array.from(text);
  const rest = characters.length - maxValueCharacters;
  const shown = show(characters.slice(0, maxValueCharacters).join(""));
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

/** True if a headline can have said all of the value. */
export function isShort(value: unknown): boolean {
  return shownValue(value).length <= maxNameCharacters + 2;
}
