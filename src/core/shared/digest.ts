import { createHash, hash, randomBytes } from "node:crypto";
import canonicalize from "canonicalize";

const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

/** Encodes bytes as RFC 4648 base32 in lower case and without padding. */
export function base32(bytes: Uint8Array): string {
  let text = "";
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(buffer >>> bits) & 31];
      buffer &= (1 << bits) - 1;
    }
  }
  return bits > 0 ? text + alphabet[(buffer << (5 - bits)) & 31] : text;
}

/** Returns the canonical JSON of a value (RFC 8785), which is independent of the order of its fields. */
export function canonicalJson(value: unknown): string {
  const json = canonicalize(value);
  if (json === undefined) throw new TypeError("A value without a JSON form cannot be digested.");
  return json;
}

export function sha256Hex(data: string | Uint8Array): string {
  return hash("sha256", data, "hex");
}

/** Returns the digest that binds a request to one exact call: tool and parsed arguments. */
export function callDigest(tool: string, args: unknown): string {
  return sha256Hex(`${tool}\0${canonicalJson(args)}`);
}

/** Random bytes in reserve, because a system call for each id would be the slowest part of making it. */
let reserve = Buffer.alloc(0);
const reserveBytes = 1_024;

/**
 * Returns new random bytes.
 * @param count at most 1024
 */
export function freshBytes(count: number): Buffer {
  if (reserve.length < count) reserve = randomBytes(reserveBytes);
  const taken = reserve.subarray(0, count);
  reserve = reserve.subarray(count);
  return taken;
}

/**
 * Returns random bytes as hexadecimal digits.
 * @param bytes at most 1024
 */
export function randomHex(bytes: number): string {
  return freshBytes(bytes).toString("hex");
}

/** Returns a random whole number below 2^48. */
export function randomNumber(): number {
  return freshBytes(6).readUIntBE(0, 6);
}

/** Returns a random id with its kind and 130 bits of randomness, for example `ap_` and 26 characters. */
export function randomId(prefix: string): string {
  return `${prefix}_${base32(freshBytes(17)).slice(0, 26)}`;
}

/**
 * Returns eight characters that a person compares between the client and an approval channel to recognise the request.
 */
export function fingerprintOf(ticketId: string, digest: string): string {
  const code = base32(createHash("sha256").update(`${ticketId}\0${digest}`).digest()).toUpperCase();
  return `${code.slice(0, 4)}-${code.slice(4, 8)}`;
}
