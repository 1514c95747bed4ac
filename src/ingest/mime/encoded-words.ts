import { decodeWords } from "postal-mime";
import { betterDecoded } from "./charset.ts";

const word = /=\?([^?\s*]{1,40})(?:\*[^?\s]{0,40})?\?([bq])\?([^?\r\n]*)\?=/gi;

/** Decodes the encoded words of a header (RFC 2047, 2231), including character sets that the parser does not know. */
export function decodedWords(header: string): string {
  if (!header.includes("=?")) return header;
  const known = header.replace(word, (whole, charset: string, encoding: string, text: string) => {
    // A character may be split between two UTF-8 words, which the parser joins.
    if (/^utf-?8$/i.test(charset)) return whole;
    const isBase64 = encoding.toLowerCase() === "b";
    const bytes = isBase64 ? Buffer.from(text, "base64") : fromQ(text);
    const decoded = betterDecoded(bytes, charset);
    return decoded === undefined ? whole : `=?utf-8?B?${Buffer.from(decoded).toString("base64")}?=`;
  });
  return decodeWords(known);
}

/** Decodes the "Q" encoding (RFC 2047 4.2). */
function fromQ(text: string): Uint8Array {
  const decoded = text
    .replaceAll("_", " ")
    .replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(decoded, "latin1");
}
