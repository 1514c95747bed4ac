import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Bytes of the random part and of its signature. */
const randomLength = 32;
const signatureLength = 16;

/** Access tokens that can be recognised as ours, even after their record was deleted. */
export interface TokenFormat {
  create(): string;
  /**
   * Returns whether this server made the token. A wrong token that it did not make counts as a guess, and an expired
   * one does not.
   */
  isOwn(token: string): boolean;
}

export function createTokenFormat(secret: Uint8Array): TokenFormat {
  const key = createHmac("sha256", secret).update("access tokens").digest();
  const sign = (text: string): Buffer =>
    createHmac("sha256", key).update(text).digest().subarray(0, signatureLength);
  return {
    create: () => {
      const random = randomBytes(randomLength).toString("base64url");
      return `${random}.${sign(random).toString("base64url")}`;
    },
    isOwn: (token) => {
      const [random = "", signature = "", more] = token.split(".", 3);
      const given = Buffer.from(signature, "base64url");
      if (more !== undefined || given.length !== signatureLength) return false;
      return timingSafeEqual(given, sign(random));
    },
  };
}
