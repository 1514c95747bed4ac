import { decodeWords } from "postal-mime";
import { betterDecoded } from "./charset.ts";
import { transferDecoded } from "./transfer-encoding.ts";

const word = /=\?([^?\s*]{1,40})(?:\*[^?\s]{0,40})?\?([bq])\?([^?\r\n]*)\?=/gi;

/** Decodes the encoded words of a header (RFC 2047, 2231), including character sets that the parser lacks. */
export function decodedWords(header: string): string {
  if (!header.includes("=?")) return header;
  const known = header.replace(word, (whole, charset: string, encoding: string, text: string) => {
    // A character may be split between two UTF-8 words, which the parser joins.
    if (/^utf-?8$/i.test(charset)) return whole;
    const isBase64 = encoding.toLowerCase() === "b";
    const bytes = transferDecoded(
      Buffer.from(isBase64 ? text : text.replaceAll("_", "=20"), "latin1"),
      isBase64 ? "base64" : "quoted-printable",
    );
    const decoded = bytes && betterDecoded(bytes, charset);
    return decoded === undefined ? whole : `=?utf-8?B?${Buffer.from(decoded).toString("base64")}?=`;
  });
  return decodeWords(known);
}
