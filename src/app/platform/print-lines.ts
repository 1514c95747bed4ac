import { ownLines } from "../chat/screen-text.ts";

/**
 * Prints text for a person. On a screen a long line is broken here and its rest is indented, because the terminal would
 * begin the rest in the first column, where it could look like a line of the program.
 */
export function printLines(text: string): void {
  const { stdout } = process;
  stdout.write(`${stdout.isTTY ? ownLines(text, () => stdout.columns) : text}\n`);
}
