import { type Headers, scanHeaders } from "./headers.ts";
import { mailLimits } from "./limits.ts";

/** A part that holds no others. Offsets into the message. */
export interface LeafPart {
  headers: Headers;
  start: number;
  bodyStart: number;
  end: number;
}

const lf = 0x0a;

/** Whether a part is text to be read, as the parser decides it, and not something sent along. */
export function isReadPart({ headers }: LeafPart): boolean {
  const type = headers.get("content-type")?.[0] ?? "";
  const disposition = headers.get("content-disposition")?.[0] ?? "";
  return /^\s*(?:$|;|text\/(?:plain|html)\b)/i.test(type) && !/^\s*attachment\b/i.test(disposition);
}

/**
 * Where the parts of a message are (RFC 2046 5.1). Only for what has to be changed before the parser sees it: a message in a
 * message is one part here. Gives up where nobody's message goes on.
 */
export function* leafParts(message: Uint8Array): Generator<LeafPart> {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  const boundaries = new Set<string>();
  let start = 0;
  for (let parts = 0; parts < mailLimits.attachments; parts += 1) {
    const bodyStart = behindHeaders(bytes, start, boundaries);
    const headers = scanHeaders(bytes.subarray(start, bodyStart));
    const boundary = boundaryOf(headers);
    if (boundary !== undefined && boundaries.size < mailLimits.openParts) boundaries.add(boundary);
    const delimiter = delimiterFrom(bytes, bodyStart, boundaries);
    if (boundary === undefined)
      yield { headers, start, bodyStart, end: delimiter?.at ?? bytes.length };
    // Text between the last part and what follows it belongs to nobody.
    let next = delimiter;
    while (next?.closes !== undefined) {
      boundaries.delete(next.closes);
      next = delimiterFrom(bytes, next.after, boundaries);
    }
    if (next === undefined) return;
    start = next.after;
  }
}

function boundaryOf(headers: Headers): string | undefined {
  const type = headers.get("content-type")?.[0] ?? "";
  if (!/^\s*multipart\//i.test(type)) return undefined;
  return parameterOf(type, "boundary");
}

/** A parameter of a Content-Type, without RFC 2231's continuations: neither boundaries nor character sets are that long. */
export function parameterOf(
  contentType: string,
  name: "boundary" | "charset" | "name",
): string | undefined {
  const pattern = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;"]+))`, "i");
  const match = pattern.exec(contentType.slice(0, mailLimits.contentTypeCharacters));
  return match?.[1] ?? match?.[2];
}

/** Where the body begins: behind the first empty line, or at a delimiter that comes before it. */
function behindHeaders(bytes: Buffer, start: number, boundaries: ReadonlySet<string>): number {
  let at = start;
  while (at < bytes.length) {
    const end = bytes.indexOf(lf, at);
    const next = end === -1 ? bytes.length : end + 1;
    const line = bytes.toString("latin1", at, Math.min(next, at + 300)).trimEnd();
    if (line === "") return next;
    if (line.startsWith("--") && named(line, boundaries) !== undefined) return at;
    at = next;
  }
  return bytes.length;
}

interface Delimiter {
  at: number;
  after: number;
  /** The boundary that ends with it. */
  closes?: string;
}

function delimiterFrom(
  bytes: Buffer,
  from: number,
  boundaries: ReadonlySet<string>,
): Delimiter | undefined {
  if (boundaries.size === 0) return undefined;
  for (let at = lineFrom(bytes, from); at !== -1; at = lineFrom(bytes, at + 2)) {
    const end = bytes.indexOf(lf, at);
    const after = end === -1 ? bytes.length : end + 1;
    // RFC 2046 allows 70 characters; postal-mime more.
    const found = named(bytes.toString("latin1", at, Math.min(after, at + 300)), boundaries);
    if (found !== undefined) return { at, after, ...(found.isLast && { closes: found.boundary }) };
  }
  return undefined;
}

/** The next line that begins with two hyphens, at or behind this place. */
function lineFrom(bytes: Buffer, from: number): number {
  if (bytes[from] === 0x2d && bytes[from + 1] === 0x2d && (from === 0 || bytes[from - 1] === lf))
    return from;
  const at = bytes.indexOf("\n--", Math.max(0, from - 1), "latin1");
  return at === -1 ? -1 : at + 1;
}

function named(
  line: string,
  boundaries: ReadonlySet<string>,
): { boundary: string; isLast: boolean } | undefined {
  const text = line.trimEnd().slice(2);
  if (boundaries.has(text)) return { boundary: text, isLast: false };
  const shorter = text.endsWith("--") ? text.slice(0, -2) : undefined;
  return shorter !== undefined && boundaries.has(shorter)
    ? { boundary: shorter, isLast: true }
    : undefined;
}
