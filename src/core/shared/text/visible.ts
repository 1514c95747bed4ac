/**
 * Characters of one value that a person is shown. The rest is counted, because a person accepts longer texts unread.
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

/** Returns the text on one line with every character visible. */
export function visible(text: string): string {
  return escaped(text.replaceAll("\\", "\\\\"));
}

/** Returns the text like `visible`, but leaves backslashes unchanged. */
export function escaped(text: string): string {
  return text.replace(stackedMarks, escapeOf).replace(invisible, escapeOf);
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return shortEscapes[character] ?? `\\u{${code.toString(16).toUpperCase().padStart(4, "0")}}`;
}

/**
 * Returns a name for use in a sentence: on one line, in quotes that it cannot close, without its middle if it is long.
 */
export function shownName(text: string): string {
  // Escapes are kept whole.
  const signs =
    visible(text)
      .replaceAll('"', '\\"')
      .match(/\\u\{[^}]*\}|\\.|./gsu) ?? [];
  if (signs.join("").length <= maxNameCharacters) return `"${signs.join("")}"`;
  const start = atMost(signs, 50).join("");
  const end = atMost(signs.toReversed(), 25).toReversed().join("");
  return `"${start}…${end}"`;
}

/** Returns as many of the first signs as fit into this many characters. */
function atMost(signs: readonly string[], characters: number): string[] {
  let left = characters;
  return signs.slice(
    0,
    signs.findIndex((sign) => (left -= sign.length) < 0),
  );
}

/** Returns a value for a person: text in quotes, on one line, at most 600 characters and the number of omitted ones. */
export function shownValue(value: unknown): string {
  if (typeof value !== "string") return cut(JSON.stringify(value), visible);
  return cut(value, (text) => `"${visible(text).replaceAll('"', '\\"')}"`);
}

/** Returns a text for a person, like `shownValue` but without quotes. */
export function shownText(text: string): string {
  return cut(text, visible);
}

function cut(text: string, show: (part: string) => string): string {
  const characters = Array.from(text);
  const rest = characters.length - maxValueCharacters;
  const shown = show(characters.slice(0, maxValueCharacters).join(""));
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

/** Returns whether a headline can show the whole value. */
export function isShort(value: unknown): boolean {
  return shownValue(value).length <= maxNameCharacters + 2;
}
