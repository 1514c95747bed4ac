/** Keyed fingerprints of parts of a text. Without the key of the installation, a guess cannot be compared with them. */
export interface Hasher {
  /** Returns 24 bits for a word or number, the first `length` units of a text. A single fingerprint proves little, so matches need several. */
  token(text: string, length?: number): number;
  /** Returns the same for a word of ASCII after a cipher. @param cipher the unit that replaces each unit */
  cipheredToken(text: string, cipher: Uint8Array): number;
  /** Returns 15 bits for two neighbouring UTF-16 units of a code. */
  pair(first: number, second: number): number;
  /** Writes the same for each two neighbours among the units from `from` to `to`, each at the place of its first unit. */
  pairs(units: Uint16Array, from: number, to: number, into: Int32Array): void;
}

export const tokenBytes = 3;
export const pairBits = 15;

/** Creates the hasher of one installation. Tokens use HalfSipHash-2-4, which is computed synchronously. */
export function createHasher(key: Uint8Array): Hasher {
  const words = new DataView(key.buffer, key.byteOffset, key.byteLength);
  const [k0, k1] = [words.getInt32(0), words.getInt32(4)];
  const units = new Int32Array(0x1_00_00);

  function unit(code: number): number {
    const known = units[code] ?? 0;
    if (known !== 0) return known;
    const made = halfSip(k1 ^ 0x5f_35_64_95, k0, String.fromCharCode(code), 1) | 1;
    units[code] = made;
    return made;
  }

  return {
    token: (text, length = text.length) => halfSip(k0, k1, text, length) & 0xff_ff_ff,
    cipheredToken: (text, cipher) => halfSip(k0, k1, text, text.length, cipher) & 0xff_ff_ff,
    pair: (first, second) => mixedPair(unit(first), unit(second)),
    pairs: (all, from, to, into) => {
      let first = unit(all[from] ?? 0);
      for (let at = from; at + 1 < to; at += 1) {
        const second = unit(all[at + 1] ?? 0);
        into[at] = mixedPair(first, second);
        first = second;
      }
    },
  };
}

function mixedPair(first: number, second: number): number {
  let mixed = Math.imul(first ^ 0x2c_1b_3c_6d, second);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x29_7a_2d_39);
  return mixed >>> (32 - pairBits);
}

/** Computes HalfSipHash-2-4 over UTF-16 units, two in each block. @param cipher replaces units, if it is given */
function halfSip(
  k0: number,
  k1: number,
  text: string,
  length: number,
  cipher?: Uint8Array,
): number {
  let v0 = k0;
  let v1 = k1;
  let v2 = 0x6c_79_67_65 ^ k0;
  let v3 = 0x74_65_64_62 ^ k1;
  const blocks = length >> 1;
  for (let block = 0; block <= blocks + 2; block += 1) {
    let input = 0;
    let rounds = 2;
    if (block < blocks) {
      input = unitAt(text, block * 2, cipher) | (unitAt(text, block * 2 + 1, cipher) << 16);
    } else if (block === blocks) {
      input = ((length & 0xff) << 24) | (length & 1 ? unitAt(text, length - 1, cipher) : 0);
    } else {
      if (block === blocks + 1) v2 ^= 0xff;
    }
    v3 ^= input;
    for (; rounds > 0; rounds -= 1) {
      v0 = (v0 + v1) | 0;
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
      v2 = (v2 << 16) | (v2 >>> 16);
    }
    v0 ^= input;
  }
  return v1 ^ v3;
}

function unitAt(text: string, at: number, cipher: Uint8Array | undefined): number {
  const unit = text.charCodeAt(at);
  return cipher?.[unit] ?? unit;
}
