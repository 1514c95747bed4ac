import { mailLimits } from "../pipeline/limits.ts";

/** Shorter lines of base64 end a body; none but its last is, and words are rarely as long without a blank. */
const fullLine = 60;

/** A line of base64 that has ended, and goes on all the same. */
const wordsBehind = /^(\s*[A-Za-z\d+/]+={1,2}[ \t]+)(\S+)/;

/**
 * Where the text begins that something on the way put below a body in base64, as mailing lists and scanners do that know of
 * no encoding; undefined where there is none. Looked for at the end alone. A stray sign, empty lines and lines that are padded
 * each belong to base64, which decoders pass over.
 */
export function behindBase64(body: Uint8Array): number | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  let found: number | undefined;
  /** Behind the padding a line that may be a word, or base64 that was cut off: what follows tells. */
  let word: number | undefined;
  /** What the last line of base64 was: `padded` where it says that nothing follows. */
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

/** More than one sign that base64 has not, or a blank between words. */
function isWords(line: string): boolean {
  return /\s/.test(line) || /[^A-Za-z\d+/=].*[^A-Za-z\d+/=]/.test(line);
}
