import { z } from "zod";
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
  const limit = Math.min(
    request.maxBytes,
    isText ? pageBytes.text : pageBytes.binary,
    window.length,
  );
  const slice = isText
    ? textSlice(window, limit)
    : { start: 0, end: limit, content: Buffer.from(window.subarray(0, limit)).toString("base64") };
  const offset = request.offset + slice.start;
  const bytes = slice.end - slice.start;
  const end = offset + bytes;
  return {
    content: slice.content,
    encoding: isText ? "utf-8" : "base64",
    offset,
    bytes,
    totalBytes,
    truncated: end < totalBytes,
    ...(end < totalBytes && { nextOffset: end }),
  };
}

function textSlice(
  window: Uint8Array,
  limit: number,
): { start: number; end: number; content: string } {
  let start = 0;
  while (start < window.length && start < 4 && isContinuation(window[start])) start += 1;
  let end = characterEnd(window, Math.min(limit + start, window.length), start);
  // A character wider than maxBytes still has to be handed out, or paging would never move on.
  if (end === start && start < window.length) {
    end = start + 1;
    while (end < window.length && isContinuation(window[end])) end += 1;
  }
  const decode = (to: number) => Buffer.from(window.subarray(start, to)).toString("utf-8");
  let content = decode(end);
  let tokens = likelyTokens(content);
  while (tokens > maxPageTokens) {
    const shorter = start + Math.floor(((end - start) * maxPageTokens) / tokens);
    end = Math.max(characterEnd(window, shorter, start), start + 1);
    content = decode(end);
    tokens = likelyTokens(content);
  }
  return { start, end, content };
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

/**
 * A guess on the high side, without a tokenizer: four letters a token, two digits a token, one token for anything else that
 * is not a single space between words.
 */
function likelyTokens(text: string): number {
  let tokens = 0;
  for (const [run] of text.matchAll(/[A-Za-z]+|[0-9]+|\s+|[^A-Za-z0-9\s]/gu)) {
    const first = run.charCodeAt(0);
    if (first >= 0x30 && first <= 0x39) tokens += run.length / 2;
    else if (/[A-Za-z]/.test(run)) tokens += run.length / 4;
    else if (run === " ") tokens += 0;
    else if (/\s/.test(run)) tokens += Math.min(run.length, 2) / 2;
    else tokens += first > 0x7f ? 1.3 : 0.7;
  }
  return Math.ceil(tokens);
}
