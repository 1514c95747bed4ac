import { createHmac, timingSafeEqual } from "node:crypto";
import { base32, canonicalJson, randomId, sha256Hex } from "../core/shared/digest.ts";
import type { EventMaker } from "../ports/calendar/calendar.ts";
import type { EventLedger } from "../ports/calendar/event-ledger.ts";

const domain = "@countersign";

/** 140 bits. Together with the domain, a UID has 40 characters. */
const localCharacters = 28;

/** The names of an event that does not exist yet. */
export interface EventName {
  uid: string;
  /** The name of its object in the collection. */
  objectName: string;
  seed: string;
}

/**
 * Derives the UID: base32(HMAC(key, principal, idempotency key or call)) + `@countersign`. Forging it requires the key.
 * If an approved call runs again because an older copy of the database was restored, it finds its own event.
 */
export function nameEvent(
  key: Uint8Array,
  { principal, idempotencyKey, callId = randomId("random") }: EventMaker,
): EventName {
  // The two kinds of seed differ, so an idempotency key can never equal a call id.
  const seed = idempotencyKey === undefined ? callId : `key ${idempotencyKey}`;
  const local = localPart(key, principal, seed);
  return { uid: `${local}${domain}`, objectName: `${local}.ics`, seed };
}

/** Returns those UIDs whose MAC is ours and whose creation was confirmed. */
export async function ownUids(
  key: Uint8Array,
  ledger: EventLedger,
  uids: readonly string[],
): Promise<ReadonlySet<string>> {
  const candidates = [...new Set(uids.filter((uid) => uid.endsWith(domain)))];
  if (candidates.length === 0) return new Set();
  const entries = await ledger.find(candidates);
  return new Set(
    entries
      .filter(({ confirmed }) => confirmed)
      .filter(({ uid, principal, seed }) =>
        isSame(uid, `${localPart(key, principal, seed)}${domain}`),
      )
      .map(({ uid }) => uid),
  );
}

/** Computes a digest of an event's facts. Two calls with one idempotency key must describe the same event. */
export function factsDigest(facts: unknown): string {
  return sha256Hex(canonicalJson(facts));
}

function localPart(key: Uint8Array, principal: string, seed: string): string {
  const mac = createHmac("sha256", key).update(`${principal}\0${seed}`).digest();
  return base32(mac).slice(0, localCharacters);
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
