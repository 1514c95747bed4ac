import { generateKeyPairSync } from "node:crypto";
import { createSeal } from "mailauth/lib/arc/index.js";
import { dkimSign } from "mailauth/lib/dkim/sign.js";

const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** The public key as the text of `selector._domainkey.domain`. */
export const keyRecord = `v=DKIM1; k=rsa; p=${keys.publicKey.export({ type: "spki", format: "der" }).toString("base64")}`;

/** Adds a signature above the message, made with that key under the selector `key`. */
export async function signed(
  message: string | Buffer,
  signingDomain: string,
  options: { headerList?: string[]; maxBodyLength?: number; expires?: Date } = {},
): Promise<Buffer> {
  const privateKey = keys.privateKey.export({ type: "pkcs1", format: "pem" }).toString();
  const { signatures, errors } = await dkimSign(message, {
    canonicalization: "relaxed/relaxed",
    ...options,
    signatureData: [{ signingDomain, selector: "key", privateKey, ...options }],
  } as Parameters<typeof dkimSign>[1]);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return Buffer.concat([Buffer.from(signatures), Buffer.from(message)]);
}

/** Adds a first ARC set above the message, as a relay does that found `results`. */
export async function sealed(
  message: string,
  signingDomain: string,
  results: string,
): Promise<Buffer> {
  const privateKey = keys.privateKey.export({ type: "pkcs1", format: "pem" }).toString();
  const seal = {
    signingDomain,
    selector: "key",
    privateKey,
    i: 1,
    cv: "none",
    authResults: results,
  };
  const { headers } = await createSeal(Buffer.from(message), { seal });
  return Buffer.from(`${headers.join("\r\n")}\r\n${message}`);
}
