import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from "node:zlib";
import { type StoredChunk, chunkBytes } from "./object-statements.ts";

/** Smaller chunks gain too little. Bytes. */
const leastBytes = 200;
/** The share of its bytes that a packed chunk may have. Pictures and archives are stored as they are. */
const mostKept = 0.9;
/** Larger chunks are packed by another thread, so that the event loop runs on. Bytes. */
const largeBytes = 16 * 1024;
/** Half the time of zlib's usual level, for a few per cent of the bytes. */
const level = 3;

const deflate = promisify<Uint8Array, { level: number }, Buffer>(deflateRaw);
const inflate = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflateRaw);

/**
 * Splits a body into chunks and packs those that become smaller. Mail is stored as received, as readable text and as
 * decoded attachments, and its texts halve.
 */
export async function packed(body: Uint8Array): Promise<StoredChunk[]> {
  const chunks: StoredChunk[] = [];
  for (let at = 0; at < body.byteLength; at += chunkBytes)
    chunks.push(await packedChunk(body.subarray(at, at + chunkBytes)));
  return chunks;
}

async function packedChunk(bytes: Uint8Array): Promise<StoredChunk> {
  if (bytes.byteLength < leastBytes) return { bytes, isPacked: false };
  const small =
    bytes.byteLength < largeBytes
      ? deflateRawSync(bytes, { level })
      : await deflate(bytes, { level });
  const isPacked = small.byteLength <= bytes.byteLength * mostKept;
  return { bytes: isPacked ? small : bytes, isPacked };
}

/** Returns the bytes of a chunk. */
export async function unpacked({ bytes, isPacked }: StoredChunk): Promise<Uint8Array> {
  if (!isPacked) return bytes;
  const limit = { maxOutputLength: chunkBytes };
  return bytes.byteLength < largeBytes ? inflateRawSync(bytes, limit) : await inflate(bytes, limit);
}
