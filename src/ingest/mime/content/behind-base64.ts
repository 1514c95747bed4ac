import { mailLimits } from "../../pipeline/limits.ts";

/**
 * A shorter line ends a base64 body, because only its last line is shorter. Words without a blank are rarely this long.
 * Characters.
 */
const fullLine = 60;

/** A line of base64 that continues after its padding. */
const wordsBehind = /^(\s*[A-Za-z\d+/]+={1,2}[ \t]+)(\S+)/;

/**
 * Returns the start of plain text after a base64 body, which mailing lists and scanners append without encoding. Only
 * the end of the body is searched. Undefined if there is none. Stray characters, empty lines and padded lines count as
 * base64, because decoders skip them.
 */
export function behindBase64(body: Uint8Array): number | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  let found: number | undefined;
  /** The line after the padding, which is either a word or truncated base64. The next lines decide. */
  let word: number | undefined;
  /** The last line of base64. `padded` means that no data may follow. */
  let before: "nothing" | "data" | "padded" = "nothing";
  for (let start = Math.max(0, bytes.length - mailLimits.footerBytes); start < bytes.length;) {
    const lf = bytes.indexOf(0x0a, start);
    const next = lf === -1 ? bytes.length : lf + 1;
    const given = bytes.toString("latin1", start, next);
    const line = given.trim();
    const isData = isBase64(line);
    if (isData && line.length >= fullLine) found = word = undefined;
    if (line !== "" && found === undefined) {
      const isText = before === "padded" ? !isData : before === "data" && isWords(line);
      const [padded = "", rest = ""] = wordsBehind.exec(given)?.slice(1) ?? [];
      const isUnit = isBase64(rest) && rest.length % 4 === 0;
      if (rest !== "" && !isUnit) found = start + padded.length;
      else if (isText) found = word ?? start;
      else if (before === "padded" && line.length % 4 !== 0) word ??= start;
      else if (isData) before = line.endsWith("=") ? "padded" : "data";
    }
    start = next;
  }
  return found;
}

function isBase64(line: string): boolean {
  return /^[A-Za-z\d+/]+={0,2}$/.test(line);
}

/** Returns whether a line has several characters outside the base64 alphabet, or a blank between words. */
function isWords(line: string): boolean {
  return /\s/.test(line) || /[^A-Za-z\d+/=].*[^A-Za-z\d+/=]/.test(line);
}
