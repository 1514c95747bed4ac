import { behindBase64 } from "./behind-base64.ts";
import { betterDecoded, decodedText } from "./charset.ts";
import { isFlowed, unflowed, withoutFlow } from "./flowed.ts";
import { createLargeParts, type LargeParts } from "./large-parts.ts";
import { mailLimits } from "../pipeline/limits.ts";
import {
  encodingOf,
  type Gap,
  isReadPart,
  type LeafPart,
  mimeParts,
  parameterOf,
  readAs,
  type Rest,
} from "./mime-parts.ts";
import { readableHead } from "./part-head.ts";
import { sentBytes, transferDecoded } from "./transfer-encoding.ts";
import { uuFiles } from "./uuencode.ts";

/**
 * The message as the parser needs it. Of its own headers it gets those that say how to read it: it would work through all the
 * others, which we read ourselves within bounds.
 */
export function normalizeForParser(
  message: Uint8Array,
  options: { setsAside: boolean },
): { mended: ArrayBuffer; large: LargeParts } {
  const large = createLargeParts(options);
  const [first = message, ...others] = mendedPieces(message, large);
  const bodyStart = headEnd(first);
  if (bodyStart === undefined) return { mended: joined([first, ...others]), large };
  const head = linesOf(first.subarray(0, bodyStart), (line) => /^content-/i.test(line));
  const top = Buffer.from(`${head.join("\n")}\n\n`, "latin1");
  return { mended: joined([top, first.subarray(bodyStart), ...others]), large };
}

/** Memory of its own, which the parser takes without another copy. */
function joined(pieces: readonly Uint8Array[]): ArrayBuffer {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole.buffer;
}

/**
 * The message with those parts rewritten that the parser would read wrongly: uuencoded ones as base64, texts in a character
 * set that it does not know, or under the wrong name, as UTF-8, and headers in bytes that are none; texts whose lines flow
 * with a line for each paragraph; and with little of what is large. Everything else stays as it is, but for long passages that belong to no part.
 */
function mendedPieces(message: Uint8Array, large: LargeParts): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const part of mimeParts(message)) {
    const mended = mendedPiece(message, part, large);
    if (mended === undefined) continue;
    pieces.push(message.subarray(at, part.start), ...mended);
    at = part.end;
  }
  return [...pieces, message.subarray(at)].filter(({ length }) => length > 0);
}

function mendedPiece(
  message: Uint8Array,
  piece: LeafPart | Gap | Rest,
  large: LargeParts,
): Uint8Array[] | undefined {
  if (piece.is === "gap") return large.ofGap(piece);
  if (piece.is === "rest") return large.ofRest(piece);
  return mendedPart(message, piece, large) ?? mendedHead(message, piece);
}

function mendedPart(
  message: Uint8Array,
  part: LeafPart,
  large: LargeParts,
): Uint8Array[] | undefined {
  const type = part.headers.get("content-type")?.[0] ?? "";
  const encoding = encodingOf(part);
  const whole = message.subarray(part.bodyStart, part.end);
  const footerAt = encoding === "base64" ? behindBase64(whole) : undefined;
  const given = whole.subarray(0, footerAt);
  if (/^(?:x-)?uu/.test(encoding)) {
    const [file] = uuFiles(given).files;
    if (file === undefined) return undefined;
    const standIn = large.standInFor(part, file.content.length, () => file.content);
    return rewritten(message, part, withName(type, file.name), standIn ?? file.content);
  }
  const standIn = large.standInFor(part, given.length, () => contentOf(given, encoding));
  if (standIn !== undefined) return rewritten(message, part, undefined, standIn);
  const beginning = large.beginningOf(part, given);
  const body = beginning ?? given;
  if (body.length > mailLimits.mendedBytes) return undefined;
  // The bytes of what was sent along stay as they are.
  const decoded = beginning ?? (isReadPart(part) ? transferDecoded(body, encoding) : undefined);
  const flows = isFlowed(type) && readAs(part) === "plain" && !hasShortLines(body);
  const unfolded = decoded && flows ? unflowed(decoded, type) : undefined;
  const read = unfolded ?? decoded;
  const charset = parameterOf(type, "charset");
  const footer = footerAt === undefined || beginning ? undefined : whole.subarray(footerAt);
  const text = read && (footer ? withFooter(read, footer, part) : betterDecoded(read, charset));
  const newType = unfolded === undefined ? type : withoutFlow(type);
  if (text !== undefined) return rewritten(message, part, withUtf8(newType), Buffer.from(text));
  if (unfolded !== undefined) return rewritten(message, part, newType, unfolded);
  const needsLess = footer !== undefined || hasShortLines(body);
  const content =
    beginning ?? (needsLess ? (decoded ?? transferDecoded(body, encoding)) : undefined);
  return content && rewritten(message, part, type, content);
}

/** An address between these brackets is none. */
const tag = /<\/?(?:a|b|br|div|font|hr|i|p|pre|small|span|table|ul)(?=[\s/>])[^<>]*>/i;

/** Below the text, in whatever set it is: who put it there knew nothing of the text. */
function withFooter(decoded: Uint8Array, footer: Uint8Array, part: LeafPart): string {
  const type = part.headers.get("content-type")?.[0] ?? "";
  const text = decodedText(decoded, parameterOf(type, "charset"));
  const below = decodedText(footer);
  if (readAs(part) !== "html" || tag.test(below)) return `${text}\n${below}`;
  return `${text}\n<pre>${below.replace(/&/g, "&amp;").replace(/</g, "&lt;")}</pre>`;
}

/** With its body as it is. */
function mendedHead(message: Uint8Array, part: LeafPart): Uint8Array[] | undefined {
  const head = readableHead(message.subarray(part.start, part.bodyStart));
  return head && [head, message.subarray(part.bodyStart, part.end)];
}

/** As the parser would hand it out, had it the whole part. */
function contentOf(body: Uint8Array, encoding: string): Uint8Array {
  const isShort = body.length <= mailLimits.mendedBytes && hasShortLines(body);
  return (isShort ? transferDecoded(body, encoding) : undefined) ?? sentBytes(body, encoding);
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

const ofEncoding = /^content-transfer-encoding\s*:/i;
const ofEncodingOrType = /^content-(?:type|transfer-encoding)\s*:/i;

/** Of one line of base64: the parser has an object for each, and works on it as a string. */
const base64Bytes = 15_000;

/** With another content, in base64; `type`: its new Content-Type, where that is not the old one. */
function rewritten(
  message: Uint8Array,
  part: LeafPart,
  type: string | undefined,
  content: Uint8Array,
): Uint8Array[] {
  const own = message.subarray(part.start, part.bodyStart);
  const head = readableHead(own) ?? own;
  const replaced = type === undefined ? ofEncoding : ofEncodingOrType;
  const kept = linesOf(head, (line) => line.trim() !== "" && !replaced.test(line));
  const pieces = [
    // Whole, as who looks for the end of a message's headers takes the first piece.
    Buffer.concat([
      Buffer.from([...kept, ""].join("\n"), "latin1"),
      Buffer.from(type?.trim() ? `Content-Type: ${type.replace(/\s+/g, " ")}\n` : ""),
      Buffer.from("Content-Transfer-Encoding: base64\n\n"),
    ]),
  ];
  for (let at = 0; at < content.length; at += base64Bytes) {
    const line = Buffer.from(content.subarray(at, at + base64Bytes)).toString("base64");
    pieces.push(Buffer.from(`${line}\n`, "latin1"));
  }
  return pieces;
}

/** Header lines with their continuations. */
function linesOf(head: Uint8Array, isWanted: (line: string) => boolean): string[] {
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString("latin1");
  const kept: string[] = [];
  let isKept = false;
  // One after the other: there may be hundreds of thousands.
  for (const [, line = ""] of text.matchAll(/([^\n]*?)\r?(?:\n|$)/g)) {
    if (!/^[ \t]/.test(line)) isKept = isWanted(line);
    if (isKept) kept.push(line);
  }
  return kept;
}

/** Behind the empty line after the headers; undefined where there is none. */
function headEnd(message: Uint8Array): number | undefined {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  // An empty line at the top ends a head that has nothing in it.
  if (bytes[0] === 0x0a) return 1;
  if (bytes[0] === 0x0d && bytes[1] === 0x0a) return 2;
  const ends = [
    [bytes.indexOf("\n\n"), 2],
    [bytes.indexOf("\n\r\n"), 3],
  ] as const;
  const found = ends.filter(([at]) => at !== -1).map(([at, length]) => at + length);
  return found.length === 0 ? undefined : Math.min(...found);
}
