import { randomId, sha256Hex } from "../core/shared/digest.ts";
import type { ObjectFacts, ObjectStore } from "../ports/files/objects.ts";
import type { KeptResults } from "../ports/upstream/kept-results.ts";
import { keysWith } from "./copy-objects.ts";

const prefix = "results/";
/** How long results are kept: a person may decide about the next step a day later. Milliseconds. */
export const keptForMs = 24 * 3_600_000;
/** Bytes per caller: three messages of the largest size that a server may send. */
const keptBytesPerCaller = 32 * 1_048_576;

/**
 * Creates the store of results over the object store, which all processes of an installation share. A caller's results
 * are stored one after the other. Old ones are removed after each write, so simultaneous writes, even of other
 * processes, stay within the limit.
 */
export function createKeptResults(
  objects: ObjectStore,
  { now = () => Date.now() }: { now?: () => number } = {},
): KeptResults {
  const last = new Map<string, Promise<unknown>>();

  async function store(place: string, text: Uint8Array): Promise<string> {
    const resultId = randomId("rs");
    const key = `${place}${resultId}`;
    await objects.put(key, text, { mediaType: "text/plain" });
    await makeRoom(objects, place, key);
    return resultId;
  }

  return {
    keep: async (principal, text) => {
      const place = placeOf(principal);
      const before = last.get(place) ?? Promise.resolve();
      const stored = before.then(() => store(place, text));
      const ended = stored.catch(() => undefined);
      last.set(place, ended);
      try {
        return await stored;
      } finally {
        if (last.get(place) === ended) last.delete(place);
      }
    },
    read: async (principal, resultId, { offset, length, signal }) => {
      // Only an id of the right form becomes part of a key.
      if (!/^rs_[a-z2-7]{26}$/.test(resultId)) return undefined;
      const key = `${placeOf(principal)}${resultId}`;
      const found = await objects.get(key, { offset, length, ...(signal && { signal }) });
      if (found === undefined || hasExpired(found.facts, now())) return undefined;
      return { body: found.body, totalBytes: found.facts.bytes };
    },
  };
}

/**
 * Returns the prefix of a caller's results. A hash is used, because a caller's name can be long and can have any
 * characters.
 */
function placeOf(principal: string): string {
  return `${prefix}${sha256Hex(principal).slice(0, 32)}/`;
}

/** Removes the caller's oldest results until the rest fits. The newest one always stays. */
async function makeRoom(objects: ObjectStore, place: string, newest: string): Promise<void> {
  const kept: ObjectFacts[] = [];
  for await (const facts of keysWith(place, objects)) kept.push(facts);
  kept.sort((a, b) => a.modifiedAt.getTime() - b.modifiedAt.getTime());
  let excess = kept.reduce((sum, { bytes }) => sum + bytes, 0) - keptBytesPerCaller;
  for (const { key, bytes: freed } of kept) {
    if (excess <= 0) return;
    if (key === newest) continue;
    await objects.remove(key);
    excess -= freed;
  }
}

/** Removes expired results. */
export async function removeOldResults(objects: ObjectStore, now = Date.now()): Promise<void> {
  for await (const facts of keysWith(prefix, objects)) {
    if (hasExpired(facts, now)) await objects.remove(facts.key);
  }
}

function hasExpired({ modifiedAt }: ObjectFacts, now: number): boolean {
  return modifiedAt.getTime() < now - keptForMs;
}
