import { exactText } from "./message-text.ts";

const lineFeed = 10;
const carriageReturn = 13;
const field = "data:";

/**
 * Creates the function that returns the events of a stream that a chunk completes, with a line feed at the end of each
 * line. The SDK waits for what follows a carriage return, and a server that ends its lines with it alone may send
 * nothing more.
 */
export function eventLines(): (chunk: Uint8Array) => string {
  /** The parts of the line that is not complete. The body's limit is also theirs. */
  let parts: Uint8Array[] = [];
  let event: string[] = [];
  let isAfterReturn = false;
  return (chunk) => {
    let complete = "";
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte !== lineFeed && byte !== carriageReturn) {
        isAfterReturn = false;
        continue;
      }
      const isSecondHalf = byte === lineFeed && isAfterReturn;
      isAfterReturn = byte === carriageReturn;
      if (!isSecondHalf) {
        const line = Buffer.concat([...parts, chunk.subarray(from, at)]).toString("utf8");
        parts = [];
        event.push(line);
        if (line === "") {
          complete += textOf(event);
          event = [];
        }
      }
      from = at + 1;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
    return complete;
  };
}

/** Returns an event whose last line is empty. Its data may have several lines. */
function textOf(event: readonly string[]): string {
  const data = event
    .filter((line) => line.startsWith(field))
    .map((line) => line.slice(field.length));
  const given = data.join("\n");
  const exact = exactText(given);
  const lines =
    exact === given
      ? event
      : [...event.filter((line) => line !== "" && !line.startsWith(field)), `${field}${exact}`, ""];
  return lines.map((line) => `${line}\n`).join("");
}
