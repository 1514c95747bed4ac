import { exactText } from "./message-text.ts";

const lineFeed = 10;
const carriageReturn = 13;
const field = "data:";

/**
 * Creates the function that returns the lines of an event stream that a chunk completes, each with a line feed at its
 * end. The SDK waits for what follows a carriage return, and a server that ends its lines with it alone may send
 * nothing more.
 */
export function eventLines(): (chunk: Uint8Array) => Uint8Array {
  /** The parts of the line that is not complete. The body's limit is also theirs. */
  let parts: Uint8Array[] = [];
  let isAfterReturn = false;
  return (chunk) => {
    const lines: Uint8Array[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte !== lineFeed && byte !== carriageReturn) {
        isAfterReturn = false;
        continue;
      }
      if (byte === lineFeed && isAfterReturn) {
        // The second half of one line end.
        from = at + 1;
        isAfterReturn = false;
        continue;
      }
      isAfterReturn = byte === carriageReturn;
      lines.push(lineOf(Buffer.concat([...parts, chunk.subarray(from, at)])));
      parts = [];
      from = at + 1;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
    return Buffer.concat(lines);
  };
}

function lineOf(bytes: Buffer): Uint8Array {
  const text = bytes.toString("utf8");
  if (!text.startsWith(field)) return Buffer.from(`${text}\n`);
  return Buffer.from(`${field}${exactText(text.slice(field.length))}\n`);
}
