import { type Headers, scanHeaders } from "./headers.ts";
import { mailLimits } from "../pipeline/limits.ts";

/** A part that contains no other parts. Offsets into the message. */
export interface LeafPart {
  kind: "part";
  headers: Headers;
  start: number;
  bodyStart: number;
  end: number;
  /** RFC 2046 5.1.5: the default type is a message in a digest, and text elsewhere. */
  isInDigest: boolean;
  /** RFC 2046 5.1.4: an alternative form of the part exists. */
  isInAlternative: boolean;
}

/** Bytes that belong to no part: before the first part of a multipart, and after the last. */
export interface Gap {
  kind: "gap";
  start: number;
  end: number;
}

/** The bytes after more parts than are real. */
export interface Rest {
  kind: "rest";
  start: number;
  end: number;
}

/** An open multipart. Inner ones come after outer ones. */
interface Open {
  boundary: string;
  /** In lower case: `mixed`, for example. */
  subtype: string;
}

const lf = 0x0a;

/** Returns whether the parser treats a part as body text and not as an attachment. */
export function isReadPart(part: LeafPart): boolean {
  const disposition = part.headers.get("content-disposition")?.[0] ?? "";
  return (
    /^\s*(?:$|;|text\/(?:plain|html)\b)/i.test(typeOf(part)) &&
    !/^\s*attachment\b/i.test(disposition)
  );
}

/** Returns how the parser treats a part. Undefined if our reading may differ from the parser's. */
export function readAs(part: LeafPart): "plain" | "html" | "calendar" | "file" | undefined {
  const type = typeOf(part);
  const encoding = part.headers.get("content-transfer-encoding")?.[0] ?? "";
  // Headers with comments are left to the parser.
  if (encoding.includes("(") || /^[^;]*\(|^\s*multipart\b/i.test(type)) return undefined;
  if (!isReadPart(part))
    return /^\s*(?:text\/calendar|application\/ics)\b/i.test(type) ? "calendar" : "file";
  if (!part.headers.has("content-type")) return "plain";
  const text = /^\s*text\/(plain|html)\s*(?:;|$)/i.exec(type)?.[1]?.toLowerCase();
  return text === "plain" || text === "html" ? text : undefined;
}

function typeOf({ headers, isInDigest }: LeafPart): string {
  return headers.get("content-type")?.[0] ?? (isInDigest ? "message/rfc822" : "");
}

/** Returns the first word of a Content-Transfer-Encoding, in lower case. */
export function encodingOf({ headers }: LeafPart): string {
  const value = headers.get("content-transfer-encoding")?.[0]?.toLowerCase() ?? "";
  return /[\w-]+/.exec(value)?.[0] ?? "";
}

/** Yields the parts that contain no other parts, in order. */
export function* leafParts(message: Uint8Array): Generator<LeafPart> {
  for (const found of mimeParts(message)) if (found.kind === "part") yield found;
}

/**
 * Yields the positions of the parts of a message (RFC 2046 5.1), as the parser sees them. Used to change parts before
 * parsing, so a message in a message is one part here. Stops after an unrealistic number of parts.
 */
export function* mimeParts(message: Uint8Array): Generator<LeafPart | Gap | Rest> {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  const open: Open[] = [];
  let start = 0;
  for (let parts = 0; parts < mailLimits.attachments; parts += 1) {
    const bodyStart = behindHeaders(bytes, start, open);
    const headers = scanHeaders(bytes.subarray(start, bodyStart));
    const isInDigest = open.at(-1)?.subtype === "digest";
    const isInAlternative = open.some(({ subtype }) => subtype === "alternative");
    const boundary = boundaryOf(headers);
    if (boundary !== undefined && open.length < mailLimits.openParts)
      open.push({ boundary, subtype: multipartOf(headers) });
    const depth = open.length;
    let next = delimiterFrom(bytes, bodyStart, open);
    const end = next?.at ?? bytes.length;
    if (boundary === undefined)
      yield { kind: "part", headers, start, bodyStart, end, isInDigest, isInAlternative };
    // At another multipart's delimiter our boundary may be misread, and parts may be in between.
    else if (next?.depth === depth && !next.isLast)
      yield { kind: "gap", start: bodyStart, end: next.at };
    while (next?.isLast === true) {
      open.length = next.depth - 1;
      const from: number = next.after;
      next = delimiterFrom(bytes, from, open);
      yield { kind: "gap", start: from, end: next?.at ?? bytes.length };
    }
    if (next === undefined) return;
    open.length = next.depth;
    start = next.after;
  }
  yield { kind: "rest", start, end: bytes.length };
}

function multipartOf(headers: Headers): string {
  const type = headers.get("content-type")?.[0] ?? "";
  return /^\s*multipart\/([\w-]+)/i.exec(type)?.[1]?.toLowerCase() ?? "";
}

function boundaryOf(headers: Headers): string | undefined {
  const type = headers.get("content-type")?.[0] ?? "";
  if (!/^\s*multipart\//i.test(type)) return undefined;
  return parameterOf(type, "boundary");
}

/**
 * Returns a parameter of a Content-Type. RFC 2231 continuations are ignored, since boundaries and character sets are
 * short.
 */
export function parameterOf(
  contentType: string,
  name: "boundary" | "charset" | "name" | "format" | "delsp",
): string | undefined {
  const pattern = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;"]+))`, "i");
  const match = pattern.exec(contentType.slice(0, mailLimits.contentTypeCharacters));
  return match?.[1] ?? match?.[2];
}

/** Returns the start of the body: after the first empty line, or at an earlier delimiter. */
function behindHeaders(bytes: Buffer, start: number, open: readonly Open[]): number {
  let at = start;
  while (at < bytes.length) {
    const end = bytes.indexOf(lf, at);
    const next = end === -1 ? bytes.length : end + 1;
    const line = lineAt(bytes, at, next);
    if (line === "") return next;
    if (line.startsWith("--") && named(line, open) !== undefined) return at;
    at = next;
  }
  return bytes.length;
}

interface Delimiter {
  at: number;
  after: number;
  /** The number of multiparts open at this delimiter, including its own. */
  depth: number;
  isLast: boolean;
}

function delimiterFrom(bytes: Buffer, from: number, open: readonly Open[]): Delimiter | undefined {
  if (open.length === 0) return undefined;
  for (let at = lineFrom(bytes, from); at !== -1; at = lineFrom(bytes, at + 2)) {
    const end = bytes.indexOf(lf, at);
    const after = end === -1 ? bytes.length : end + 1;
    const found = named(lineAt(bytes, at, after), open);
    if (found !== undefined) return { at, after, ...found };
  }
  return undefined;
}

/** Returns the start of the next line that begins with two hyphens, from this offset on. */
function lineFrom(bytes: Buffer, from: number): number {
  if (bytes[from] === 0x2d && bytes[from + 1] === 0x2d && (from === 0 || bytes[from - 1] === lf))
    return from;
  const at = bytes.indexOf("\n--", Math.max(0, from - 1), "latin1");
  return at === -1 ? -1 : at + 1;
}

/** Reads a line as far as a delimiter may reach. RFC 2046 allows 70 characters, postal-mime more. */
function lineAt(bytes: Buffer, at: number, next: number): string {
  return bytes.toString("latin1", at, Math.min(next, at + 300)).replace(/[\r\n]+$/, "");
}

/** Returns the innermost multipart whose delimiter this line is. Blanks may follow it. */
function named(
  line: string,
  open: readonly Open[],
): Pick<Delimiter, "depth" | "isLast"> | undefined {
  const at = open.findLastIndex(
    ({ boundary }) =>
      line.startsWith(boundary, 2) && /^(?:--)?[ \t]*$/.test(line.slice(2 + boundary.length)),
  );
  return at === -1
    ? undefined
    : { depth: at + 1, isLast: line.startsWith("--", 2 + (open[at]?.boundary.length ?? 0)) };
}
