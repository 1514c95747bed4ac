import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { type Identity, type Recipient, Stanza } from "age-encryption";
import type { Secret } from "../../core/shared/secret.ts";

/**
 * The scrypt stanza of the format age-encryption.org/v1. The library derives the key in JavaScript, which takes 40 % more
 * processor time and blocks the process meanwhile.
 */
const kind = "scrypt";
const label = "age-encryption.org/v1/scrypt";
/** The choice of `age` and of the library: a guess takes about a second and 256 MiB. The cost is a power of two. */
const workFactor = 18;
/** The library's limit: 1 GiB. A hostile file could otherwise take all memory. */
const highestWorkFactor = 20;
const blockSize = 8;
const saltBytes = 16;
const keyBytes = 32;
const tagBytes = 16;
const stanzaBytes = 16 + tagBytes;
const cipher = "chacha20-poly1305";
/** Each key encrypts one value. */
const nonce = Buffer.alloc(12);

const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

/** Returns the recipient that encrypts the key of a file with a passphrase. */
export function recipientOf(passphrase: Secret): Recipient {
  return {
    wrapFileKey: async (fileKey) => {
      const salt = randomBytes(saltBytes);
      const key = await keyOf(passphrase, salt, workFactor);
      const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes });
      const sealed = Buffer.concat([sealing.update(fileKey), sealing.final()]);
      const body = Buffer.concat([sealed, sealing.getAuthTag()]);
      return [new Stanza([kind, unpadded(salt), String(workFactor)], body)];
    },
  };
}

/**
 * Returns the identity that decrypts the key of a file with a passphrase. A wrong passphrase finds no key.
 * @throws Error for a stanza that the format forbids
 */
export function identityOf(passphrase: Secret): Identity {
  return {
    unwrapFileKey: async (stanzas) => {
      const stanza = stanzas.find(({ args }) => args[0] === kind);
      if (stanza === undefined) return null;
      const [, salt = "", factor = ""] = stanza.args;
      const saltOf = Buffer.from(salt, "base64");
      const isKnown =
        stanzas.length === 1 &&
        stanza.args.length === 3 &&
        saltOf.byteLength === saltBytes &&
        unpadded(saltOf) === salt &&
        /^[1-9]\d*$/.test(factor) &&
        stanza.body.byteLength === stanzaBytes;
      if (!isKnown) throw new Error("The stanza of the passphrase is invalid.");
      if (Number(factor) > highestWorkFactor) throw new Error("The work factor is too high.");
      const key = await keyOf(passphrase, saltOf, Number(factor));
      const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes });
      opening.setAuthTag(stanza.body.subarray(-tagBytes));
      try {
        return Buffer.concat([opening.update(stanza.body.subarray(0, -tagBytes)), opening.final()]);
      } catch {
        return null;
      }
    },
  };
}

async function keyOf(passphrase: Secret, salt: Uint8Array, factor: number): Promise<Buffer> {
  const cost = 2 ** factor;
  return await derive(passphrase.reveal(), Buffer.concat([Buffer.from(label), salt]), keyBytes, {
    cost,
    blockSize,
    parallelization: 1,
    // The memory that this cost needs. Node's own limit is an eighth of it.
    maxmem: 128 * blockSize * (cost + 4),
  });
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
