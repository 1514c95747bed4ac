import type { CompletedPart } from "@aws-sdk/client-s3";
import { ToolError } from "../../core/tool-error.ts";
import type { Condition, ObjectFacts } from "../../ports/objects.ts";
import type { Connection } from "./connection.ts";
import { isBroken, isMissing, StoreFailure } from "./errors.ts";
import { headObject, type Place } from "./read.ts";
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
  place: Place;
  body: Uint8Array;
  mediaType: string;
  when: Condition | undefined;
  signal: AbortSignal | undefined;
}

/**
 * Writes an object whole or not at all. A body with a condition goes in one request whatever its size (S3 takes 5 GiB):
 * the condition on completing a multipart upload is not known to every store; Ceph 16 ignores it.
 */
export async function putObject(connection: Connection, write: Write): Promise<ObjectFacts> {
  const { place, body, when, signal } = write;
  const version = newVersion();
  const header = {
    Bucket: place.Bucket,
    Key: place.Key,
    ContentType: headerValue(write.mediaType),
    Metadata: metadataOf(version, sha256Of(body)),
  };
  const factsOf = (storeEtag: string): ObjectFacts => ({
    key: place.key,
    bytes: body.byteLength,
    etag: etagOf(storeEtag, version),
    mediaType: header.ContentType,
    // PUT does not tell the store's time; one more request for a second's difference is not worth it.
    modifiedAt: toSeconds(new Date()),
  });
  if (when === undefined && body.byteLength >= multipartFromBytes) {
    await putInParts(connection, write, header, version);
  } else {
    const condition = await conditionOf(connection, write);
    const input = { ...header, ...condition, Body: body, ContentLength: body.byteLength };
    try {
      const { ETag } = await connection.request({
        signal,
        bodyBytes: body.byteLength,
        // Repeatable although conditional: the version tells our own first try from somebody else's write.
        attempt: ({ client, sdk, options }) =>
          client.send(new sdk.PutObjectCommand(input), options),
      });
      if (ETag) return factsOf(ETag);
    } catch (error) {
      if (!(error instanceof StoreFailure) || !(isBroken(error) || isMissing(error))) throw error;
      if (!error.isOpen) throw unmet(when);
      // An earlier try may have been ours: looked up below.
      if (!isVersion(await headObject(connection, place, signal), version)) throw error;
    }
  }
  const stored = await headObject(connection, place, signal);
  // Where somebody else has replaced it at once, ours is a version that is no more.
  return stored !== undefined && isVersion(stored, version) ? stored.facts : factsOf("");
}

async function conditionOf(
  connection: Connection,
  { place, when, signal }: Write,
): Promise<{ IfNoneMatch?: string; IfMatch?: string }> {
  if (when === undefined) return {};
  if (when.is === "absent") return { IfNoneMatch: "*" };
  // The store compares bytes, the port every write: whether it is the same write is asked first.
  const now = await headObject(connection, place, signal);
  if (now === undefined || now.facts.etag !== when.etag) throw unmet(when);
  return { IfMatch: now.storeEtag };
}

type Header = Record<"Bucket" | "Key" | "ContentType", string> & {
  Metadata: Record<string, string>;
};

/** Parts are invisible until the upload is completed; one that fails is given up, so that they cost nothing. */
async function putInParts(
  connection: Connection,
  { place, body, signal }: Write,
  header: Header,
  version: string,
): Promise<void> {
  const target = { Bucket: place.Bucket, Key: place.Key };
  const { UploadId } = await nothingYet(
    connection.request({
      signal,
      attempt: ({ client, sdk, options }) =>
        client.send(new sdk.CreateMultipartUploadCommand(header), options),
    }),
  );
  const upload = { ...target, UploadId };
  try {
    const Parts = await nothingYet(putParts(connection, upload, body, signal));
    await connection.request({
      signal,
      attempt: ({ client, sdk, options }) => {
        const input = { ...upload, MultipartUpload: { Parts } };
        return client.send(new sdk.CompleteMultipartUploadCommand(input), options);
      },
    });
  } catch (error) {
    const wasLost = error instanceof StoreFailure && error.isOpen && !signal?.aborted;
    if (wasLost && isVersion(await headObject(connection, place, signal), version)) return;
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
  connection: Connection,
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

export function unmet(when: Condition | undefined): ToolError {
  return new ToolError(
    "conflict",
    when?.is === "absent"
      ? "There is an object under this key already. Nothing was done."
      : "The object is not the one that was seen before. Nothing was done.",
  );
}
