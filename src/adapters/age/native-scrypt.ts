import { scryptSync } from "node:crypto";

interface Cost {
  N: number;
  r: number;
  p: number;
  dkLen: number;
}

/**
 * Derives a key as RFC 7914 does, with Node's native code. The bundle replaces the JavaScript of `age-encryption` with
 * it, which takes twice the processor time.
 */
export function scrypt(passphrase: string, salt: Uint8Array, { N, r, p, dkLen }: Cost): Uint8Array {
  // Node refuses more than 32 MB unless told. The cost of 2^18 takes 256 MB, and a small buffer for each block.
  const maxmem = 128 * r * (N + p + 2);
  return scryptSync(passphrase, salt, dkLen, { N, r, p, maxmem });
}
