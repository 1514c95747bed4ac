import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { importLimits } from "./limits.ts";

const lf = 0x0a;
const cr = 0x0d;
const quote = 0x3e;
const separator = Buffer.from("From ");
/**
 * A sender and a date in the form of `asctime` or RFC 5322, with nothing else after it. Prose that begins with "From"
 * may contain a day and a time too. Programs write zones before or after the year, and UUCP adds a host at the end.
 */
const dated = new RegExp(
  [
    /^From +\S[^\r\n]*? (?=[^\r\n]*\d:\d\d)(?=[^\r\n]*\b\d{4}\b)/,
    /(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? +/,
    /(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d{1,2}|\d{1,2} +(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))/,
    /(?: +(?:\d{1,2}:\d\d(?::\d\d)?|\d{4}|[A-Z]{1,5}|[+-]\d{4}|\([^)\r\n]*\)))+/,
    /(?: +remote from \S+)? *\r?(?=\n|$)/,
  ]
    .map(({ source }) => source)
    .join(""),
);
/** The longest separator line, which contains a sender and a date. Bytes. */
const separatorBytes = 1_000;

/** One message of an mbox file, without bytes if it is larger than allowed. */
export interface MboxMessage {
  /** Counts from 1. */
  number: number;
  bytes: number;
  /** Bytes in the file, including the separator line and removed quotation marks. */
  fileBytes: number;
  message?: Uint8Array;
}

/**
 * Yields the messages of an mbox file of any size, one at a time. A message begins at a `From ` line that starts the
 * file, or that follows a blank line and has a date (RFC 4155). One `>` is removed from lines that begin with `>From `
 * or `>>From ` (mboxrd). A `Content-Length` is used if the file or the message really ends there (mboxcl2). Lines
 * within it are never separators.
 */
export async function* mboxMessages(path: string, maxBytes: number): AsyncGenerator<MboxMessage> {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  let aroundBytes = 0;
  let number = 0;
  let afterBlank = true;
  let carry: Buffer = Buffer.alloc(0);
  let isInLine = false;
  let isInHead = false;
  let contentLength: number | undefined;
  /** The file offsets of the end of a body with known length, and of the current bytes. */
  let bodyEnd = 0;
  let position = 0;

  const add = (piece: Uint8Array): void => {
    bytes += piece.length;
    if (bytes > maxBytes + 2) pieces = [];
    else pieces.push(piece);
  };
  const finished = (): MboxMessage => {
    const whole = withoutLastBlank(Buffer.concat(pieces));
    const found = {
      number,
      bytes,
      fileBytes: bytes + aroundBytes,
      ...(bytes <= maxBytes + 2 && { message: whole }),
    };
    pieces = [];
    bytes = 0;
    aroundBytes = 0;
    return found;
  };

  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const text = carry.length === 0 ? chunk : Buffer.concat([carry, chunk]);
    let start = 0;
    let kept = 0;
    for (let end = text.indexOf(lf); end !== -1; end = text.indexOf(lf, start)) {
      const line = text.subarray(start, end + 1);
      const isWithin = position + start < bodyEnd;
      if (isInLine) {
        isInLine = false;
        afterBlank = false;
      } else if (!isWithin && afterBlank && isSeparator(line, number === 0)) {
        if (number > 0) {
          add(text.subarray(kept, start));
          yield finished();
        }
        number += 1;
        aroundBytes += line.length;
        kept = end + 1;
        afterBlank = false;
        isInHead = true;
        contentLength = undefined;
      } else {
        const isBlank = line.length === 1 || (line.length === 2 && line[0] === cr);
        if (isInHead && isBlank) {
          isInHead = false;
          const after = position + end + 1 + (contentLength ?? 0);
          if (contentLength !== undefined && endsAt(path, after)) bodyEnd = after;
        } else if (isInHead) contentLength = contentLengthIn(line) ?? contentLength;
        if (!isWithin && isQuoted(line)) {
          add(text.subarray(kept, start));
          aroundBytes += 1;
          kept = start + 1;
        }
        // A blank line may be missing after a body with known length.
        afterBlank = isBlank || position + end + 1 === bodyEnd;
      }
      start = end + 1;
    }
    if (text.length - start > importLimits.lineBytes) {
      add(text.subarray(kept));
      isInLine = true;
      carry = Buffer.alloc(0);
      position += text.length;
    } else {
      add(text.subarray(kept, start));
      carry = text.subarray(start);
      position += start;
    }
  }
  if (!isInLine && position >= bodyEnd && isQuoted(carry)) {
    aroundBytes += 1;
    carry = carry.subarray(1);
  }
  add(carry);
  if (number > 0) yield finished();
}

/** Returns whether a line begins a message. The first line of a file needs only `From `. */
function isSeparator(line: Buffer, isFirst: boolean): boolean {
  return (
    startsWith(line, 0) &&
    (isFirst || dated.test(line.subarray(0, separatorBytes).toString("latin1")))
  );
}

function contentLengthIn(line: Buffer): number | undefined {
  if (line.length > separatorBytes) return undefined;
  const [, digits] = /^content-length:[ \t]*(\d{1,12})\s*$/i.exec(line.toString("latin1")) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Returns whether a message can end at this offset. Some values of `Content-Length` were computed for another form of
 * the message.
 */
function endsAt(path: string, at: number): boolean {
  const file = openSync(path, "r");
  try {
    const next = Buffer.alloc(separatorBytes);
    // The byte before must be a line end of either kind.
    const read = readSync(file, next, 0, next.length, Math.max(0, at - 1));
    if (read <= 1) return read === 1 || at === 0;
    const behind = next.subarray(1, read).toString("latin1");
    const blank = /^(?:\r?\n)*/.exec(behind)?.[0] ?? "";
    if (behind.length === blank.length) return true;
    return (next[0] === lf || blank !== "") && dated.test(behind.slice(blank.length));
  } finally {
    closeSync(file);
  }
}

function startsWith(line: Uint8Array, at: number): boolean {
  return separator.every((byte, index) => line[at + index] === byte);
}

function isQuoted(line: Uint8Array): boolean {
  if (line[0] !== quote) return false;
  let at = 0;
  while (line[at] === quote) at += 1;
  return startsWith(line, at);
}

/** Removes the blank line before the next separator, which belongs to the file. */
function withoutLastBlank(message: Buffer): Buffer {
  const end = message.length;
  if (message[end - 1] !== lf) return message;
  const line = message[end - 2] === cr ? end - 2 : end - 1;
  return line === 0 || message[line - 1] === lf ? message.subarray(0, line) : message;
}
