import { Decrypter, Encrypter } from "age-encryption";
import type { Secret } from "../../core/shared/secret.ts";
import { ToolError } from "../../core/tool/tool-error.ts";

/** Encrypts a stream with a passphrase, as the program `age` does. */
export async function encrypted(
  plain: ReadableStream<Uint8Array>,
  passphrase: Secret,
): Promise<ReadableStream<Uint8Array>> {
  const age = new Encrypter();
  age.setPassphrase(passphrase.reveal());
  return await age.encrypt(plain);
}

/**
 * Decrypts such a stream. The stream fails if a byte was changed or the end is missing.
 * @throws ToolError `auth` for a wrong passphrase, `invalid_input` for another kind of file
 */
export async function decrypted(
  stored: ReadableStream<Uint8Array>,
  passphrase: Secret,
): Promise<ReadableStream<Uint8Array>> {
  const age = new Decrypter();
  age.addPassphrase(passphrase.reveal());
  try {
    return await age.decrypt(stored);
  } catch (cause) {
    // The library has no error classes. This sentence is its only sign of a wrong passphrase.
    if (cause instanceof Error && cause.message.startsWith("no identity matched")) {
      throw new ToolError("auth", "The passphrase is wrong. Nothing was restored.", { cause });
    }
    throw new ToolError(
      "invalid_input",
      "The file is not a backup of Countersign, or it is damaged. Nothing was restored.",
      { cause },
    );
  }
}
