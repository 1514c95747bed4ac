import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { SqlValue } from "../driver/statement.ts";

/** Shorter texts hardly become smaller. Characters. */
const leastCharacters = 60;
/** A window and memory for a kilobyte. Zlib's own would take twice the time to set up. */
const options = { level: 6, windowBits: 10, memLevel: 4 };

/** Packs a short text for a column: deflated, or as it is if that is smaller. */
export function packedText(text: string): SqlValue {
  if (text.length < leastCharacters) return text;
  const bytes = Buffer.from(text.toWellFormed());
  const packed = deflateRawSync(bytes, options);
  return packed.length < bytes.length ? packed : text;
}

/** Returns the text that `packedText` packed. */
export function unpackedText(stored: SqlValue): string {
  return stored instanceof Uint8Array ? inflateRawSync(stored).toString() : String(stored);
}
