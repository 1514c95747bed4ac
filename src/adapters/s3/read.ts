import { addAbortSignal, Readable } from "node:stream";
import type { ObjectRead } from "../../ports/files/objects.ts";
import type { S3Connection } from "./connection.ts";
import { damaged, foreign, isMissing, StoreFailure } from "./errors.ts";
import { sha256Of, storedOf, type Stored } from "./stored.ts";

/** The location of an object in the bucket, and its key for the port. */
export interface ObjectLocation {
  Bucket: string;
  /** Key with the prefix. */
  Key: string;
  /** Key without the prefix. */
  key: string;
}

/** The largest response, in bytes. Mail and files are smaller, and a hostile server could send without end. */
const maxResponseBytes = 512 * 1_048_576;

type Signal = AbortSignal | undefined;

/** Sends HEAD. Undefined if the object, or the bucket, does not exist. HEAD cannot distinguish these. */
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
 * Reads an object or a range. Our SHA-256 covers the whole object and is checked only for a whole read. For a range the
 * length is checked, and facts and bytes come from one response.
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
        // A store may ignore the range and send everything. Bytes after the range are not received.
        const isPart = answer.ContentRange !== undefined;
        const wanted = isPart ? length : offset + length;
        const most = Math.min(wanted, maxResponseBytes);
        moreTime(Math.min(answer.ContentLength ?? 0, most));
        const received = await bytesOf(answer.Body, {
          expected: answer.ContentLength,
          most,
          isCut: !isPart && wanted <= maxResponseBytes,
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
  {
    expected,
    most,
    isCut,
    signal,
  }: {
    expected: number | undefined;
    most: number;
    /** True if further bytes are ignored. Otherwise they are an error. */
    isCut: boolean;
    signal: AbortSignal;
  },
): Promise<Uint8Array> {
  if (!(body instanceof Readable))
    throw new TypeError("The SDK returned a body that is not a stream.");
  const tooMany = (bytes: number): StoreFailure =>
    new StoreFailure(foreign, { cause: new Error(`${bytes} bytes for at most ${most}`) });
  if (!isCut && (expected ?? 0) > most) {
    body.destroy();
    throw tooMany(expected ?? 0);
  }
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop ends the stream and the connection.
  for await (const piece of addAbortSignal(signal, body)) {
    if (!(piece instanceof Uint8Array)) continue;
    bytes += piece.byteLength;
    if (bytes > most && !isCut) throw tooMany(bytes);
    pieces.push(piece);
    if (bytes >= most && isCut) break;
  }
  const received = joined(pieces, Math.min(bytes, most));
  const due = expected === undefined || !isCut ? expected : Math.min(expected, most);
  if (due === undefined || received.byteLength === due) return received;
  throw new StoreFailure(damaged, { cause: new Error(`${received.byteLength} of ${expected}`) });
}

/** Joins the pieces and releases each after it was copied, so that a large object is not held twice. */
function joined(pieces: Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    whole.set(piece.subarray(0, bytes - at), at);
    at += piece.byteLength;
  }
  return whole;
}

function check(body: Uint8Array, { sha256, facts }: Stored): void {
  if (sha256 === undefined || sha256Of(body) === sha256) return;
  throw new StoreFailure(damaged, { cause: new Error(`${facts.key} is not ${sha256}`) });
}
