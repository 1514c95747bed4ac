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
  /** The source's etag, as the port knows it. */
  ifMatch: string | undefined;
  signal: AbortSignal | undefined;
}

/** How often an unconditional copy begins again because its source changed meanwhile. */
const maxRounds = 3;

/** A copy at the store, with a version of its own. What is copied is the version that was seen, or it is `conflict`. */
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

/** Undefined where the source is no longer the one that was seen; then there is no copy. */
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
    // The source's metadata name the source's write.
    MetadataDirective: "REPLACE" as const,
    Metadata: metadataOf(version, source.sha256),
    ContentType: source.facts.mediaType,
  };
  try {
    const { CopyObjectResult: result } = await connection.request({
      signal,
      // The store reads and writes it; its answer may take as long as that.
      bodyBytes: source.facts.bytes,
      attempt: ({ client, sdk, options }) => client.send(new sdk.CopyObjectCommand(input), options),
    });
    const storeEtag = result?.ETag ?? "";
    if (await isTheSeen(connection, from, source, storeEtag, signal)) {
      const { bytes, mediaType } = source.facts;
      const etag = etagOf(storeEtag, version);
      const modifiedAt = toSeconds(result?.LastModified ?? new Date());
      if (storeEtag !== "") return { key: to.key, bytes, etag, mediaType, modifiedAt };
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
 * A store may ignore `CopySourceIfMatch` (Ceph 16 does). An equal ETag is an equal digest of the bytes; where the copy has
 * another one (of a multipart upload, of encrypted bytes) the source is looked at again.
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
  return new ToolError("not_found", "There is no such object. Nothing was copied.");
}
