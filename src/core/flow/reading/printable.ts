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

/** Fewest bytes of compressed text without a header. The two first bits of the first block show how it is encoded. */
const shortestDeflated = 8;

/**
 * Inflates text that was compressed without a header. Returns undefined for most other bytes without trying, because a
 * try takes long.
 */
export function inflated(bytes: Uint8Array): string | undefined {
  const block = (bytes[0] ?? 0) & 7;
  // The last block, with fixed or with own codes.
  if (bytes.length < shortestDeflated || (block !== 3 && block !== 5) || isUtf8(bytes))
    return undefined;
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
  for (const odd of [0, 1] as const)
    if (isUtf16(bytes, odd)) return shown(latin1.decode(bytes.filter((byte) => byte !== 0)));
  // A decoder that throws would cost more than the rest of the comparison.
  if (bytes.length === 0 || !isUtf8(bytes)) return undefined;
  return shown(utf8.decode(bytes));
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
