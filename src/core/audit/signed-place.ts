import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { AuditKeys, ChainPlace } from "./audit-chain.ts";

/**
 * A signed position in the chain. `head`: the length of the record at that time, stored outside the database.
 * `checkpoint`: all earlier events were removed because of their age.
 */
export interface SignedPlace extends ChainPlace {
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

export function signedPlace(
  kind: SignedPlace["kind"],
  { seq, mac }: ChainPlace,
  { key, keyId, at }: { key: Uint8Array; keyId: string; at: Date },
): SignedPlace {
  const unsigned = { kind, seq, mac, at, keyId };
  return { ...unsigned, signature: signatureOf(key, unsigned) };
}

/** Verifies the signature of a place. `unknown` means that its key is not available. */
export function verifySignedPlace(
  place: SignedPlace,
  keys: AuditKeys,
): "genuine" | "forged" | "unknown" {
  const key = keys.get(place.keyId);
  if (key === undefined) return "unknown";
  const given = Buffer.from(place.signature);
  const expected = Buffer.from(signatureOf(key, place));
  return given.length === expected.length && timingSafeEqual(given, expected)
    ? "genuine"
    : "forged";
}

export function signedPlaceText(place: SignedPlace): string {
  return `${JSON.stringify(place)}\n`;
}

/** Parses a signed place. Returns undefined for any other text. */
export function parseSignedPlace(text: string): SignedPlace | undefined {
  try {
    return stored.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Signs a place in the chain. The purpose is part of the signed text, so the signature cannot equal the MAC of an event. */
function signatureOf(key: Uint8Array, place: Omit<SignedPlace, "signature">): string {
  const { kind, seq, mac, at, keyId } = place;
  const body = JSON.stringify(["countersign seal", kind, seq, mac, at, keyId]);
  return createHmac("sha256", key).update(body).digest("hex");
}
