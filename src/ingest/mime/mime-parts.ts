import { type Headers, scanHeaders } from "./headers.ts";
import { mailLimits } from "../pipeline/limits.ts";
import { type StructuredHeader, structuredHeader } from "./structured-header.ts";

/** A part that contains no other parts. Offsets into the message. */
export interface LeafPart {
  headers: Headers;
  /** The Content-Type, or the default if the part has none. */
  type: StructuredHeader;
  bodyStart: number;
  end: number;
  /** The multipart/alternative around it, whose parts show the same content (RFC 2046 5.1.4). */
  alternative: object | undefined;
  /** True if the part may be a picture of a page (RFC 2387). */
  isRelated: boolean;
}

interface Multipart {
  /** The boundary with and without the blanks at its end, because the last delimiter may contain either. */
  boundaries: Set<string>;
  /** In lower case: `mixed`, for example. */
  subtype: string;
}

/** The open multiparts, the outermost first, and the depths of each boundary among them. */
interface Open {
  all: Multipart[];
  depths: Map<string, number[]>;
}

/** The parts are nested too deeply. Mail programs nest at most a dozen. */
export class TooDeepError extends Error {}

const lf = 0x0a;

/**
 * Returns the parts that contain no other parts, in order (RFC 2046 5.1). A message in a message is one part. Stops at
 * the limit of parts.
 * @throws TooDeepError
 * @returns also the number of bytes after the last part that was read
 */
export function leafParts(message: Uint8Array): { parts: LeafPart[]; bytesBehind: number } {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  const parts: LeafPart[] = [];
  const open: Open = { all: [], depths: new Map() };
  let start = 0;
  for (let count = 0; count < mailLimits.attachments; count += 1) {
    const bodyStart = behindHeaders(bytes, start, open);
    const headers = scanHeaders(bytes.subarray(start, bodyStart));
    const type = typeOf(headers, open.all.at(-1)?.subtype === "digest");
    const alternative = open.all.findLast(({ subtype }) => subtype === "alternative");
    const isRelated = open.all.some(({ subtype }) => subtype === "related");
    const multipart = openedBy(type);
    if (multipart !== undefined) enter(open, multipart);
    if (open.all.length > mailLimits.openParts) throw new TooDeepError();
    let next = delimiterFrom(bytes, bodyStart, open);
    const end = next?.at ?? bytes.length;
    if (!type.value.startsWith("multipart/"))
      parts.push({ headers, type, bodyStart, end, alternative, isRelated });
    while (next?.isLast === true) {
      leave(open, next.depth - 1);
      next = delimiterFrom(bytes, next.after, open);
    }
    if (next === undefined) return { parts, bytesBehind: 0 };
    leave(open, next.depth);
    start = next.after;
  }
  return { parts, bytesBehind: bytes.length - start };
}

function enter({ all, depths }: Open, multipart: Multipart): void {
  const depth = all.push(multipart);
  for (const boundary of multipart.boundaries) {
    const others = depths.get(boundary);
    if (others === undefined) depths.set(boundary, [depth]);
    else others.push(depth);
  }
}

/** Closes multiparts until this many are open. */
function leave({ all, depths }: Open, depth: number): void {
  for (const { boundaries } of all.splice(depth))
    for (const boundary of boundaries) depths.get(boundary)?.pop();
}

/**
 * Returns the type of a part. The default is a message in a digest (RFC 2046 5.1.5) and text elsewhere (RFC 2045 5.2).
 * A header with only parameters means a file.
 */
function typeOf(headers: Headers, isInDigest: boolean): StructuredHeader {
  const given = headers.get("content-type")?.[0]?.slice(0, mailLimits.contentTypeCharacters) ?? "";
  const type = structuredHeader(given);
  if (type.value !== "") return type;
  if (given !== "") return { ...type, value: "application/octet-stream" };
  return { ...type, value: isInDigest ? "message/rfc822" : "text/plain" };
}

/** Returns the multipart that a type opens. Undefined for any other type, and without a boundary. */
function openedBy(type: StructuredHeader): Multipart | undefined {
  const subtype = /^multipart\/([\w-]+)/.exec(type.value)?.[1];
  // A boundary does not end with blanks (RFC 2046 5.1.1), and blanks after a delimiter are ignored.
  const given = type.parameter("boundary");
  const boundary = given?.trimEnd();
  return subtype === undefined || given === undefined || boundary === undefined || boundary === ""
    ? undefined
    : { boundaries: new Set([boundary, given]), subtype };
}

/** Returns the start of the body: after the first empty line, or at an earlier delimiter. */
function behindHeaders(bytes: Buffer, start: number, open: Open): number {
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

function delimiterFrom(bytes: Buffer, from: number, open: Open): Delimiter | undefined {
  if (open.all.length === 0) return undefined;
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

/** Reads a line as far as a delimiter may reach. RFC 2046 allows 70 characters, but real ones are longer. */
function lineAt(bytes: Buffer, at: number, next: number): string {
  const end = Math.min(next, at + mailLimits.contentTypeCharacters);
  return bytes.toString("latin1", at, end).replace(/[\r\n]+$/, "");
}

/** Returns the innermost multipart whose delimiter this line is. Blanks may follow it. */
function named(line: string, { depths }: Open): Pick<Delimiter, "depth" | "isLast"> | undefined {
  const name = line.slice(2).trimEnd();
  const depth = depths.get(name)?.at(-1) ?? 0;
  const lastDepth = name.endsWith("--") ? (depths.get(name.slice(0, -2))?.at(-1) ?? 0) : 0;
  if (depth === 0 && lastDepth === 0) return undefined;
  return { depth: Math.max(depth, lastDepth), isLast: lastDepth > depth };
}
