import { ToolError } from "../../core/tool/tool-error.ts";
import type { ObjectFacts } from "../../ports/files/objects.ts";
import { unmet } from "./conditions.ts";
import type { S3Connection } from "./connection.ts";
import { isBroken, isMissing, StoreFailure } from "./errors.ts";
import { headObject, type ObjectLocation } from "./read.ts";
import { etagOf, isVersion, metadataOf, newVersion, toSeconds, type Stored } from "./stored.ts";

interface Copy {
  from: ObjectLocation;
  to: ObjectLocation;
  /** The source's etag in the port's form. */
  ifMatch: string | undefined;
  signal: AbortSignal | undefined;
}

/** Limit on rounds of an unconditional copy whose source changes meanwhile. */
const maxRounds = 3;

/**
 * Copies an object in the store, with a new version. Copies exactly the version that was read.
 * @throws {ToolError} `conflict` if the source changed
 */
export async function copyObject(connection: S3Connection, copy: Copy): Promise<ObjectFacts> {
  const { from, ifMatch, signal } = copy;
  for (let round = 1; round <= maxRounds; round += 1) {
    const source = await headObject(connection, from, signal);
    if (source === undefined) throw notFound();
    if (ifMatch !== undefined && source.facts.etag !== ifMatch) break;
    const copied = await copySeen(connection, copy, source);
    if (copied !== undefined) return copied;
    if (ifMatch !== undefined) break;
  }
  throw unmet();
}

/** Copies the version that was read. Undefined, without a copy, if the source changed. */
async function copySeen(
  connection: S3Connection,
  { from, to, signal }: Copy,
  source: Stored,
): Promise<ObjectFacts | undefined> {
  const version = newVersion();
  const input = {
    Bucket: to.Bucket,
    Key: to.Key,
    CopySource: [from.Bucket, ...from.Key.split("/")].map(encodeURIComponent).join("/"),
    CopySourceIfMatch: source.storeEtag,
    // The source's metadata contain the version of the source's write.
    MetadataDirective: "REPLACE" as const,
    Metadata: metadataOf(version, { sha256: source.sha256, origin: source.facts.origin }),
    ContentType: source.facts.mediaType,
  };
  try {
    const { CopyObjectResult: result } = await connection.request({
      signal,
      // The store reads and writes the object before it answers.
      bodyBytes: source.facts.bytes,
      attempt: ({ client, sdk, options }) => client.send(new sdk.CopyObjectCommand(input), options),
    });
    const storeEtag = result?.ETag ?? "";
    if (await isTheSeen(connection, from, source, storeEtag, signal)) {
      const { bytes, mediaType, origin } = source.facts;
      const etag = etagOf(storeEtag, version);
      const modifiedAt = toSeconds(result?.LastModified ?? new Date());
      if (storeEtag !== "")
        return { key: to.key, bytes, etag, mediaType, modifiedAt, ...(origin && { origin }) };
      return (await headObject(connection, to, signal))?.facts;
    }
    await removeOwn(connection, to, version, signal);
    return undefined;
  } catch (error) {
    if (error instanceof StoreFailure && (isBroken(error) || isMissing(error))) return undefined;
    throw error;
  }
}

/**
 * Returns whether the copy has the bytes of the version that was read. A store may ignore `CopySourceIfMatch` (Ceph 16
 * does). An equal ETag is an equal digest. Otherwise (multipart upload, encryption) the source is read again.
 */
async function isTheSeen(
  connection: S3Connection,
  from: ObjectLocation,
  source: Stored,
  copiedEtag: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const bare = (etag: string): string => etag.replaceAll('"', "");
  if (bare(copiedEtag) === bare(source.storeEtag)) return true;
  const now = await headObject(connection, from, signal);
  return now?.facts.etag === source.facts.etag;
}

async function removeOwn(
  connection: S3Connection,
  { Bucket, Key, key }: ObjectLocation,
  version: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const there = await headObject(connection, { Bucket, Key, key }, signal);
  if (!isVersion(there, version)) return;
  await connection.request({
    signal,
    attempt: ({ client, sdk, options }) =>
      client.send(new sdk.DeleteObjectCommand({ Bucket, Key }), options),
  });
}

function notFound(): ToolError {
  return new ToolError("not_found", "The object does not exist. Nothing was copied.");
}
