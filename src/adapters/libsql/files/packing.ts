import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from "node:zlib";
import { base64Lines, type Base64Lines } from "./base64-lines.ts";
import { mailDictionary } from "./mail-dictionary.ts";

/** Bytes per chunk. Stored objects are read with this number, so it must never change. */
export const chunkBytes = 256 * 1024;

/** How a chunk is stored. These numbers are in the database, so they must never change. */
const stored = {
  asIs: 0,
  deflated: 1,
  deflatedAfterBase: 2,
  base64InBase: 3,
  deflatedAsMail: 4,
} as const;

/** One chunk as it is stored. */
export interface StoredChunk {
  bytes: Uint8Array;
  packing: number;
}

/** Reads a range of the object to which a chunk refers. Undefined if it was deleted. */
export type ReadBase = (offset: number, length: number) => Promise<Uint8Array | undefined>;

/** The reader for chunks that refer to no object. */
export const noBase: ReadBase = async () => undefined;

/** A body that begins with the first header of a mail, or with the line of an mbox or a mailbox before it. */
const mailStart = /^(?:>?From |[!-9;-~]{1,60}:)/;
/** Smallest chunk that is packed. Bytes. */
const leastBytes = 200;
/**
 * Largest share of its bytes that a packed chunk may have. Otherwise it is stored as it is, for example a picture or an
 * archive.
 */
const mostKept = 0.9;
/** Larger chunks are packed in another thread, so that the event loop is not blocked. Bytes. */
const largeBytes = 16 * 1024;
/** The level takes half the time of zlib's default, and a few per cent more bytes. */
const level = 3;
/** The distance over which deflate refers to earlier bytes. Of a longer base, deflate would only see a part. */
const windowBytes = 32 * 1024;

const deflate = promisify<Uint8Array, DeflateOptions, Buffer>(deflateRaw);
const inflate = promisify<Uint8Array, InflateOptions, Buffer>(inflateRaw);

interface DeflateOptions {
  level: number;
  dictionary?: Uint8Array;
}

interface InflateOptions {
  maxOutputLength: number;
  dictionary?: Uint8Array;
}

/** Splits a body into chunks and packs those that become smaller. */
export async function packed(body: Uint8Array): Promise<StoredChunk[]> {
  const chunks: StoredChunk[] = [];
  // An empty body has a chunk as well.
  for (let at = 0; at === 0 || at < body.byteLength; at += chunkBytes)
    chunks.push(await packedChunk(body.subarray(at, at + chunkBytes)));
  return chunks;
}

async function packedChunk(bytes: Uint8Array): Promise<StoredChunk> {
  if (bytes.byteLength < leastBytes) return { bytes, packing: stored.asIs };
  const isMail = mailStart.test(Buffer.from(bytes.subarray(0, 64)).toString("latin1"));
  const options = { level, ...(isMail && { dictionary: mailDictionary }) };
  const small =
    bytes.byteLength < largeBytes ? deflateRawSync(bytes, options) : await deflate(bytes, options);
  return small.byteLength <= bytes.byteLength * mostKept
    ? { bytes: small, packing: isMail ? stored.deflatedAsMail : stored.deflated }
    : { bytes, packing: stored.asIs };
}

/**
 * Packs a body as its difference from `base`, which contains it in another form. An attachment is packed as the place
 * of its base64, and a text by deflate with the message as dictionary. Otherwise the readable text and the files of a
 * mail would double its bytes. Returns undefined if this saves nothing.
 */
export function packedWithin(body: Uint8Array, base: Uint8Array): StoredChunk[] | undefined {
  if (body.byteLength === 0) return undefined;
  const lines = base64Lines(body, base, chunkBytes);
  if (lines !== undefined) {
    return lines.map((place) => ({
      bytes: Buffer.from(JSON.stringify(place)),
      packing: stored.base64InBase,
    }));
  }
  if (base.byteLength > windowBytes || body.byteLength > chunkBytes) return undefined;
  const bytes = deflateRawSync(body, { level, dictionary: base });
  if (bytes.byteLength > body.byteLength / 2) return undefined;
  return [{ bytes, packing: stored.deflatedAfterBase }];
}

/** Returns the bytes of a chunk. Undefined if the object to which it refers was deleted. */
export async function unpacked(
  { bytes, packing }: StoredChunk,
  readBase: ReadBase,
): Promise<Uint8Array | undefined> {
  const limit = { maxOutputLength: chunkBytes };
  switch (packing) {
    case stored.asIs:
      return bytes;
    case stored.deflated:
      return await inflated(bytes, limit);
    case stored.deflatedAsMail:
      return await inflated(bytes, { ...limit, dictionary: mailDictionary });
    case stored.deflatedAfterBase: {
      const dictionary = await readBase(0, windowBytes);
      return dictionary && inflateRawSync(bytes, { ...limit, dictionary });
    }
    case stored.base64InBase: {
      const [offset, length, skip, count] = placeOf(bytes);
      const text = await readBase(offset, length);
      return (
        text &&
        Buffer.from(Buffer.from(text).toString("latin1"), "base64").subarray(skip, skip + count)
      );
    }
    default:
      throw new TypeError(`A chunk has the unknown encoding ${packing}.`);
  }
}

async function inflated(bytes: Uint8Array, options: InflateOptions): Promise<Uint8Array> {
  return bytes.byteLength < largeBytes
    ? inflateRawSync(bytes, options)
    : await inflate(bytes, options);
}

function placeOf(bytes: Uint8Array): Base64Lines {
  const place: unknown = JSON.parse(Buffer.from(bytes).toString("latin1"));
  const numbers = Array.isArray(place) ? place.map(Number) : [];
  const [offset = Number.NaN, length = Number.NaN, skip = Number.NaN, count = Number.NaN] = numbers;
  return [offset, length, skip, count];
}
