import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ConfigError } from "../../config/config-error.ts";
import type { SignInStore, StoredSignIn } from "../../ports/upstream/sign-in-store.ts";
import { replaceFile } from "../platform/write-file.ts";
import { withFileLock } from "../platform/file-lock.ts";
import { installKeys } from "../platform/install-secret.ts";
import { readIfPresent } from "../platform/safe-file.ts";

/** AES-256-GCM with a random nonce, as NIST SP 800-38D recommends. Bytes. */
const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

const fileSchema = z.object({
  version: z.literal(1),
  servers: z.record(z.string(), z.base64()),
});
const signInSchema = z.record(z.string(), z.unknown());
type SignIns = z.output<typeof fileSchema>;

export const signInName = "server-sign-ins.json";

/**
 * Returns the sign-in at one server. It is encrypted with a key of this installation, and bound to name and address: a
 * changed address has no sign-in.
 */
export function signInStore(
  dataDir: string,
  { name, url }: { name: string; url: string },
): SignInStore {
  const path = join(dataDir, signInName);
  const boundTo = Buffer.from(JSON.stringify([name, url]));
  let known: { stamp: string; value: StoredSignIn | undefined } | undefined;

  function read(): StoredSignIn | undefined {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    if (found === undefined) return undefined;
    const stamp = `${found.ino} ${found.size} ${found.mtimeNs}`;
    if (known?.stamp === stamp) return known.value;
    const text = readAll(path).servers[name];
    const value =
      text === undefined ? undefined : opened(text, installKeys(dataDir).signIns, boundTo);
    known = { stamp, value };
    return value;
  }

  return {
    read,
    change: async (work) => {
      await withFileLock(path, async () => {
        const before = read();
        const value = await work(before);
        if (value === before) return;
        const { [name]: _old, ...others } = readAll(path).servers;
        const key = installKeys(dataDir).signIns;
        const servers =
          value === undefined ? others : { ...others, [name]: sealed(value, key, boundTo) };
        write(path, { version: 1, servers });
      });
    },
  };
}

/** Deletes the sign-in at a server. Returns whether there was one. */
export async function forgetSignIn(dataDir: string, name: string): Promise<boolean> {
  const path = join(dataDir, signInName);
  if (readAll(path).servers[name] === undefined) return false;
  return await withFileLock(path, () => {
    const { [name]: _gone, ...servers } = readAll(path).servers;
    write(path, { version: 1, servers });
    return true;
  });
}

function readAll(path: string): SignIns {
  const text = readIfPresent(path)?.toString();
  if (text === undefined) return { version: 1, servers: {} };
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    throw new ConfigError([
      { setting: path, problem: "is damaged; remove it and sign in at the servers again" },
    ]);
  }
}

function write(path: string, all: SignIns): void {
  replaceFile(path, `${JSON.stringify(all, undefined, 1)}\n`);
}

function sealed(value: StoredSignIn, key: Uint8Array, boundTo: Uint8Array): string {
  const nonce = randomBytes(nonceBytes);
  const seal = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(boundTo);
  const text = Buffer.concat([seal.update(JSON.stringify(value), "utf8"), seal.final()]);
  return Buffer.concat([nonce, seal.getAuthTag(), text]).toString("base64");
}

/** Returns undefined for a sign-in at another address, or of another installation. */
function opened(text: string, key: Uint8Array, boundTo: Uint8Array): StoredSignIn | undefined {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  const nonce = bytes.subarray(0, nonceBytes);
  try {
    const open = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
      .setAAD(boundTo)
      .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    const plain = [open.update(bytes.subarray(nonceBytes + tagBytes)), open.final()];
    return signInSchema.parse(JSON.parse(Buffer.concat(plain).toString("utf8")));
  } catch {
    return undefined;
  }
}
