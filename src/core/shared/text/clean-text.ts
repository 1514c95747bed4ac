/**
 * Zero-width, bidirectional-override and tag characters, which hide words from people but not from machines. U+FE0F
 * only asks for the coloured form of an emoji.
 */
const invisible = /(?!\uFE0F)\p{Default_Ignorable_Code_Point}|[\uFFF9-\uFFFB]/gu;

/**
 * U+200C and U+200D join letters in Persian, Hindi and emoji, where they belong to the spelling. Latin, Greek and
 * Cyrillic do not use them.
 */
const joiner =
  /(?<=(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])[\u200C\u200D](?=[\p{L}\p{M}\p{Extended_Pictographic}])/gu;

// oxlint-disable-next-line no-control-regex -- these are what is removed
const controls = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;

export function withoutInvisible(text: string): string {
  if (!/[^\n\r\t -~]/.test(text)) return text;
  const kept = new Set<number>();
  for (const match of text.matchAll(joiner)) kept.add(match.index);
  return text
    .replace(invisible, (character, at: number) => (kept.has(at) ? character : ""))
    .replace(controls, "")
    .toWellFormed();
}

/** Returns the text as one line without invisible characters, at most `characters` long. */
export function oneLine(text: string, characters: number): string {
  const line = withoutInvisible(text.replace(/[\s\u2028\u2029]+/g, " ")).trim();
  return cut(line, characters);
}

/** Cuts a text between characters and ends it with an ellipsis. */
export function cut(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return `${text
    .slice(0, characters - 1)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()}…`;
}
