import type { Database } from "../driver/database.ts";
import type { Row } from "../driver/statement.ts";
import { storedBytes, storedInteger } from "../driver/stored-values.ts";
import { chunksOf, select } from "./object-statements.ts";
import { chunkBytes, noBase, type ReadBase, type StoredChunk, unpacked } from "./packing.ts";

/** Reads the chunks of objects, some of which are stored as differences from another object. */
export interface ChunkReader {
  /** Returns the bytes of a chunk. Undefined if the object to which it refers was deleted. */
  unpackedChunk: (row: Row) => Promise<Uint8Array | undefined>;
  /**
   * Joins chunks. Returns undefined if the object to which they refer was deleted.
   * @param skip bytes of the first chunk before the range
   */
  joined: (rows: readonly Row[], skip: number, length: number) => Promise<Uint8Array | undefined>;
}

export function createChunkReader(database: Database): ChunkReader {
  const unpackedChunk = (row: Row): Promise<Uint8Array | undefined> =>
    unpacked(chunkOf(row), baseOf(row));

  /** Returns the reader of the object to which a chunk refers. */
  function baseOf(row: Row): ReadBase {
    return async (offset, length) => {
      const first = Math.floor(offset / chunkBytes);
      const last = Math.ceil((offset + length) / chunkBytes);
      const id = storedInteger(row["base_id"]);
      const { rows } = await database.read(
        select(
          `SELECT bytes AS chunk, packing FROM chunks WHERE ${chunksOf(String(id))} ORDER BY chunk_id`,
          first,
          last,
        ),
      );
      // An object is deleted with all its chunks.
      if (rows.length === 0) return undefined;
      const chunks = await Promise.all(rows.map((one) => unpacked(chunkOf(one), noBase)));
      const start = offset - first * chunkBytes;
      return Buffer.concat(chunks.filter((chunk) => chunk !== undefined)).subarray(
        start,
        start + length,
      );
    };
  }

  async function joined(
    rows: readonly Row[],
    skip: number,
    length: number,
  ): Promise<Uint8Array | undefined> {
    const body = new Uint8Array(length);
    let at = -skip;
    for (const row of length > 0 ? rows : []) {
      const chunk = await unpackedChunk(row);
      if (chunk === undefined) return undefined;
      const part = chunk.subarray(Math.max(0, -at), Math.max(0, length - at));
      body.set(part, Math.max(0, at));
      at += chunk.byteLength;
    }
    if (length > 0 && at < length) throw new TypeError("A stored object is incomplete.");
    return body;
  }

  return { unpackedChunk, joined };
}

function chunkOf(row: Row): StoredChunk {
  return { bytes: storedBytes(row["chunk"]), packing: storedInteger(row["packing"]) };
}
