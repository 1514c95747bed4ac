import { addAbortSignal, Readable } from "node:stream";
import type { ObjectRead } from "../../ports/files/objects.ts";
import type { S3Connection } from "./connection.ts";
import { damaged, foreign, isMissing, StoreFailure } from "./errors.ts";
import { sha256Of, storedOf, type Stored } from "./stored.ts";

/** Where an object lies in the bucket, and under which key the port knows it. */
export interface ObjectLocation {
  Bucket: string;
  /** With the prefix. */
  Key: string;
  /** Without it. */
  key: string;
}

/**
 * Bytes of one answer that are read. Larger objects than mail and files make are nobody's here, and whoever answers in the
 * store's place could send without end.
 */
const maxAnswerBytes = 512 * 1_048_576;

type Signal = AbortSignal | undefined;

/** HEAD. Undefined where there is no object - or no bucket, which this request cannot tell apart. */
export async function headObject(
  connection: S3Connection,
  { Bucket, Key, key }: ObjectLocation,
  signal: Signal,
): Promise<Stored | undefined> {
  try {
    return await connection.request({
      signal,
      attempt: async ({ client, sdk, options }) =>
        storedOf(key, await client.send(new sdk.HeadObjectCommand({ Bucket, Key }), options)),
    });
  } catch (error) {
    if (error instanceof StoreFailure && isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * GET of the whole object or a range. Our SHA-256 is that of the whole, so only a read of the whole is compared with it;
 * of a range, the length is checked, and that facts and bytes come from one answer.
 */
export async function getObject(
  connection: S3Connection,
  place: ObjectLocation,
  { offset, length, signal }: { offset: number; length: number; signal: Signal },
): Promise<ObjectRead | undefined> {
  const withoutBytes = async (): Promise<ObjectRead | undefined> => {
    const stored = await headObject(connection, place, signal);
    return stored && { facts: stored.facts, body: new Uint8Array() };
  };
  if (length <= 0) return withoutBytes();
  const { Bucket, Key, key } = place;
  const isWhole = offset === 0 && length === Infinity;
  const last = length === Infinity ? "" : offset + length - 1;
  const Range = isWhole ? {} : { Range: `bytes=${offset}-${last}` };
  try {
    return await connection.request({
      signal,
      attempt: async ({ client, sdk, options, moreTime }) => {
        const command = new sdk.GetObjectCommand({ Bucket, Key, ...Range });
        const answer = await client.send(command, options);
        // A store may ignore the range and send everything.
        const isPart = answer.ContentRange !== undefined;
        const most = Math.min(isPart ? length : Infinity, maxAnswerBytes);
        moreTime(Math.min(answer.ContentLength ?? 0, most));
        const received = await bytesOf(answer.Body, {
          expected: answer.ContentLength,
          most,
          signal: options.abortSignal,
        });
        const stored = storedOf(key, answer);
        if (received.byteLength === stored.facts.bytes) check(received, stored);
        const body = isPart ? received : received.subarray(offset, offset + length);
        return { facts: stored.facts, body };
      },
    });
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    if (error.status === 416) return withoutBytes();
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function bytesOf(
  body: unknown,
  { expected, most, signal }: { expected: number | undefined; most: number; signal: AbortSignal },
): Promise<Uint8Array> {
  if (!(body instanceof Readable)) throw new TypeError("The SDK gave a body that is no stream.");
  const tooMany = (bytes: number): StoreFailure =>
    new StoreFailure(foreign, { cause: new Error(`${bytes} bytes for at most ${most}`) });
  if ((expected ?? 0) > most) {
    body.destroy();
    throw tooMany(expected ?? 0);
  }
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop ends the stream, and with it the connection.
  for await (const piece of addAbortSignal(signal, body)) {
    if (!(piece instanceof Uint8Array)) continue;
    bytes += piece.byteLength;
    if (bytes > most) throw tooMany(bytes);
    pieces.push(piece);
  }
  const received = new Uint8Array(Buffer.concat(pieces));
  if (expected === undefined || received.byteLength === expected) return received;
  throw new StoreFailure(damaged, { cause: new Error(`${received.byteLength} of ${expected}`) });
}

function check(body: Uint8Array, { sha256, facts }: Stored): void {
  if (sha256 === undefined || sha256Of(body) === sha256) return;
  throw new StoreFailure(damaged, { cause: new Error(`${facts.key} is not ${sha256}`) });
}
