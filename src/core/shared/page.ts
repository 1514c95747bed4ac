import { isUtf8 } from "node:buffer";
import { z } from "zod";
import { internal, untrustedText } from "../tool/untrusted-text.ts";
import { likelyTokens } from "./tokens.ts";
import { ToolError } from "../tool/tool-error.ts";

/** Size of a page, chosen to leave room in a client's context. Bytes. */
export const pageBytes = { text: 32_000, binary: 12_000 } as const;

/**
 * Token limit of one page. Clients drop results over about 25 000 tokens, and a page is sent twice: as structured
 * content and as text. The remainder is reserved for the facts around the page.
 */
const maxPageTokens = 11_000;
/** Tokens of the facts around a page that do not reduce its size. */
const freeTokens = 500;
/** Every page has at least this much content, so that reading advances. Tokens. */
const minPageTokens = 1_000;

/** The fields of every paged result. Offsets count bytes of the stored text or file. */
export const pageFields = {
  content: untrustedText(z.string()).describe("Content of this page"),
  encoding: z.enum(["utf-8", "base64"]).describe("Encoding of content"),
  offset: z.int().min(0).describe("Where this page starts, in bytes"),
  bytes: z.int().min(0).describe("Bytes in this page"),
  totalBytes: z.int().min(0).describe("Bytes of the whole"),
  truncated: z.boolean().describe("True if more follows"),
  nextOffset: z.int().optional().describe("Pass it as offset for the next page"),
  recorded: internal(z.string()).optional().describe("The page with the bytes before it"),
};

/** The input fields that select a page. */
export const pageInput = {
  offset: z.int().min(0).optional().describe("First byte"),
  maxBytes: z.int().min(1).max(pageBytes.text).optional().describe("Bytes at most"),
};

export interface PageRequest {
  offset?: number | undefined;
  maxBytes?: number | undefined;
}

export interface ContentPage {
  content: string;
  encoding: "utf-8" | "base64";
  offset: number;
  bytes: number;
  totalBytes: number;
  truncated: boolean;
  nextOffset?: number | undefined;
  /**
   * The page with the bytes before it, for the record of private content. Otherwise a caller could choose pages that
   * split every secret into parts that are too short to be recognised.
   */
  recorded?: string | undefined;
}

/** The bytes before a page that are recorded with it. No code is longer, and few groups of five words are. */
const beforeBytes = 300;

/**
 * A character has at most four bytes, so this many bytes before an offset show whether the offset splits a character.
 */
const leadBytes = 3;

/**
 * Returns the bytes to read for a page. They include the bytes before it, the rest of its last character and the byte
 * after that.
 */
export function pageWindow({ offset = 0, maxBytes = pageBytes.text }: PageRequest): {
  offset: number;
  length: number;
} {
  const lead = Math.min(offset, beforeBytes);
  const length = lead + Math.min(maxBytes, pageBytes.text) + 2 * leadBytes + 1;
  return { offset: offset - lead, length };
}

/**
 * Cuts one page out of the window that `pageWindow` requests. Text begins and ends between characters, and an offset
 * inside a character moves to the next one. Pages that follow each other's `nextOffset` make up the whole content, byte
 * for byte, even if parts of it are not UTF-8.
 * @param factTokens tokens of the text around the page, which reduce its size
 * @throws ToolError `invalid_input` for an offset beyond the end
 */
export function cutPage(
  window: Uint8Array,
  asked: PageRequest,
  stored: { totalBytes: number; isText: boolean; factTokens?: number },
): ContentPage {
  const request = { offset: asked.offset ?? 0, maxBytes: asked.maxBytes ?? pageBytes.text };
  const { totalBytes, isText, factTokens = 0 } = stored;
  const maxTokens = Math.max(minPageTokens, maxPageTokens - Math.max(0, factTokens - freeTokens));
  if (request.offset > totalBytes) {
    throw new ToolError(
      "invalid_input",
      `offset: ${request.offset} is beyond the end (${totalBytes} bytes). Nothing was read.`,
    );
  }
  if (!isText && totalBytes > pageBytes.binary && !isPageAsked(asked)) return noPage(totalBytes);
  const lead = Math.min(request.offset, beforeBytes);
  const slice = isText
    ? textSlice(window, lead, request.maxBytes, maxTokens)
    : binarySlice(window, lead, request.maxBytes);
  const offset = request.offset + slice.start - lead;
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
    ...(lead > 0 && { recorded: recordedOf(window, slice) }),
  };
}

function recordedOf(window: Uint8Array, { end, encoding }: Slice): string {
  const { buffer, byteOffset } = window;
  return Buffer.from(buffer, byteOffset, end).toString(encoding);
}

function isPageAsked({ offset, maxBytes }: PageRequest): boolean {
  return offset !== undefined || maxBytes !== undefined;
}

/**
 * Returns a page without content for a large binary, which is described and linked instead. Base64 would fill the
 * context and means nothing to a model. A caller that needs the bytes passes an offset.
 */
function noPage(totalBytes: number): ContentPage {
  const page = { content: "", encoding: "base64", offset: 0, bytes: 0 } as const;
  return { ...page, totalBytes, truncated: true, nextOffset: 0 };
}

interface Slice {
  start: number;
  end: number;
  content: string;
  encoding: "utf-8" | "base64";
}

function binarySlice(window: Uint8Array, start: number, maxBytes: number): Slice {
  const end = Math.min(start + Math.min(maxBytes, pageBytes.binary), window.length);
  return encoded(window, start, end);
}

function encoded(window: Uint8Array, start: number, end: number): Slice {
  const content = Buffer.from(window.subarray(start, end)).toString("base64");
  return { start, end, content, encoding: "base64" };
}

function textSlice(window: Uint8Array, offset: number, maxBytes: number, maxTokens: number): Slice {
  const start = isInside(window, offset) ? boundaryAfter(window, offset) : offset;
  let end = endOf(window, start, Math.min(maxBytes, pageBytes.text));
  for (;;) {
    const content = decoded(window.subarray(start, end));
    // The content is not UTF-8, so it is returned as base64 up to the point where a text page can start again.
    if (content === undefined) {
      return encoded(window, start, endOf(window, start, Math.min(maxBytes, pageBytes.binary)));
    }
    const tokens = likelyTokens(content);
    if (tokens <= maxTokens) return { start, end, content, encoding: "utf-8" };
    end = endOf(window, start, Math.floor(((end - start) * maxTokens) / tokens));
  }
}

/**
 * Returns the last character boundary within the limit. A character wider than the limit is returned whole, so that
 * reading advances.
 */
function endOf(window: Uint8Array, start: number, limit: number): number {
  const at = Math.min(start + limit, window.length);
  const end = isInside(window, at) ? boundaryBefore(window, at) : at;
  return end > start || at === start ? end : boundaryAfter(window, at);
}

function decoded(bytes: Uint8Array): string | undefined {
  // A decoder for each page would take longer than the rest of it.
  if (!isUtf8(bytes)) return undefined;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

function boundaryBefore(window: Uint8Array, at: number): number {
  return isInside(window, at) ? boundaryBefore(window, at - 1) : at;
}

function boundaryAfter(window: Uint8Array, at: number): number {
  return isInside(window, at) ? boundaryAfter(window, at + 1) : at;
}

/** Returns whether a cut at `at` would split a character. Its first byte gives its length (RFC 3629 section 3). */
function isInside(window: Uint8Array, at: number): boolean {
  for (let back = 1; back <= leadBytes && isContinuation(window[at - back + 1]); back += 1) {
    const width = widthFrom(window[at - back] ?? 0);
    if (width > 1) return width > back;
  }
  return false;
}

/** Returns the length in bytes of the character that begins with this byte, or 1 if no character begins with it. */
function widthFrom(byte: number): number {
  if (byte >= 0xf0) return 4;
  if (byte >= 0xe0) return 3;
  return byte >= 0xc0 ? 2 : 1;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
