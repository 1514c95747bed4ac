import type { CompletedPart } from "@aws-sdk/client-s3";
import type { WriteCondition, ObjectFacts, ObjectOrigin } from "../../ports/files/objects.ts";
import { assertCondition, unmet, withCondition } from "./conditions.ts";
import type { S3Connection } from "./connection.ts";
import { isBroken, isMissing, StoreFailure } from "./errors.ts";
import { headObject, type ObjectLocation } from "./read.ts";
import {
  etagOf,
  headerValue,
  isVersion,
  metadataOf,
  newVersion,
  sha256Of,
  toSeconds,
} from "./stored.ts";

/**
 * Larger bodies are sent in parts, so that a broken connection costs only one part. S3 requires at least 5 MiB per
 * part, except for the last.
 */
const multipartFromBytes = 16 * 1_048_576;
const partBytes = 8 * 1_048_576;
const partsAtOnce = 3;

export interface Write {
  place: ObjectLocation;
  body: Uint8Array;
  mediaType: string;
  origin: ObjectOrigin | undefined;
  when: WriteCondition | undefined;
  signal: AbortSignal | undefined;
}

/**
 * Writes an object atomically. For a body in parts, the condition is checked before the first and before the last
 * request, and sent with the last one. A store that ignores it there (Ceph 16 does) leaves a gap of milliseconds. Such
 * objects are mail, whose keys are digests.
 */
export async function putObject(connection: S3Connection, write: Write): Promise<ObjectFacts> {
  const { place, body, when, signal } = write;
  const version = newVersion();
  const header = {
    Bucket: place.Bucket,
    Key: place.Key,
    ContentType: headerValue(write.mediaType),
    Metadata: metadataOf(version, { sha256: sha256Of(body), origin: write.origin }),
  };
  try {
    if (body.byteLength >= multipartFromBytes) await putInParts(connection, write, header);
    else await putAtOnce(connection, write, header);
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    const isRefused = isBroken(error) || isMissing(error);
    if (isRefused && !error.isOpen && when !== undefined) throw unmet(when);
    // A repeated request met its own first try after a lost response, or another program's write.
    const mayBeOurs = isRefused && error.isOpen;
    if (!mayBeOurs || !isVersion(await headObject(connection, place, signal), version)) throw error;
  }
  // PUT returns no time, and for parts on Ceph 16 no ETag.
  const stored = await headObject(connection, place, signal).catch(() => undefined);
  if (stored !== undefined && isVersion(stored, version)) return stored.facts;
  // The object was written, but has since been replaced or cannot be read. This etag matches no version.
  return {
    key: place.key,
    bytes: body.byteLength,
    etag: etagOf("", version),
    mediaType: header.ContentType,
    modifiedAt: toSeconds(new Date()),
    ...(write.origin && { origin: write.origin }),
  };
}

/**
 * Sends a body in one request. Safe to repeat even with a condition, because the version identifies our own first try.
 */
async function putAtOnce(connection: S3Connection, write: Write, header: Header): Promise<void> {
  const { body, signal } = write;
  await withCondition(connection, write.place, write, async (condition) => {
    const input = { ...header, ...condition, Body: body, ContentLength: body.byteLength };
    await connection.request({
      signal,
      bodyBytes: body.byteLength,
      attempt: ({ client, sdk, options }) => client.send(new sdk.PutObjectCommand(input), options),
    });
  });
}

type Header = Record<"Bucket" | "Key" | "ContentType", string> & {
  Metadata: Record<string, string>;
};

/**
 * Sends a body in parts. Parts are invisible until the upload is completed. A failed upload is aborted, so that it
 * costs nothing.
 */
async function putInParts(connection: S3Connection, write: Write, header: Header): Promise<void> {
  const { place, body, signal } = write;
  await assertCondition(connection, place, write);
  const { UploadId } = await nothingYet(
    connection.request({
      signal,
      attempt: ({ client, sdk, options }) =>
        client.send(new sdk.CreateMultipartUploadCommand(header), options),
    }),
  );
  const upload = { Bucket: place.Bucket, Key: place.Key, UploadId };
  try {
    const Parts = await nothingYet(putParts(connection, upload, body, signal));
    await assertCondition(connection, place, write);
    await withCondition(connection, place, write, async (condition) => {
      const input = { ...upload, ...condition, MultipartUpload: { Parts } };
      await connection.request({
        signal,
        attempt: ({ client, sdk, options }) =>
          client.send(new sdk.CompleteMultipartUploadCommand(input), options),
      });
    });
  } catch (error) {
    await connection
      .request({
        attempt: ({ client, sdk, options }) =>
          client.send(new sdk.AbortMultipartUploadCommand(upload), options),
      })
      // A failure to abort cannot be handled, and the first error is more useful.
      .catch(() => undefined);
    throw error;
  }
}

async function putParts(
  connection: S3Connection,
  upload: { Bucket: string; Key: string; UploadId: string | undefined },
  body: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<CompletedPart[]> {
  const count = Math.ceil(body.byteLength / partBytes);
  const done: CompletedPart[] = [];
  const failed = new AbortController();
  const anySignal = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      const Body = body.subarray(index * partBytes, (index + 1) * partBytes);
      const PartNumber = index + 1;
      const { ETag } = await connection.request({
        signal: anySignal,
        bodyBytes: Body.byteLength * partsAtOnce,
        attempt: ({ client, sdk, options }) =>
          client.send(new sdk.UploadPartCommand({ ...upload, PartNumber, Body }), options),
      });
      done[index] = { PartNumber, ETag };
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(partsAtOnce, count) }, worker));
  } catch (error) {
    failed.abort();
    throw error;
  }
  return done;
}

/** Marks a failure as certain. Before an upload is completed, the object does not exist. */
async function nothingYet<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof StoreFailure ? error.with(false) : error;
  }
}
