import { beginning } from "./headers.ts";
import { mailLimits } from "../pipeline/limits.ts";

/** RFC 5322 2.2: printable ASCII without blanks up to the colon. Blanks before it are obsolete syntax (4.5.8). */
const header = /^[!-9;-~]+[ \t]*:/;

/** The line that mailbox files and old mail servers put above the headers. */
const envelopeLine = /^>?From /;

const crlf = new Uint8Array([0x0d, 0x0a]);

/**
 * Inserts an empty line between the headers and a text that follows directly, as in mail from scripts. Otherwise the
 * first paragraph would be read as headers and lost. If more headers follow, the line is a broken fold.
 */
export function withEndedHead(message: Uint8Array): Uint8Array {
  const top = message.subarray(0, mailLimits.headerBytes);
  let text: number | undefined;
  for (let start = 0; start < top.length;) {
    const lf = top.indexOf(0x0a, start);
    const next = lf === -1 ? top.length : lf + 1;
    const line = latin1(top.subarray(start, Math.min(next, start + longestName)));
    if (line.trim() === "") break;
    if (text !== undefined) {
      if (beginning.test(line)) return message;
    } else if (!header.test(line) && !/^[ \t]/.test(line) && !envelopeLine.test(line)) text = start;
    start = next;
  }
  return text === undefined ? message : inserted(message, text);
}

/** Characters of a line that are searched for a header's name. */
const longestName = 1_000;

function inserted(message: Uint8Array, at: number): Uint8Array {
  const ended = new Uint8Array(message.length + crlf.length);
  ended.set(message.subarray(0, at));
  ended.set(crlf, at);
  ended.set(message.subarray(at), at + crlf.length);
  return ended;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
