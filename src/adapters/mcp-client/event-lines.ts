import { type Data, isData } from "../../core/shared/data.ts";
import { RequestFault } from "./errors.ts";
import { exactText } from "./message-text.ts";

const lineFeed = 10;
const carriageReturn = 13;
const field = "data:";
/**
 * Limit on events in a row without a message, such as comments that keep a connection open. Each costs time of other
 * calls.
 */
const maxWithoutMessage = 10_000;

/**
 * Creates the function that returns the events of a stream that a chunk completes, with a line feed at the end of each
 * line. The SDK waits for what follows a carriage return, and a server that ends its lines with it alone may send
 * nothing more.
 * @param invalid is called for an event that is not JSON-RPC. The SDK would skip it, and its caller would wait until the
 * timeout
 * @throws RequestFault by the returned function, for too many events without a message
 */
export function eventLines(invalid: () => void): (chunk: Uint8Array) => string {
  /** The parts of the line that is not complete. The body's limit is also theirs. */
  let parts: Uint8Array[] = [];
  let event: string[] = [];
  let isAfterReturn = false;
  let withoutMessage = 0;
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
          withoutMessage = hasMessage(event) ? 0 : withoutMessage + 1;
          if (withoutMessage > maxWithoutMessage)
            throw new RequestFault("sent too many messages", { wasSent: true });
          complete += textOf(event, invalid);
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
function textOf(event: readonly string[], invalid: () => void): string {
  const data = event
    .filter((line) => line.startsWith(field))
    .map((line) => line.slice(field.length));
  const given = data.join("\n");
  if (given.trim() !== "" && isOfMessage(event) && !isReadable(given)) invalid();
  const exact = exactText(given);
  const lines =
    exact === given
      ? event
      : [...event.filter((line) => line !== "" && !line.startsWith(field)), `${field}${exact}`, ""];
  return lines.map((line) => `${line}\n`).join("");
}

function hasMessage(event: readonly string[]): boolean {
  return event.some((line) => line.startsWith(field)) && isOfMessage(event);
}

/** Returns whether an event has a message (HTML, section 9.2.6). Events of another type have no reader. */
function isOfMessage(event: readonly string[]): boolean {
  const type = event.findLast((line) => line.startsWith("event:"));
  return type === undefined || /^event: ?(?:message)?$/.test(type);
}

/** Returns whether the SDK accepts the text as a message of JSON-RPC. */
function isReadable(text: string): boolean {
  try {
    const message: unknown = JSON.parse(text);
    return isData(message) && message["jsonrpc"] === "2.0" && hasForm(message);
  } catch {
    return false;
  }
}

function hasForm({ id, method, params, result, error }: Data): boolean {
  if (method !== undefined)
    return typeof method === "string" && (params === undefined || isData(params));
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return false;
  if (error === undefined) return isData(result);
  return isData(error) && Number.isInteger(error["code"]) && typeof error["message"] === "string";
}
