import { createHmac, timingSafeEqual } from "node:crypto";
import { base32, canonicalJson, randomId, sha256Hex } from "../core/shared/digest.ts";
import type { EventMaker } from "../ports/calendar/calendar.ts";
import type { EventLedger } from "../ports/calendar/event-ledger.ts";

const domain = "@countersign";

/** 140 bits: with the domain a UID has 40 characters. */
const localCharacters = 28;

/** What a new event is called before it exists. */
export interface EventName {
  uid: string;
  /** Of its object in the collection. */
  objectName: string;
  seed: string;
}

/** UID = base32(HMAC(key, principal, idempotency key or random)) + `@countersign`: nobody without the key can make one. */
export function nameEvent(key: Uint8Array, { principal, idempotencyKey }: EventMaker): EventName {
  // The two kinds of seed never meet: a caller cannot name a random one.
  const seed = idempotencyKey === undefined ? randomId("random") : `key ${idempotencyKey}`;
  const local = localPart(key, principal, seed);
  return { uid: `${local}${domain}`, objectName: `${local}.ics`, seed };
}

/** Of these UIDs, those whose MAC is ours and whose making was confirmed. */
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

/** The same facts, the same digest: two calls with one idempotency key must mean one event. */
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
