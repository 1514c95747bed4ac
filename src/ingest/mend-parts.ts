import { betterDecoded } from "./charset.ts";
import { isReadPart, type LeafPart, leafParts, parameterOf } from "./mime-parts.ts";
import { mailLimits } from "./limits.ts";
import { transferDecoded } from "./transfer-encoding.ts";
import { uuFiles } from "./uuencode.ts";

/**
 * The message as the parser needs it. Of its own headers it gets those that say how to read it: it would work through all the
 * others, which we read ourselves within bounds.
 */
export function forParser(message: Uint8Array): Uint8Array {
  const mended = mendParts(message);
  const bodyStart = headEnd(mended);
  if (bodyStart === undefined) return mended;
  const head = linesOf(mended.subarray(0, bodyStart), (line) => /^content-/i.test(line));
  return Buffer.concat([
    Buffer.from(`${head.join("\n")}\n\n`, "latin1"),
    mended.subarray(bodyStart),
  ]);
}

/**
 * The message with those parts rewritten that the parser would read wrongly: uuencoded ones as base64, texts in a character
 * set that it does not know, or under the wrong name, as UTF-8. Everything else stays as it is.
 */
function mendParts(message: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const part of leafParts(message)) {
    const mended = mendedPart(message, part);
    if (mended === undefined) continue;
    pieces.push(message.subarray(at, part.start), mended);
    at = part.end;
  }
  return at === 0 ? message : Buffer.concat([...pieces, message.subarray(at)]);
}

function mendedPart(message: Uint8Array, part: LeafPart): Uint8Array | undefined {
  const type = part.headers.get("content-type")?.[0] ?? "";
  const encoding =
    /[\w-]+/.exec(part.headers.get("content-transfer-encoding")?.[0]?.toLowerCase() ?? "")?.[0] ??
    "";
  const body = message.subarray(part.bodyStart, part.end);
  if (/^(?:x-)?uu/.test(encoding)) {
    const [file] = uuFiles(Buffer.from(body).toString("latin1")).files;
    return file && rewritten(message, part, withName(type, file.name), file.content);
  }
  if (body.length > mailLimits.mendedBytes) return undefined;
  // The bytes of what was sent along stay as they are.
  const decoded = isReadPart(part) ? transferDecoded(body, encoding) : undefined;
  const text = decoded && betterDecoded(decoded, parameterOf(type, "charset"));
  if (text !== undefined) return rewritten(message, part, withUtf8(type), Buffer.from(text));
  const content = hasShortLines(body) ? (decoded ?? transferDecoded(body, encoding)) : undefined;
  return content && rewritten(message, part, type, content);
}

/** The parser keeps an object for each line: a megabyte of empty ones takes it many seconds. */
function hasShortLines(body: Uint8Array): boolean {
  if (body.length < mailLimits.shortLinesBytes) return false;
  let lines = 0;
  for (const byte of body) if (byte === 0x0a) lines += 1;
  return lines * mailLimits.shortLine > body.length;
}

function withUtf8(type: string): string {
  const bare = type.replace(/;\s*charset\s*=\s*(?:"[^"]*"|[^\s;"]*)/i, "").trim();
  return `${bare === "" ? "text/plain" : bare}; charset=utf-8`;
}

/** The name that stands in the encoding itself, where the part has none. */
function withName(type: string, name: string): string {
  const bare = type.trim() === "" ? "application/octet-stream" : type;
  if (parameterOf(type, "name") !== undefined || /\bname\*/i.test(type)) return bare;
  return `${bare}; name="${name.replace(/["\\]/g, "_")}"`;
}

const replaced = /^content-(?:type|transfer-encoding)\s*:/i;

function rewritten(
  message: Uint8Array,
  part: LeafPart,
  type: string,
  content: Uint8Array,
): Uint8Array {
  const head = message.subarray(part.start, part.bodyStart);
  const kept = linesOf(head, (line) => line.trim() !== "" && !replaced.test(line));
  const base64 = Buffer.from(content.buffer, content.byteOffset, content.length)
    .toString("base64")
    .replace(/.{20000}/g, "$&\n");
  return Buffer.concat([
    Buffer.from([...kept, ""].join("\n"), "latin1"),
    Buffer.from(type.trim() === "" ? "" : `Content-Type: ${type.replace(/\s+/g, " ")}\n`),
    Buffer.from("Content-Transfer-Encoding: base64\n"),
    Buffer.from(`\n${base64}\n`),
  ]);
}

/** Header lines with their continuations. */
function linesOf(head: Uint8Array, isWanted: (line: string) => boolean): string[] {
  const kept: string[] = [];
  let isKept = false;
  for (const line of Buffer.from(head).toString("latin1").split(/\r?\n/)) {
    if (!/^[ \t]/.test(line)) isKept = isWanted(line);
    if (isKept) kept.push(line);
  }
  return kept;
}

/** Behind the empty line after the headers; undefined where there is none. */
function headEnd(message: Uint8Array): number | undefined {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  const ends = [
    [bytes.indexOf("\n\n"), 2],
    [bytes.indexOf("\n\r\n"), 3],
  ] as const;
  const found = ends.filter(([at]) => at !== -1).map(([at, length]) => at + length);
  return found.length === 0 ? undefined : Math.min(...found);
}
