import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { AuditKeys, ChainPlace } from "./audit-chain.ts";

/**
 * A signed position in the chain. `head`: the length of the record at that time, stored outside the database.
 * `checkpoint`: all earlier events were removed because of their age.
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

/** Verifies a seal's signature. `unknown` means that its key is not available. */
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

/** Parses a seal. Returns undefined if the text is not a seal. */
export function readSeal(text: string): AuditSeal | undefined {
  try {
    return stored.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Signs a seal. The purpose is part of the signed text, so the signature cannot equal the MAC of an event. */
function signatureOf(key: Uint8Array, seal: Omit<AuditSeal, "signature">): string {
  const { kind, seq, mac, at, keyId } = seal;
  const body = JSON.stringify(["countersign seal", kind, seq, mac, at, keyId]);
  return createHmac("sha256", key).update(body).digest("hex");
}
