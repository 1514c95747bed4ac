import type { CompletedPart } from "@aws-sdk/client-s3";
import type { WriteCondition, ObjectFacts } from "../../ports/files/objects.ts";
import { mustHold, unmet, withCondition } from "./conditions.ts";
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

/** From here on a body goes in parts, so that a broken line costs one part. S3 wants at least 5 MiB in each but the last. */
const multipartFromBytes = 16 * 1_048_576;
const partBytes = 8 * 1_048_576;
const partsAtOnce = 3;

export interface Write {
  place: ObjectLocation;
  body: Uint8Array;
  mediaType: string;
  when: WriteCondition | undefined;
  signal: AbortSignal | undefined;
}

/**
 * Writes an object whole or not at all.
 *
 * The condition of a body in parts is looked at before the first and before the last request, and goes along with that: a
 * store that ignores it there (Ceph 16 does) leaves a gap of milliseconds. What is written so is mail, whose keys are
 * digests of the bytes.
 */
export async function putObject(connection: S3Connection, write: Write): Promise<ObjectFacts> {
  const { place, body, when, signal } = write;
  const version = newVersion();
  const header = {
    Bucket: place.Bucket,
    Key: place.Key,
    ContentType: headerValue(write.mediaType),
    Metadata: metadataOf(version, sha256Of(body)),
  };
  try {
    if (body.byteLength >= multipartFromBytes) await putInParts(connection, write, header);
    else await putAtOnce(connection, write, header);
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    const isRefused = isBroken(error) || isMissing(error);
    if (isRefused && !error.isOpen && when !== undefined) throw unmet(when);
    // A repeated request met its own first try, whose answer was lost - or it met somebody else's write.
    const mayBeOurs = isRefused && error.isOpen;
    if (!mayBeOurs || !isVersion(await headObject(connection, place, signal), version)) throw error;
  }
  // PUT tells neither the store's time nor, for parts on Ceph 16, the ETag.
  const stored = await headObject(connection, place, signal).catch(() => undefined);
  if (stored !== undefined && isVersion(stored, version)) return stored.facts;
  // Written, and replaced or out of reach since: an etag that will match nothing.
  return {
    key: place.key,
    bytes: body.byteLength,
    etag: etagOf("", version),
    mediaType: header.ContentType,
    modifiedAt: toSeconds(new Date()),
  };
}

/** Safe to repeat although it may be conditional: the version tells our own first try from somebody else's write. */
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

/** Parts are invisible until the upload is completed; an upload that fails is given up, so that they cost nothing. */
async function putInParts(connection: S3Connection, write: Write, header: Header): Promise<void> {
  const { place, body, signal } = write;
  await mustHold(connection, place, write);
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
    await mustHold(connection, place, write);
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
      // Nothing more can be done about it, and the first error is the one to tell.
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

/** Until an upload is completed there is no object, whatever became of the request. */
async function nothingYet<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof StoreFailure ? error.with(false) : error;
  }
}
