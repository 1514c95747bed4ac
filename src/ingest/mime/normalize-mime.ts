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
 * Returns the message as the parser needs it. Of the message's own headers it keeps only those that say how to decode
 * the body. The parser would process all others, which we read ourselves within bounds.
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

/** Joins pieces into a buffer of its own, which the parser takes without another copy. */
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
 * Rewrites the parts that the parser would misread. Uuencoded parts become base64. Texts in unknown or wrongly named
 * character sets and headers with raw bytes become UTF-8. Flowed texts get one line per paragraph. Large parts and long
 * gaps are shortened. All else stays unchanged.
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
  if (piece.kind === "gap") return large.ofGap(piece);
  if (piece.kind === "rest") return large.ofRest(piece);
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
  // The bytes of attachments stay unchanged.
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

/** Text in these brackets is a tag, not an address. */
const tag = /<\/?(?:a|b|br|div|font|hr|i|p|pre|small|span|table|ul)(?=[\s/>])[^<>]*>/i;

/**
 * Appends a footer to the text, decoded separately, because the program that added it did not know the text's character
 * set.
 */
function withFooter(decoded: Uint8Array, footer: Uint8Array, part: LeafPart): string {
  const type = part.headers.get("content-type")?.[0] ?? "";
  const text = decodedText(decoded, parameterOf(type, "charset"));
  const below = decodedText(footer);
  if (readAs(part) !== "html" || tag.test(below)) return `${text}\n${below}`;
  return `${text}\n<pre>${below.replace(/&/g, "&amp;").replace(/</g, "&lt;")}</pre>`;
}

/** Returns the part with a readable head and its body unchanged. */
function mendedHead(message: Uint8Array, part: LeafPart): Uint8Array[] | undefined {
  const head = readableHead(message.subarray(part.start, part.bodyStart));
  return head && [head, message.subarray(part.bodyStart, part.end)];
}

/** Decodes a body as the parser would decode the whole part. */
function contentOf(body: Uint8Array, encoding: string): Uint8Array {
  const isShort = body.length <= mailLimits.mendedBytes && hasShortLines(body);
  return (isShort ? transferDecoded(body, encoding) : undefined) ?? sentBytes(body, encoding);
}

/**
 * Returns whether a body has very short lines. The parser keeps an object per line, and a megabyte of empty lines takes
 * it many seconds.
 */
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

/** Adds the file name from the encoded data if the part has none. */
function withName(type: string, name: string): string {
  const bare = type.trim() === "" ? "application/octet-stream" : type;
  if (parameterOf(type, "name") !== undefined || /\bname\*/i.test(type)) return bare;
  return `${bare}; name="${name.replace(/["\\]/g, "_")}"`;
}

const ofEncoding = /^content-transfer-encoding\s*:/i;
const ofEncodingOrType = /^content-(?:type|transfer-encoding)\s*:/i;

/** Bytes per line of base64. The parser keeps an object for each line and handles it as a string. */
const base64Bytes = 15_000;

/**
 * Returns the part with another content, in base64.
 * @param type its new Content-Type, if it changes
 */
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
    // One piece, because the first piece is searched for the end of the headers.
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

/** Returns the wanted header lines with their continuations. */
function linesOf(head: Uint8Array, isWanted: (line: string) => boolean): string[] {
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString("latin1");
  const kept: string[] = [];
  let isKept = false;
  // One match at a time, because there may be hundreds of thousands.
  for (const [, line = ""] of text.matchAll(/([^\n]*?)\r?(?:\n|$)/g)) {
    if (!/^[ \t]/.test(line)) isKept = isWanted(line);
    if (isKept) kept.push(line);
  }
  return kept;
}

/** Returns the offset after the empty line that ends the headers. Undefined if there is none. */
function headEnd(message: Uint8Array): number | undefined {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  // An empty line at the top ends an empty head.
  if (bytes[0] === 0x0a) return 1;
  if (bytes[0] === 0x0d && bytes[1] === 0x0a) return 2;
  const ends = [
    [bytes.indexOf("\n\n"), 2],
    [bytes.indexOf("\n\r\n"), 3],
  ] as const;
  const found = ends.filter(([at]) => at !== -1).map(([at, length]) => at + length);
  return found.length === 0 ? undefined : Math.min(...found);
}
