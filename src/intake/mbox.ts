import { createReadStream } from "node:fs";
import { importLimits } from "./limits.ts";

const lf = 0x0a;
const cr = 0x0d;
const quote = 0x3e;
const separator = Buffer.from("From ");

/** One message of an mbox file; without bytes where it is larger than allowed. */
export interface MboxMessage {
  /** From 1. */
  number: number;
  bytes: number;
  /** What it takes of the file, with the line that begins it and what is taken from its lines. */
  fileBytes: number;
  message?: Uint8Array;
}

/**
 * The messages of an mbox file, one at a time, however large the file is. A message begins at a line `From ` that starts
 * the file or follows a blank line; of lines that begin with `>From `, `>>From ` and so on one `>` is taken (mboxrd).
 */
export async function* mboxMessages(path: string, maxBytes: number): AsyncGenerator<MboxMessage> {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  let aroundBytes = 0;
  let number = 0;
  let afterBlank = true;
  let carry: Buffer = Buffer.alloc(0);
  let isInLine = false;

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
      if (isInLine) {
        isInLine = false;
        afterBlank = false;
      } else if (afterBlank && startsWith(line, 0)) {
        if (number > 0) {
          add(text.subarray(kept, start));
          yield finished();
        }
        number += 1;
        aroundBytes += line.length;
        kept = end + 1;
        afterBlank = false;
      } else {
        if (isQuoted(line)) {
          add(text.subarray(kept, start));
          aroundBytes += 1;
          kept = start + 1;
        }
        afterBlank = line.length === 1 || (line.length === 2 && line[0] === cr);
      }
      start = end + 1;
    }
    if (text.length - start > importLimits.lineBytes) {
      add(text.subarray(kept));
      isInLine = true;
      carry = Buffer.alloc(0);
    } else {
      add(text.subarray(kept, start));
      carry = text.subarray(start);
    }
  }
  if (!isInLine && isQuoted(carry)) {
    aroundBytes += 1;
    carry = carry.subarray(1);
  }
  add(carry);
  if (number > 0) yield finished();
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

/** The blank line before the next separator belongs to the file, not to the message. */
function withoutLastBlank(message: Buffer): Buffer {
  const end = message.length;
  if (message[end - 1] !== lf) return message;
  const line = message[end - 2] === cr ? end - 2 : end - 1;
  return line === 0 || message[line - 1] === lf ? message.subarray(0, line) : message;
}
