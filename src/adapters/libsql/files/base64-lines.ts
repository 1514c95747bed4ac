/**
 * The place of a chunk in a message: offset and length of its base64, bytes to skip after decoding, and number of
 * bytes.
 */
export type Base64Lines = [offset: number, length: number, skip: number, count: number];

/** Smallest body that is worth it. Bytes. */
const leastBytes = 120;
/**
 * Bytes at the start of a body by which its base64 is found. Their base64 is shorter than one line of any mail program.
 */
const headBytes = 42;
/** Limit on places that are tried: other parts of the same format may begin like the body. */
const mostPlaces = 8;

/**
 * Finds the base64 of a body in a message: lines of one length with one kind of line end, as mail programs write it.
 * Every chunk is decoded and compared, so the result is either exact or undefined.
 */
export function base64Lines(
  body: Uint8Array,
  base: Uint8Array,
  chunkBytes: number,
): Base64Lines[] | undefined {
  if (body.byteLength < leastBytes || body.byteLength > base.byteLength) return undefined;
  const message = Buffer.from(base.buffer, base.byteOffset, base.byteLength);
  const head = Buffer.from(body.subarray(0, headBytes)).toString("base64");
  let from = 0;
  for (let place = 0; place < mostPlaces; place += 1) {
    const start = message.indexOf(head, from, "latin1");
    if (start === -1) return undefined;
    const found = linesAt(start, body, message, chunkBytes);
    if (found !== undefined) return found;
    from = start + 1;
  }
  return undefined;
}

function linesAt(
  start: number,
  body: Uint8Array,
  message: Buffer,
  chunkBytes: number,
): Base64Lines[] | undefined {
  const lineEnd = message.indexOf("\n", start, "latin1");
  const endBytes = lineEnd > 0 && message[lineEnd - 1] === 0x0d ? 2 : 1;
  const characters = lineEnd === -1 ? Infinity : lineEnd + 1 - endBytes - start;
  /** The offset of a character of the base64 in the message. */
  const placeOf = (character: number): number =>
    start + character + Math.floor(character / characters) * endBytes;
  const lines: Base64Lines[] = [];
  for (let at = 0; at < body.byteLength; at += chunkBytes) {
    const chunk = body.subarray(at, at + chunkBytes);
    const first = Math.floor(at / 3) * 4;
    const last = Math.ceil((at + chunk.byteLength) / 3) * 4 - 1;
    const offset = placeOf(first);
    const length = placeOf(last) + 1 - offset;
    const skip = at % 3;
    const text = message.toString("latin1", offset, offset + length);
    const decoded = Buffer.from(text, "base64").subarray(skip, skip + chunk.byteLength);
    if (!decoded.equals(chunk)) return undefined;
    lines.push([offset, length, skip, chunk.byteLength]);
  }
  return lines;
}
