import { decodeWords } from "postal-mime";
import { betterDecoded } from "./charset.ts";

const one = String.raw`=\?[^?\s*]{1,40}(?:\*[^?\s]{0,40})?\?[bq]\?[^?\r\n]*\?=`;
/** Encoded words with nothing but spaces between them. */
const row = new RegExp(String.raw`${one}(?:\s+${one})*`, "gi");
const word = /=\?([^?\s*]{1,40})(?:\*[^?\s]{0,40})?\?([bq])\?([^?\r\n]*)\?=/gi;

interface EncodedWord {
  whole: string;
  charset: string;
  bytes: Uint8Array;
}

/** Decodes the encoded words of a header (RFC 2047, 2231), including character sets that the parser does not know. */
export function decodedWords(header: string): string {
  if (!header.includes("=?")) return header;
  return decodeWords(header.replace(row, decodedRow));
}

/** Decodes neighbouring words as UTF-8 words. Words that the parser decodes correctly stay as they are. */
function decodedRow(encoded: string): string {
  const words = Array.from(
    encoded.matchAll(word),
    ([whole, charset = "", encoding, text = ""]) => ({
      whole,
      charset,
      bytes: encoding?.toLowerCase() === "b" ? Buffer.from(text, "base64") : fromQ(text),
    }),
  );
  const groups: EncodedWord[][] = [];
  for (const next of words) {
    const group = groups.at(-1);
    if (group?.[0]?.charset.toLowerCase() === next.charset.toLowerCase()) group.push(next);
    else groups.push([next]);
  }
  return groups.map((group) => joinedWord(group) ?? group.map(eachWord).join(" ")).join(" ");
}

/** Programs split a character between two words, although RFC 2047 section 5 forbids it. */
function joinedWord(group: readonly EncodedWord[]): string | undefined {
  const [first] = group;
  if (first === undefined || group.length === 1) return undefined;
  const isBroken = (bytes: Uint8Array): boolean => decoded(bytes, first.charset).includes("\uFFFD");
  if (!group.some(({ bytes }) => isBroken(bytes))) return undefined;
  const bytes = Buffer.concat(group.map((each) => each.bytes));
  return isBroken(bytes) ? undefined : utf8Word(decoded(bytes, first.charset));
}

function eachWord({ whole, charset, bytes }: EncodedWord): string {
  // A character may be split between two UTF-8 words, which the parser joins.
  if (/^utf-?8$/i.test(charset)) return whole;
  const text = betterDecoded(bytes, charset);
  return text === undefined ? whole : utf8Word(text);
}

function decoded(bytes: Uint8Array, charset: string): string {
  if (/^utf-?8$/i.test(charset)) return Buffer.from(bytes).toString();
  const text = betterDecoded(bytes, charset);
  if (text !== undefined) return text;
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString("latin1");
  }
}

function utf8Word(text: string): string {
  return `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;
}

/** Decodes the "Q" encoding (RFC 2047 4.2). */
function fromQ(text: string): Uint8Array {
  const unquoted = text
    .replaceAll("_", " ")
    .replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(unquoted, "latin1");
}
