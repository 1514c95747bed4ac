import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
} from "node:crypto";
import { freshBytes } from "../shared/digest.ts";
import type { Marks } from "./content-marks.ts";
import { tokenBytes } from "./hasher.ts";

/** Marks as they are stored. They are encrypted, because successive pairs of characters would be easy to decipher. */
export interface PackedMarks {
  packed: Uint8Array;
  /** Identifies the marks, so that an item that is received again takes no more space. */
  digest: string;
}

/** Encrypts the stored marks of items, and sent texts. */
export interface Sealer {
  seal(plain: Uint8Array): Uint8Array;
  /** Returns undefined if another key or version wrote the bytes. */
  open(sealed: Uint8Array): Uint8Array | undefined;
}

/** The first byte, which names the form of the bytes. */
const version = 1;
const nonceBytes = 12;
const tagBytes = 16;
const digestCharacters = 32;

/** Creates the encryption for one installation. @param key the key of the installation for information flow */
export function createSealer(key: Uint8Array): Sealer {
  const own = createSecretKey(Buffer.from(hkdfSync("sha256", key, "", "stored fingerprints", 32)));
  /** The next cipher, made after an answer. Making one takes longer than encrypting with it, and answers wait for that. */
  let next: ReturnType<typeof newCipher> | undefined;
  let isPreparing = false;

  function newCipher() {
    const nonce = freshBytes(nonceBytes);
    return { nonce, cipher: createCipheriv("aes-256-gcm", own, nonce) };
  }

  function prepareNext(): void {
    if (isPreparing) return;
    isPreparing = true;
    setImmediate(() => {
      isPreparing = false;
      next ??= newCipher();
    }).unref();
  }

  return {
    seal: (plain) => {
      const { nonce, cipher } = next ?? newCipher();
      next = undefined;
      prepareNext();
      const body = cipher.update(plain);
      // In this mode `final` returns no bytes.
      cipher.final();
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), body]);
    },
    open: (sealed) => {
      const start = 1 + nonceBytes + tagBytes;
      if (sealed[0] !== version || sealed.length < start) return undefined;
      const decipher = createDecipheriv("aes-256-gcm", own, sealed.subarray(1, 1 + nonceBytes));
      decipher.setAuthTag(sealed.subarray(1 + nonceBytes, start));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(start)), decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}

/** Writes marks as bytes: three for each word, two for each code and two for each pair. */
export function packMarks({ tokens, topics, codes, pairs }: Marks, sealer: Sealer): PackedMarks {
  const headBytes = 12 + (tokens.length + topics.length) * tokenBytes + codes.length;
  const plain = Buffer.alloc(headBytes + pairs.length * 2);
  let at = plain.writeUInt32BE(tokens.length, 0);
  at = plain.writeUInt32BE(codes.length, at);
  at = plain.writeUInt32BE(topics.length, at);
  for (const token of tokens) at = plain.writeUIntBE(token, at, tokenBytes);
  for (const topic of topics) at = plain.writeUIntBE(topic, at, tokenBytes);
  plain.set(codes, at);
  at += codes.length;
  for (const pair of pairs) at = plain.writeUInt16BE(pair, at);
  const digest = createHash("sha256").update(plain).digest("hex").slice(0, digestCharacters);
  return { packed: sealer.seal(plain), digest };
}

/** Reads the bytes of `packMarks`. Returns undefined if another key or version wrote them. */
export function unpackMarks(packed: Uint8Array, sealer: Sealer): Marks | undefined {
  const opened = sealer.open(packed);
  if (opened === undefined) return undefined;
  const plain = Buffer.from(opened.buffer, opened.byteOffset, opened.byteLength);
  const tokens = new Uint32Array(plain.readUInt32BE(0));
  const codes = new Uint8Array(plain.readUInt32BE(4));
  const topics = new Uint32Array(plain.readUInt32BE(8));
  let at = 12;
  for (const hashes of [tokens, topics])
    for (let index = 0; index < hashes.length; index += 1) {
      hashes[index] = ((plain[at] ?? 0) << 16) | ((plain[at + 1] ?? 0) << 8) | (plain[at + 2] ?? 0);
      at += tokenBytes;
    }
  codes.set(plain.subarray(at, at + codes.length));
  at += codes.length;
  const pairs = new Uint16Array((plain.length - at) / 2);
  for (let index = 0; index < pairs.length; index += 1) {
    pairs[index] = ((plain[at] ?? 0) << 8) | (plain[at + 1] ?? 0);
    at += 2;
  }
  return { tokens, topics, codes, pairs };
}
