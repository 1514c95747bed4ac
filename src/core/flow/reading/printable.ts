import { isUtf8 } from "node:buffer";
import { constants, inflateRawSync, unzipSync } from "node:zlib";
import { NotCompared } from "./reading.ts";

const utf8 = new TextDecoder();
const latin1 = new TextDecoder("latin1");
// oxlint-disable-next-line no-control-regex -- these show that bytes are binary
const unprintable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFD]/;
/** The longest compressed text that is read, in bytes. */
const mostUnzipped = 20_000;
/** How often a text may be compressed. A file that unpacks to itself has no end. */
const mostTimesZipped = 3;

/** Returns whether every second byte is zero, as in UTF-16 of Latin letters. @param odd 1 if the first byte is zero */
function isUtf16(bytes: Uint8Array, odd: 0 | 1): boolean {
  return (
    bytes.length >= 6 &&
    bytes.length % 2 === 0 &&
    bytes.every((byte, at) => (at % 2 === odd ? byte !== 0 : byte === 0))
  );
}

const utf16 = { little: new TextDecoder("utf-16le"), big: new TextDecoder("utf-16be") };

/** Returns text in UTF-16 of any scripts that begins with a byte order mark, as files do. */
function markedUtf16(bytes: Uint8Array): string | undefined {
  if (bytes.length % 2 === 1) return undefined;
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff;
  if (!isLittle && !isBig) return undefined;
  return shown((isLittle ? utf16.little : utf16.big).decode(bytes));
}

/** Fewest characters of UTF-16 that are not Latin letters. Fewer are such characters by chance. */
const fewestOfUtf16 = 5;

/** Returns text in UTF-16 of one script besides ASCII: Greek, Cyrillic, or the characters of Japanese and Chinese. */
function otherUtf16(bytes: Uint8Array): string | undefined {
  if (bytes.length < 2 * fewestOfUtf16 || bytes.length % 2 === 1) return undefined;
  for (const odd of [0, 1] as const) {
    const units: number[] = [];
    // Nearly all other bytes end here after one or two characters.
    for (let at = 0; at < bytes.length; at += 2) {
      const unit = ((bytes[at + 1 - odd] ?? 0) << 8) | (bytes[at + odd] ?? 0);
      if (!mayBeLetter(unit)) break;
      units.push(unit);
    }
    if (units.length * 2 < bytes.length) continue;
    const text = String.fromCharCode(...units);
    if (oneScript.test(text)) return text;
  }
  return undefined;
}

function mayBeLetter(unit: number): boolean {
  return (
    (unit >= 0x20 && unit < 0x7f) ||
    (unit >= 0x03_70 && unit < 0x05_00) ||
    (unit >= 0x30_00 && unit < 0x31_00) ||
    (unit >= 0x4e_00 && unit < 0xa0_00)
  );
}

/** Cyrillic, Greek, or the characters of Japanese and Chinese, with digits and signs of ASCII. */
export const oneScript =
  /^(?:[ -~\u0400-\u04FF]+|[ -~\u0370-\u03FF]+|[ -~\u3000-\u30FF\u4E00-\u9FFF]+)$/;

/**
 * Returns the content of gzip and zlib, also of a truncated stream.
 * @throws NotCompared if it is too long
 */
function unzipped(bytes: Uint8Array): Uint8Array | undefined {
  const isZip =
    (bytes[0] === 0x1f && bytes[1] === 0x8b) ||
    (bytes[0] === 0x78 && [0x01, 0x5e, 0x9c, 0xda].includes(bytes[1] ?? 0));
  try {
    return isZip
      ? unzipSync(bytes, { maxOutputLength: mostUnzipped, finishFlush: constants.Z_SYNC_FLUSH })
      : undefined;
  } catch (error) {
    if (error instanceof RangeError) throw new NotCompared();
    return undefined;
  }
}

/**
 * Fewest bytes of compressed text without a header. Four characters of ASCII with fixed codes take six, of which the last
 * one is zero: it has the end of the block.
 */
const shortestDeflated = { ending: 6, other: 8 } as const;

/** The three first bits of a last block (RFC 1951, section 3.2.3): with fixed codes, or with codes of its own. */
const lastBlock = { fixed: 3, own: 5 } as const;

/**
 * Inflates text that was compressed without a header. Returns undefined for most other bytes without trying, because a
 * try takes long.
 */
export function inflated(bytes: Uint8Array): string | undefined {
  const isEnding = bytes.at(-1) === 0;
  if (bytes.length < (isEnding ? shortestDeflated.ending : shortestDeflated.other))
    return undefined;
  // No text ends with a zero byte.
  if ((!isEnding && isUtf8(bytes)) || !mayBeDeflated(bytes)) return undefined;
  try {
    const text = inflateRawSync(bytes, { maxOutputLength: mostUnzipped });
    return text.length > 0 && isUtf8(text) && !unprintable.test(utf8.decode(text))
      ? utf8.decode(text)
      : undefined;
  } catch (error) {
    if (error instanceof RangeError) throw new NotCompared();
    return undefined;
  }
}

/** Returns whether a decoder would read the first block beyond its header and its first character. */
function mayBeDeflated(bytes: Uint8Array): boolean {
  switch ((bytes[0] ?? 0) & 7) {
    case lastBlock.fixed:
      return beginsWithText(bytes);
    case lastBlock.own:
      return hasCompleteCodes(bytes);
    default:
      return false;
  }
}

/** Returns some bits of a deflated text as a number (RFC 1951, section 3.1.1). */
function bitsAt(bytes: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let bit = 0; bit < count; bit += 1) {
    const byte = bytes[(from + bit) >> 3] ?? 0;
    value |= ((byte >> ((from + bit) & 7)) & 1) << bit;
  }
  return value;
}

/** Returns whether the first fixed code is of a printable ASCII character, or of the first byte of a longer one. */
function beginsWithText(bytes: Uint8Array): boolean {
  // Codes begin with their highest bit (RFC 1951, section 3.2.6).
  let code = 0;
  for (let bit = 0; bit < 8; bit += 1) code = (code << 1) | bitsAt(bytes, 3 + bit, 1);
  if (code < 0xc8)
    return (
      (code >= 0x30 + 0x09 && code <= 0x30 + 0x0d) || (code >= 0x30 + 0x20 && code < 0x30 + 0x7f)
    );
  const literal = 144 + (((code << 1) | bitsAt(bytes, 11, 1)) - 0x190);
  return literal >= 0xc2 && literal <= 0xf4;
}

/** Returns whether the code lengths of a block describe a complete code. A decoder refuses any other. */
function hasCompleteCodes(bytes: Uint8Array): boolean {
  const [literals, distances] = [bitsAt(bytes, 3, 5) + 257, bitsAt(bytes, 8, 5) + 1];
  if (literals > 286 || distances > 30) return false;
  const lengths = bitsAt(bytes, 13, 4) + 4;
  let used = 0;
  for (let at = 0; at < lengths; at += 1) {
    const length = bitsAt(bytes, 17 + 3 * at, 3);
    if (length > 0) used += 128 >> length;
  }
  return used === 128;
}

/**
 * Returns the text of decoded bytes. Undefined if they are no text.
 * @param timesZipped how often they were compressed already
 * @throws NotCompared if they are compressed text that is too long, or was compressed too often
 */
export function printable(bytes: Uint8Array, timesZipped = 0): string | undefined {
  const content = unzipped(bytes);
  if (content !== undefined) {
    if (timesZipped === mostTimesZipped) throw new NotCompared();
    return printable(content, timesZipped + 1);
  }
  const marked = markedUtf16(bytes);
  if (marked !== undefined) return marked;
  for (const odd of [0, 1] as const)
    if (isUtf16(bytes, odd)) return shown(latin1.decode(bytes.filter((byte) => byte !== 0)));
  // A decoder that throws would cost more than the rest of the comparison.
  if (bytes.length > 0 && isUtf8(bytes)) {
    const text = shown(utf8.decode(bytes));
    if (text !== undefined) return text;
  }
  return otherUtf16(bytes);
}

function shown(text: string): string | undefined {
  return unprintable.test(text) ? undefined : text;
}

/** Words of hexadecimal digits before or after a text in hexadecimal, such as `de` in four languages. */
const wordsBefore = /^(?:[a-f]{2}\s)+/i;
const wordsAfter = /(?:\s[a-f]{2})+$/i;

/** Decodes a text in hexadecimal. Words beside it, which have only hexadecimal digits too, stay as they are. */
export function hexDecoded(run: string): string | undefined {
  const whole = bytesDecoded(run);
  if (whole !== undefined) return whole;
  const [before = ""] = wordsBefore.exec(run) ?? [];
  const [after = ""] = wordsAfter.exec(run.slice(before.length)) ?? [];
  if (before === "" && after === "") return undefined;
  const decoded = bytesDecoded(run.slice(before.length, run.length - after.length));
  return decoded === undefined ? undefined : before + decoded + after;
}

function bytesDecoded(run: string): string | undefined {
  const bytes = Buffer.from(run.replace(/0x|\\x|[^0-9a-f]/gi, ""), "hex");
  return printable(bytes) ?? inflated(bytes);
}
