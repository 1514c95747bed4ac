import type { ObjectFacts, ObjectList } from "../../ports/files/objects.ts";
import type { S3Connection } from "./connection.ts";
import { failureOf, foreign, StoreFailure } from "./errors.ts";
import { headObject, type ObjectLocation } from "./read.ts";

/** S3's listing has no media types or metadata, so each listed object needs a HEAD request. */
const headsAtOnce = 16;

/** Lists objects in the order of their keys' UTF-8 bytes, as S3 does. `root` precedes every key and is not returned. */
export async function listObjects(
  connection: S3Connection,
  options: {
    bucket: string;
    root: string;
    prefix: string;
    after: string | undefined;
    limit: number;
    signal: AbortSignal | undefined;
  },
): Promise<ObjectList> {
  const { bucket: Bucket, root, after, limit, signal } = options;
  const listed = await listKeys(connection, {
    Bucket,
    Prefix: root + options.prefix,
    after: after === undefined ? undefined : root + after,
    limit,
    signal,
  });
  const keys = listed.keys.map((key) => key.slice(root.length));
  const places = keys.map((key) => ({ Bucket, Key: root + key, key }));
  const objects = await factsOf(connection, places, signal);
  return { objects, next: listed.hasMore ? keys.at(-1) : undefined };
}

/** Checks that the bucket exists and the key may list it. */
export async function checkBucket(
  connection: S3Connection,
  Bucket: string,
  Prefix: string,
): Promise<void> {
  await listKeys(connection, { Bucket, Prefix, limit: 1 });
}

/** Recognises a server that knows no buckets: S3 answers a listing of a missing one with its own code. */
function withoutBuckets(error: unknown): never {
  const { code, status, cause } = failureOf(error);
  if (status === 404 && code !== "NoSuchBucket") throw new StoreFailure(foreign, { cause });
  throw error;
}

/** Lists up to `limit` keys. A store may return fewer per request although there are more. */
async function listKeys(
  connection: S3Connection,
  options: {
    Bucket: string;
    Prefix: string;
    after?: string | undefined;
    limit: number;
    signal?: AbortSignal | undefined;
  },
): Promise<{ keys: string[]; hasMore: boolean }> {
  const { Bucket, Prefix, limit, signal } = options;
  const keys: string[] = [];
  let after = options.after;
  for (;;) {
    const input = {
      Bucket,
      Prefix,
      MaxKeys: limit - keys.length,
      ...(after !== undefined && { StartAfter: after }),
    };
    const page = await connection.request({
      signal,
      attempt: ({ client, sdk, options: sending }) =>
        client.send(new sdk.ListObjectsV2Command(input), sending).catch(withoutBuckets),
    });
    // Cut to the limit, because a store that ignores `MaxKeys` would cause a HEAD request for every key.
    const given = (page.Contents ?? []).slice(0, input.MaxKeys + 1);
    const found = given.flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
    const last = found.at(-1);
    if (
      last !== undefined &&
      !(found.every((key) => key.startsWith(Prefix)) && isBehind(last, after))
    )
      throw new StoreFailure(foreign, { cause: new Error("a listing without progress") });
    keys.push(...found);
    after = last;
    if (keys.length > limit) return { keys: keys.slice(0, limit), hasMore: true };
    if (!page.IsTruncated || found.length === 0) return { keys, hasMore: false };
    if (keys.length === limit) return { keys, hasMore: true };
  }
}

/** Detects a store that returns the same page again. Such a list would never end. */
function isBehind(key: string, after: string | undefined): boolean {
  return after === undefined || Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0;
}

/** Returns facts in the order of the places, without objects that were deleted since the listing. */
async function factsOf(
  connection: S3Connection,
  places: readonly ObjectLocation[],
  signal: AbortSignal | undefined,
): Promise<ObjectFacts[]> {
  const found: (ObjectFacts | undefined)[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < places.length; index = next++) {
      const one = places[index];
      if (one !== undefined) found[index] = (await headObject(connection, one, signal))?.facts;
    }
  };
  await Promise.all(Array.from({ length: Math.min(headsAtOnce, places.length) }, worker));
  return found.filter((facts) => facts !== undefined);
}
