import type { ChainPlace } from "../core/audit/audit-chain.ts";
import type { AuditReader } from "../core/audit/audit-reader.ts";
import { type AuditSeal, readSeal, sealed, sealText, verdictOn } from "../core/audit/audit-seal.ts";
import type { Log } from "../core/shared/log.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { ObjectStore } from "../ports/files/objects.ts";

/** A place outside of the database for audit heads. Each head is a small text with a name. */
export interface HeadPlace {
  /** For people: `the data directory`. */
  name: string;
  list(): Promise<readonly { name: string; text: string }[]>;
  /** Does nothing if the name exists. */
  put(name: string, text: string, signal?: AbortSignal): Promise<void>;
  remove(name: string): Promise<void>;
}

/** A head and its place. */
export interface FoundHead {
  head: AuditSeal;
  place: string;
}

type HeadReader = Pick<AuditReader, "macOf" | "checkpoint">;

const namePattern = /^head-(\d{15})-([0-9a-f]+)\.json$/;

/** Returns whether a file has the name of a head. */
export const isHeadName = (name: string): boolean => namePattern.test(name);

/** Returns the name of a head. The highest number sorts last, and the key's name separates installations. */
function nameOf({ seq }: ChainPlace, keyId: string): string {
  return `head-${String(seq).padStart(15, "0")}-${keyId}.json`;
}

/** Returns the place `audit/` of the object store. */
export function headObjects(objects: ObjectStore): HeadPlace {
  const prefix = "audit/";
  return {
    name: "the object store",
    list: async () => {
      const { objects: found } = await objects.list({ prefix, limit: 1_000 });
      const texts = await Promise.all(
        found.map(async ({ key }) => ({
          name: key.slice(prefix.length),
          text: Buffer.from((await objects.get(key))?.body ?? []).toString(),
        })),
      );
      return texts;
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
    // Another process removed it after the listing.
    if (!namePattern.test(name) || text === "") continue;
    const head = readSeal(text);
    if (head?.kind === "head") heads.push({ head, place: place.name });
    else damaged.push(name);
  }
  return { heads, damaged };
}

/** Removes heads after an event, from a copy that was taken after the copy of the log. */
export async function removeHeadsAfter(place: HeadPlace, seq: number): Promise<void> {
  const { heads } = await readHeads(place);
  for (const { head } of heads) if (head.seq > seq) await place.remove(nameOf(head, head.keyId));
}

/**
 * Writes the signed length of the log to a place outside of it. The number is in the name, so that a delayed older head
 * replaces none. Older heads are deleted only if the log still has their event. Otherwise they prove that it does not.
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
  const seal = sealed("head", written, settings);
  await place.put(nameOf(written, keyId), sealText(seal), signal);
  const own = (await readHeads(place)).heads.filter(({ head }) => head.keyId === keyId);
  const newest = Math.max(...own.map(({ head }) => head.seq));
  for (const { head } of own) {
    if (!(await isInLog(head, settings))) {
      log.error("the audit log has lost an event; run the audit verify command", {
        event: head.seq,
        recordedAt: head.at,
      });
    } else if (head.seq < newest) await place.remove(nameOf(head, keyId));
  }
}

/** Returns whether the log has an event, or removed it because of its age, which only our own checkpoint proves. */
async function isInLog(
  { seq, mac }: ChainPlace,
  { reader, key, keyId }: { reader: HeadReader; key: Uint8Array; keyId: string },
): Promise<boolean> {
  if ((await reader.macOf(seq)) === mac) return true;
  const checkpoint = await reader.checkpoint();
  if (checkpoint === undefined || seq > checkpoint.seq) return false;
  return verdictOn(checkpoint, new Map([[keyId, key]])) === "genuine";
}
