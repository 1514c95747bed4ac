import { hash } from "node:crypto";

/**
 * `solid`: a number, code or address without separators, which is rare by its form. `piece`: the beginning or the end
 * of one. `word`: a single word. `run`: five words in a row.
 */
export type FingerprintKind = "solid" | "word" | "run" | "piece";

/** Words in a row that are compared together. */
export const runLength = 5;

/**
 * Keyed hashes of 48 bits, which a JavaScript number stores exactly. A text of 300 characters matches one of 350 000
 * stored hashes by chance in one of a million cases.
 */
export interface Fingerprints {
  of(kind: Exclude<FingerprintKind, "run">, text: string): number;
  /** Returns the fingerprints of all runs. The index of each is that of its first word. */
  runs(words: readonly string[]): number[];
}

const twoTo32 = 2 ** 32;

/** Creates the fingerprints of one installation. Without its key, a guess cannot be compared with them. */
export function createFingerprints(key: Uint8Array): Fingerprints {
  const prefix = Buffer.from(key).toString("hex");
  const digest = (kind: string, text: string): Buffer =>
    hash("sha256", `${prefix}${kind}\0${text}`, "buffer");
  return {
    of: (kind, text) => digest(kind, text).readUIntBE(0, 6),
    runs: (words) => {
      // Each word is hashed once, because hashing every run would take longer than the rest of a check.
      const known = new Map<string, readonly [number, number]>();
      const parts = words.map((word) => {
        const found = known.get(word);
        if (found !== undefined) return found;
        const bytes = digest("run", word);
        const part = [bytes.readInt32BE(0), bytes.readInt32BE(4)] as const;
        known.set(word, part);
        return part;
      });
      const runs: number[] = [];
      for (let first = 0; first + runLength <= parts.length; first += 1) {
        let [high, low] = [0x2545f491, 0x1b873593];
        for (let offset = 0; offset < runLength; offset += 1) {
          const [one, other] = parts[first + offset] ?? [0, 0];
          high = Math.imul(high ^ one, 0x9e3779b1);
          high ^= high >>> 15;
          low = Math.imul(low ^ other ^ high, 0x85ebca6b);
          low ^= low >>> 13;
        }
        runs.push((high & 0xffff) * twoTo32 + (low >>> 0));
      }
      return runs;
    },
  };
}
