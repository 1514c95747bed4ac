import { withoutInvisible } from "../../core/shared/text/clean-text.ts";
import { mailLimits } from "../pipeline/limits.ts";

// Separate from readable-text.ts, which loads the code that reads HTML. Only the parser's thread needs that code.

const pieceCharacters = 100_000;

/** Normalises a text: LF line ends, no invisible characters, no trailing blanks, at most one blank line in a row. */
export function tidy(text: string): string {
  const clean = withoutInvisible(text.replace(/\r\n?|[\u2028\u2029]/g, "\n")).replace(
    /\u00A0/g,
    " ",
  );
  // Processed in pieces, because millions of lines at once take hundreds of megabytes.
  let trimmed = "";
  for (let start = 0; start < clean.length;) {
    const lf = clean.indexOf("\n", start + pieceCharacters);
    const end = lf === -1 ? clean.length : lf + 1;
    const lines = clean.slice(start, end).split("\n");
    trimmed += lines.map((line) => line.trimEnd()).join("\n");
    start = end;
  }
  return trimmed.replace(/\n{3,}/g, "\n\n").trim();
}

/**
 * Encodes a text as UTF-8, cut at a character within the limit and with a note about the cut.
 * @param leftOut bytes that were not decoded
 */
export function boundedUtf8(
  text: string,
  leftOut = 0,
  maxBytes: number = mailLimits.textBytes,
): Uint8Array {
  const bytes = Buffer.from(text, "utf-8");
  if (bytes.length <= maxBytes && leftOut === 0) return bytes;
  let end = Math.min(maxBytes, bytes.length);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  const note = `\n\n[Cut here: ${bytes.length - end + leftOut} more bytes are in the raw message only.]\n`;
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(note)]);
}
