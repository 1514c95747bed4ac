import { ToolError } from "../../core/tool/tool-error.ts";
import type { WriteCondition } from "../../ports/files/objects.ts";
import type { S3Connection } from "./connection.ts";
import { isBroken, StoreFailure } from "./errors.ts";
import { headObject, type ObjectLocation } from "./read.ts";
import type { Stored } from "./stored.ts";

type Signal = AbortSignal | undefined;

/** Sends a write with the condition as the store wants it. Throws `conflict` where it is seen not to hold. */
export async function withCondition(
  connection: S3Connection,
  place: ObjectLocation,
  { when, signal }: { when: WriteCondition | undefined; signal: Signal },
  send: (condition: { IfNoneMatch?: string; IfMatch?: string }) => Promise<void>,
): Promise<void> {
  if (when === undefined) return send({});
  if (when.is === "absent") return send({ IfNoneMatch: "*" });
  // The store compares bytes, the port every write: whether it is the same write is asked first.
  const seen = await headObject(connection, place, signal);
  if (seen === undefined || seen.facts.etag !== when.etag) throw unmet(when);
  return ifUnchanged(connection, place, { seen, signal }, (IfMatch) => send({ IfMatch }));
}

/**
 * RFC 9110 has entity tags in quotes, Ceph 16 (and services built on it) takes `If-Match` on writes only without. A
 * store that refuses although the object is still what it was is asked again in the other form, and then always so.
 */
export async function ifUnchanged(
  connection: S3Connection,
  place: ObjectLocation,
  { seen, signal }: { seen: Stored; signal: Signal },
  send: (ifMatch: string) => Promise<void>,
): Promise<void> {
  const bare = seen.storeEtag.replaceAll('"', "");
  const inForm = (isBare: boolean): string => (isBare ? bare : `"${bare}"`);
  const { takesBareEtags } = connection;
  try {
    await send(inForm(takesBareEtags));
  } catch (error) {
    if (!(error instanceof StoreFailure) || !isBroken(error)) throw error;
    const now = await headObject(connection, place, signal);
    if (now?.facts.etag !== seen.facts.etag) throw error;
    await send(inForm(!takesBareEtags));
    connection.takesBareEtags = !takesBareEtags;
  }
}

/** Before much is sent, and where the store may not look itself. */
export async function mustHold(
  connection: S3Connection,
  place: ObjectLocation,
  { when, signal }: { when: WriteCondition | undefined; signal: Signal },
): Promise<void> {
  if (when === undefined) return;
  const now = await headObject(connection, place, signal);
  if (now?.facts.etag !== (when.is === "absent" ? undefined : when.etag)) throw unmet(when);
}

export function unmet(when?: WriteCondition): ToolError {
  return new ToolError(
    "conflict",
    when?.is === "absent"
      ? "There is an object under this key already. Nothing was done."
      : "The object is not the one that was seen before. Nothing was done.",
  );
}
