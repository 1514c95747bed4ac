import { ToolError } from "../../core/tool/tool-error.ts";
import type { WriteCondition } from "../../ports/files/objects.ts";
import type { S3Connection } from "./connection.ts";
import { isBroken, StoreFailure } from "./errors.ts";
import { headObject, type ObjectLocation } from "./read.ts";
import type { Stored } from "./stored.ts";

type Signal = AbortSignal | undefined;

/**
 * Sends a write with its condition in the store's form.
 * @throws {ToolError} `conflict` if the condition fails
 */
export async function withCondition(
  connection: S3Connection,
  place: ObjectLocation,
  { when, signal }: { when: WriteCondition | undefined; signal: Signal },
  send: (condition: { IfNoneMatch?: string; IfMatch?: string }) => Promise<void>,
): Promise<void> {
  if (when === undefined) return send({});
  if (when.kind === "absent") return send({ IfNoneMatch: "*" });
  // The store compares bytes, but the port compares writes. The version is therefore checked first.
  const seen = await headObject(connection, place, signal);
  if (seen === undefined || seen.facts.etag !== when.etag) throw unmet(when);
  return ifUnchanged(connection, place, { seen, signal }, (IfMatch) => send({ IfMatch }));
}

/**
 * Sends a request with `If-Match`. RFC 9110 requires quotes, but Ceph 16 and services based on it accept `If-Match` on
 * writes only without them. After a refusal for an unchanged object the other form is tried and then kept.
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

/** Checks a condition before a large upload, and for stores that do not check conditions. */
export async function assertCondition(
  connection: S3Connection,
  place: ObjectLocation,
  { when, signal }: { when: WriteCondition | undefined; signal: Signal },
): Promise<void> {
  if (when === undefined) return;
  const now = await headObject(connection, place, signal);
  if (now?.facts.etag !== (when.kind === "absent" ? undefined : when.etag)) throw unmet(when);
}

export function unmet(when?: WriteCondition): ToolError {
  return new ToolError(
    "conflict",
    when?.kind === "absent"
      ? "An object with this key already exists. Nothing was done."
      : "The object has changed since it was read. Nothing was done.",
  );
}
