import { z } from "zod";
import { likelyTokens } from "./tokens.ts";
import { ToolError } from "./tool-error.ts";

/** PRODUCT section 2: what fits into a client's context beside everything else. Bytes. */
export const pageBytes = { text: 32_000, binary: 12_000 } as const;

/**
 * Tokens that one page may cost. Hosts drop results over about 25 000 tokens, and a page is carried twice, as structured
 * content and as text; the rest is headroom for the facts around it.
 */
const maxPageTokens = 11_000;

/** The fields of every paged answer. Offsets count bytes of the stored text or file. */
export const pageFields = {
  content: z.string().describe("This page of it"),
  encoding: z.enum(["utf-8", "base64"]),
  offset: z.int().min(0).describe("Where this page starts, in bytes"),
  bytes: z.int().min(0).describe("Bytes in this page"),
  totalBytes: z.int().min(0).describe("Bytes in all"),
  truncated: z.boolean().describe("True where more follows"),
  nextOffset: z.int().optional().describe("Pass it as offset for the next page"),
};

/** The fields that ask for a page. */
export const pageInput = {
  offset: z.int().min(0).default(0).describe("Byte to start at"),
  maxBytes: z
    .int()
    .min(1)
    .max(pageBytes.text)
    .default(pageBytes.text)
    .describe("At most this many bytes"),
};

export interface Page {
  content: string;
  encoding: "utf-8" | "base64";
  offset: number;
  bytes: number;
  totalBytes: number;
  truncated: boolean;
  nextOffset?: number;
}

/** Bytes to read for a page: a character may stick out by three bytes at either end, and one more shows where it ends. */
export function pageWindow(request: { offset: number; maxBytes: number }): {
  offset: number;
  length: number;
} {
  return { offset: request.offset, length: Math.min(request.maxBytes, pageBytes.text) + 7 };
}

/**
 * Cuts one page out of a window that starts at `offset`. Text ends on a character; where the offset is inside one, the page
 * starts at the next. Throws `invalid_input` for an offset beyond the end.
 */
export function cutPage(
  window: Uint8Array,
  request: { offset: number; maxBytes: number },
  stored: { totalBytes: number; isText: boolean },
): Page {
  const { totalBytes, isText } = stored;
  if (request.offset > totalBytes) {
    throw new ToolError(
      "invalid_input",
      `offset: ${request.offset} is beyond the end (${totalBytes} bytes). Nothing was read.`,
    );
  }
  const slice =
    (isText ? textSlice(window, Math.min(request.maxBytes, pageBytes.text)) : undefined) ??
    binarySlice(window, Math.min(request.maxBytes, pageBytes.binary));
  const offset = request.offset + slice.start;
  const bytes = slice.end - slice.start;
  const end = offset + bytes;
  return {
    content: slice.content,
    encoding: slice.encoding,
    offset,
    bytes,
    totalBytes,
    truncated: end < totalBytes,
    ...(end < totalBytes && { nextOffset: end }),
  };
}

interface Slice {
  start: number;
  end: number;
  content: string;
  encoding: "utf-8" | "base64";
}

function binarySlice(window: Uint8Array, limit: number): Slice {
  const part = window.subarray(0, limit);
  const content = Buffer.from(part).toString("base64");
  return { start: 0, end: part.length, content, encoding: "base64" };
}

/** Undefined where the bytes are not UTF-8 after all: then they are handed out as they are. */
function textSlice(window: Uint8Array, limit: number): Slice | undefined {
  let start = 0;
  while (start < window.length && start < 3 && isContinuation(window[start])) start += 1;
  let end = characterEnd(window, Math.min(limit + start, window.length), start);
  // A character wider than maxBytes still has to be handed out, or paging would never move on.
  if (end === start && start < window.length) end = nextCharacter(window, start);
  for (;;) {
    const content = decoded(window.subarray(start, end));
    if (content === undefined) return undefined;
    const tokens = likelyTokens(content);
    if (tokens <= maxPageTokens) return { start, end, content, encoding: "utf-8" };
    const shorter = start + Math.floor(((end - start) * maxPageTokens) / tokens);
    end = Math.max(characterEnd(window, shorter, start), nextCharacter(window, start));
  }
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function nextCharacter(window: Uint8Array, start: number): number {
  let end = start + 1;
  while (end < window.length && isContinuation(window[end])) end += 1;
  return end;
}

/** The last character boundary at or before `at`. */
function characterEnd(window: Uint8Array, at: number, start: number): number {
  let end = at;
  while (end > start && end < window.length && isContinuation(window[end])) end -= 1;
  return end;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
