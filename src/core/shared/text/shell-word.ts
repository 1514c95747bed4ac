/** Quotes a word for a POSIX shell if it needs quotes. */
export function inShell(word: string): string {
  return /^[\w./:@,+=~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
