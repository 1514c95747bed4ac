const [lf, cr, equals] = [0x0a, 0x0d, 0x3d];

/**
 * Decodes a Content-Transfer-Encoding (RFC 2045 6). An unknown one counts as none. Lines end in LF. Works on bytes,
 * because strings would need several times the memory.
 */
export function transferDecoded(body: Uint8Array, encoding: string): Uint8Array {
  if (encoding.includes("base64")) return base64Decoded(body);
  const isQuoted = encoding.includes("quoted-printable");
  if (!isQuoted && body.at(-1) === lf && !body.includes(cr)) return body;
  const decoded = Buffer.allocUnsafeSlow(body.length + 1);
  let at = 0;
  for (let start = 0, next = 0; start < body.length; start = next) {
    const found = body.indexOf(lf, start);
    next = found === -1 ? body.length : found + 1;
    let end = next;
    while (end > start && (body[end - 1] === cr || body[end - 1] === lf)) end -= 1;
    const isSoft = isQuoted && body[lastInk(body, start, end)] === equals;
    if (isSoft) end = lastInk(body, start, end);
    for (let from = start; from < end; from += 1) {
      const byte = body[from] ?? 0;
      const code = isQuoted && byte === equals && from + 2 < end ? hexCode(body, from + 1) : -1;
      decoded[at] = code === -1 ? byte : code;
      if (code !== -1) from += 2;
      at += 1;
    }
    if (isSoft) continue;
    decoded[at] = lf;
    at += 1;
  }
  return decoded.subarray(0, at);
}

/**
 * Returns the last character that is not a blank. Blanks at the end of a line were added in transport (RFC 2045 6.7).
 */
function lastInk(body: Uint8Array, start: number, end: number): number {
  let at = end - 1;
  while (at > start && (body[at] === 0x20 || body[at] === 0x09)) at -= 1;
  return at;
}

/** Returns the byte for two hexadecimal digits, or -1. */
function hexCode(bytes: Uint8Array, at: number): number {
  const [high, low] = [hexDigits[bytes[at] ?? 0] ?? -1, hexDigits[bytes[at + 1] ?? 0] ?? -1];
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

const hexDigits = valuesOf("0123456789abcdef");
for (let digit = 10; digit < 16; digit += 1) hexDigits[0x37 + digit] = digit;
const sixBits = valuesOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");

/** Returns a table of values by character code, with -1 for all others. */
function valuesOf(alphabet: string): Int8Array {
  const values = new Int8Array(256).fill(-1);
  for (let value = 0; value < alphabet.length; value += 1)
    values[alphabet.charCodeAt(value)] = value;
  return values;
}

/** Decodes base64. Other characters are skipped. Some programs pad every line, so decoding restarts after each `=`. */
function base64Decoded(body: Uint8Array): Uint8Array {
  const decoded = Buffer.allocUnsafeSlow(Math.ceil((body.length * 3) / 4));
  let at = 0;
  let bits = 0;
  let count = 0;
  for (const byte of body) {
    if (byte === equals) count = 0;
    const value = sixBits[byte] ?? -1;
    if (value < 0) continue;
    bits = ((bits << 6) | value) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    decoded[at] = bits >> count;
    at += 1;
  }
  return decoded.subarray(0, at);
}
