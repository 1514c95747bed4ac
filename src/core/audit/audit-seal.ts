import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { AuditKeys, ChainPlace } from "./audit-chain.ts";

/**
 * A signed place in the chain. `head`: the log was that long at that time, kept outside of the database. `checkpoint`: all
 * events up to it were removed because of their age.
 */
export interface AuditSeal extends ChainPlace {
  kind: "head" | "checkpoint";
  at: Date;
  keyId: string;
  signature: string;
}

const stored = z.strictObject({
  kind: z.enum(["head", "checkpoint"]),
  seq: z.int().min(1),
  mac: z.string(),
  at: z.iso.datetime().transform((text) => new Date(text)),
  keyId: z.string(),
  signature: z.string(),
});

export function sealed(
  kind: AuditSeal["kind"],
  { seq, mac }: ChainPlace,
  { key, keyId, at }: { key: Uint8Array; keyId: string; at: Date },
): AuditSeal {
  const unsigned = { kind, seq, mac, at, keyId };
  return { ...unsigned, signature: signatureOf(key, unsigned) };
}

/** `unknown`: the key that it names is not at hand. */
export function verdictOn(seal: AuditSeal, keys: AuditKeys): "genuine" | "forged" | "unknown" {
  const key = keys.get(seal.keyId);
  if (key === undefined) return "unknown";
  const given = Buffer.from(seal.signature);
  const expected = Buffer.from(signatureOf(key, seal));
  return given.length === expected.length && timingSafeEqual(given, expected)
    ? "genuine"
    : "forged";
}

export function sealText(seal: AuditSeal): string {
  return `${JSON.stringify(seal)}\n`;
}

/** Undefined for what is no seal. */
export function readSeal(text: string): AuditSeal | undefined {
  try {
    return stored.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The name of the purpose keeps it from ever being the MAC of an event. */
function signatureOf(key: Uint8Array, seal: Omit<AuditSeal, "signature">): string {
  const { kind, seq, mac, at, keyId } = seal;
  const body = JSON.stringify(["countersign seal", kind, seq, mac, at, keyId]);
  return createHmac("sha256", key).update(body).digest("hex");
}
