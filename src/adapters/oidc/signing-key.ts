import { createHmac, createPrivateKey } from "node:crypto";

/** An Ed25519 private key in PKCS #8 is this prefix and 32 bytes (RFC 8410, section 7). */
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

/** Derives the key that signs ID tokens. Every replica derives the same one. */
export function signingKey(secret: Uint8Array) {
  const seed = createHmac("sha256", secret).update("signing").digest();
  const key = Buffer.concat([pkcs8Prefix, seed]);
  const jwk = createPrivateKey({ key, format: "der", type: "pkcs8" }).export({ format: "jwk" });
  const kid = createHmac("sha256", secret).update("key id").digest("base64url").slice(0, 16);
  return { kty: "OKP", crv: "Ed25519", x: jwk.x ?? "", d: jwk.d ?? "", kid, use: "sig" };
}

export function cookieKey(secret: Uint8Array): string {
  return createHmac("sha256", secret).update("cookies").digest("base64url");
}
