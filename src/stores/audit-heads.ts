import type { ChainPlace } from "../core/audit/audit-chain.ts";
import type { AuditReader } from "../core/audit/audit-reader.ts";
import {
  type SignedPlace,
  parseSignedPlace,
  signedPlace,
  signedPlaceText,
  verifySignedPlace,
} from "../core/audit/signed-place.ts";
import type { Log } from "../core/shared/log.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { ObjectStore } from "../ports/files/objects.ts";

/** A place outside the database for audit heads. Each head is a short text with a name. */
export interface HeadPlace {
  /** The name for people, such as `the data directory`. */
  name: string;
  list(): Promise<readonly { name: string; text: string }[]>;
  /** Does nothing if the name exists. */
  put(name: string, text: string, signal?: AbortSignal): Promise<void>;
  remove(name: string): Promise<void>;
}

/** A head and its place. */
export interface FoundHead {
  head: SignedPlace;
  place: string;
}

type HeadReader = Pick<AuditReader, "macOf" | "checkpoint">;

const namePattern = /^head-(\d{15})-([0-9a-f]+)\.json$/;

/** Returns whether a file has the name of a head. */
export const isHeadName = (name: string): boolean => namePattern.test(name);

/** Returns the name of a head. The highest number sorts last, and the key's id separates installations. */
function nameOf({ seq }: ChainPlace, keyId: string): string {
  return `head-${String(seq).padStart(15, "0")}-${keyId}.json`;
}

const pageSize = 1_000;
/**
 * A head has some hundred bytes, and old ones are removed. The limits protect the memory from a bucket that other
 * programs fill.
 */
const most = { pages: 100, bytes: 4_096, atOnce: 50 };

/** Returns the place `audit/` of the object store. */
export function headObjects(objects: ObjectStore): HeadPlace {
  const prefix = "audit/";
  const read = async (name: string): Promise<{ name: string; text: string }> => {
    const stored = await objects.get(prefix + name, { length: most.bytes });
    return { name, text: Buffer.from(stored?.body ?? []).toString() };
  };
  return {
    name: "the object store",
    list: async () => {
      const found: { name: string; text: string }[] = [];
      let after: string | undefined;
      // Other programs may write to the bucket, and their names must not hide a head.
      for (let page = 0; page < most.pages; page += 1) {
        const list = await objects.list({ prefix, limit: pageSize, ...(after && { after }) });
        const names = list.objects.map(({ key }) => key.slice(prefix.length)).filter(isHeadName);
        for (let at = 0; at < names.length; at += most.atOnce)
          found.push(...(await Promise.all(names.slice(at, at + most.atOnce).map(read))));
        after = list.next;
        if (after === undefined) return found;
      }
      throw new ToolError(
        "too_large",
        `The object store has more than ${most.pages * pageSize} objects in ${prefix}. Its heads were not read.`,
      );
    },
    put: async (name, text, signal) => {
      const options = { mediaType: "application/json", when: { kind: "absent" as const } };
      try {
        await objects.put(prefix + name, Buffer.from(text), {
          ...options,
          ...(signal && { signal }),
        });
      } catch (error) {
        if (!(error instanceof ToolError) || error.kind !== "conflict") throw error;
      }
    },
    remove: async (name) => void (await objects.remove(prefix + name)),
  };
}

/** Reads every head of a place. An invalid file with a head's name is reported as damaged. */
export async function readHeads(
  place: HeadPlace,
): Promise<{ heads: FoundHead[]; damaged: string[] }> {
  const heads: FoundHead[] = [];
  const damaged: string[] = [];
  for (const { name, text } of await place.list()) {
    // Empty if another process removed it after the listing.
    if (!namePattern.test(name) || text === "") continue;
    const head = parseSignedPlace(text);
    if (head?.kind === "head") heads.push({ head, place: place.name });
    else damaged.push(name);
  }
  return { heads, damaged };
}

/** Removes the heads of later events, from a copy that was made after the copy of the record. */
export async function removeHeadsAfter(place: HeadPlace, seq: number): Promise<void> {
  const { heads } = await readHeads(place);
  for (const { head } of heads) if (head.seq > seq) await place.remove(nameOf(head, head.keyId));
}

/**
 * Writes the signed length of the record to a place outside the database. The number is in the name, so a delayed older
 * head does not replace a newer one. An older head is deleted only if the record still has its event. Otherwise it is
 * the proof that the event is missing.
 */
export async function writeHead(
  place: HeadPlace,
  written: ChainPlace,
  settings: {
    key: Uint8Array;
    keyId: string;
    at: Date;
    reader: HeadReader;
    log: Log;
    signal?: AbortSignal;
  },
): Promise<void> {
  const { keyId, log, signal } = settings;
  const head = signedPlace("head", written, settings);
  await place.put(nameOf(written, keyId), signedPlaceText(head), signal);
  const own = (await readHeads(place)).heads.filter(({ head }) => head.keyId === keyId);
  const newest = Math.max(...own.map(({ head }) => head.seq));
  for (const { head } of own) {
    if (!(await isInLog(head, settings))) {
      log.error("the audit record has lost an event; run the audit verify command", {
        event: head.seq,
        recordedAt: head.at,
      });
    } else if (head.seq < newest) await place.remove(nameOf(head, keyId));
  }
}

/**
 * Returns whether the record has an event, or removed it because of its age. Only a checkpoint of our own proves the
 * removal.
 */
async function isInLog(
  { seq, mac }: ChainPlace,
  { reader, key, keyId }: { reader: HeadReader; key: Uint8Array; keyId: string },
): Promise<boolean> {
  if ((await reader.macOf(seq)) === mac) return true;
  const checkpoint = await reader.checkpoint();
  if (checkpoint === undefined || seq > checkpoint.seq) return false;
  return verifySignedPlace(checkpoint, new Map([[keyId, key]])) === "genuine";
}
