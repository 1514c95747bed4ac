import type { ChainPlace } from "../core/audit/audit-chain.ts";
import type { AuditReader } from "../core/audit/audit-reader.ts";
import { type AuditSeal, readSeal, sealed, sealText, verdictOn } from "../core/audit/audit-seal.ts";
import type { Log } from "../core/shared/log.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { ObjectStore } from "../ports/files/objects.ts";

/** A place outside of the database that heads are kept in: names and texts. */
export interface HeadPlace {
  /** For people: `the data directory`. */
  name: string;
  list(): Promise<readonly { name: string; text: string }[]>;
  /** Does nothing where there is one of that name. */
  put(name: string, text: string, signal?: AbortSignal): Promise<void>;
  remove(name: string): Promise<void>;
}

/** A head that was found, and where. */
export interface FoundHead {
  head: AuditSeal;
  place: string;
}

type HeadReader = Pick<AuditReader, "macOf" | "checkpoint">;

const namePattern = /^head-(\d{15})-([0-9a-f]+)\.json$/;

/** The greatest number comes last, and the name of the key keeps installations apart. */
function nameOf({ seq }: ChainPlace, keyId: string): string {
  return `head-${String(seq).padStart(15, "0")}-${keyId}.json`;
}

/** `audit/` of the object store. */
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
      const options = { mediaType: "application/json", when: { is: "absent" as const } };
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

/** Every head of a place; a file under a head's name that is none is told as damaged. */
export async function readHeads(
  place: HeadPlace,
): Promise<{ heads: FoundHead[]; damaged: string[] }> {
  const heads: FoundHead[] = [];
  const damaged: string[] = [];
  for (const { name, text } of await place.list()) {
    // Empty: another process has removed it since it was listed.
    if (!namePattern.test(name) || text === "") continue;
    const head = readSeal(text);
    if (head?.kind === "head") heads.push({ head, place: place.name });
    else damaged.push(name);
  }
  return { heads, damaged };
}

/**
 * Writes how long the log is, signed, to a place outside of it. A head's number is in its name, so that a late older one
 * replaces nothing; older ones go only where the log still has their event, for otherwise they are the proof that it has not.
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
      log.error("the audit log no longer has an event that it had: run the audit verify command", {
        event: head.seq,
        recordedAt: head.at,
      });
    } else if (head.seq < newest) await place.remove(nameOf(head, keyId));
  }
}

/** Also where it has been removed because of its age: which only our own checkpoint proves. */
async function isInLog(
  { seq, mac }: ChainPlace,
  { reader, key, keyId }: { reader: HeadReader; key: Uint8Array; keyId: string },
): Promise<boolean> {
  if ((await reader.macOf(seq)) === mac) return true;
  const checkpoint = await reader.checkpoint();
  if (checkpoint === undefined || seq > checkpoint.seq) return false;
  return verdictOn(checkpoint, new Map([[keyId, key]])) === "genuine";
}
