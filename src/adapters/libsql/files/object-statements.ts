import type { ObjectFacts, WriteCondition } from "../../../ports/files/objects.ts";
import { databaseClock } from "../driver/database.ts";
import { type SqlValue, type Statement } from "../driver/statement.ts";
import { storedEtag, storedKey } from "./object-keys.ts";
import type { StoredChunk } from "./packing.ts";

/** The media type of most objects, stored as null. */
export const mailMediaType = "message/rfc822";

/** Every body has at least one chunk, so the largest chunk id contains the largest `body_id`. */
const lastBody = "(SELECT coalesce(max(chunk_id), 0) >> 16 FROM chunks)";

const otherVersion = `body_id = excluded.body_id, etag = excluded.etag, bytes = excluded.bytes, media_type = excluded.media_type,
  origin = excluded.origin, modified_at = excluded.modified_at`;

const optionalKey = (key: string | undefined): SqlValue =>
  key === undefined ? null : storedKey(key);
const optionalEtag = (etag: string | undefined): SqlValue =>
  etag === undefined ? null : storedEtag(etag);

/** Returns the condition for the chunks of a body. Its arguments are the first position and the one after the last. */
export const chunksOf = (bodyId: string): string =>
  `chunk_id >= (${bodyId} << 16) + ? AND chunk_id < (${bodyId} << 16) + min(?, 65536)`;

/**
 * Writes the row of an object. If the condition fails, or if `base` does not exist, it changes no row, and the other
 * statements of the put have no effect. A trigger deletes the chunks of the replaced version.
 */
export function putObject(
  object: Omit<ObjectFacts, "modifiedAt">,
  when: WriteCondition | undefined,
  base: string | undefined,
): Statement {
  const { key, etag, bytes } = object;
  const mediaType = object.mediaType === mailMediaType ? null : object.mediaType;
  const origin = object.origin === undefined ? null : JSON.stringify(object.origin);
  if (when?.kind === "unchanged") {
    return {
      sql: `UPDATE objects SET body_id = ${lastBody} + 1, etag = ?, bytes = ?, media_type = ?, origin = ?,
        modified_at = ${databaseClock} WHERE key = ? AND etag = ? RETURNING *`,
      args: [storedEtag(etag), bytes, mediaType, origin, storedKey(key), storedEtag(when.etag)],
    };
  }
  const conflict = when?.kind === "absent" ? "DO NOTHING" : `DO UPDATE SET ${otherVersion}`;
  return {
    sql: `INSERT INTO objects (key, body_id, etag, bytes, media_type, origin, modified_at)
      SELECT ?1, ${lastBody} + 1, ?2, ?3, ?4, ?5, ${databaseClock}
      WHERE ?6 IS NULL OR EXISTS (SELECT 1 FROM objects WHERE key = ?6)
      ON CONFLICT (key) ${conflict} RETURNING *`,
    args: [storedKey(key), storedEtag(etag), bytes, mediaType, origin, optionalKey(base)],
  };
}

/** Inserts the chunks of an object, if its row exists. */
export function insertChunks(
  key: string,
  etag: string,
  chunks: readonly StoredChunk[],
  base: string | undefined,
): Statement[] {
  return chunks.map(({ bytes, packing }, position) => ({
    sql: `INSERT INTO chunks (chunk_id, bytes, packing, base_id)
      SELECT (body_id << 16) + ?, ?, ?, (SELECT body_id FROM objects WHERE key = ?) FROM objects WHERE key = ? AND etag = ?`,
    args: [position, bytes, packing, optionalKey(base), storedKey(key), storedEtag(etag)],
  }));
}

/**
 * Copies chunks, then the row. Has no effect if the source is missing or has another etag than `ifEtag`. `from` may be
 * `to`. The second statement returns the row.
 */
export function copyObject(
  from: string,
  to: string,
  etag: string,
  ifEtag: string | undefined,
): Statement[] {
  const source = "key = ? AND etag = coalesce(?, etag)";
  return [
    {
      sql: `INSERT INTO chunks (chunk_id, bytes, packing, base_id)
        SELECT (${lastBody} + 1 << 16) + (chunk_id & 65535), chunks.bytes, packing, base_id FROM objects
        JOIN chunks ON chunk_id >= body_id << 16 AND chunk_id < (body_id + 1) << 16 WHERE ${source}`,
      args: [storedKey(from), optionalEtag(ifEtag)],
    },
    {
      sql: `INSERT INTO objects (key, body_id, etag, bytes, media_type, origin, modified_at)
        SELECT ?, ${lastBody}, ?, bytes, media_type, origin, ${databaseClock} FROM objects WHERE ${source}
        ON CONFLICT (key) DO UPDATE SET ${otherVersion} RETURNING *`,
      args: [storedKey(to), storedEtag(etag), storedKey(from), optionalEtag(ifEtag)],
    },
  ];
}

/** Deletes an object to which no other one refers. A trigger deletes its chunks. */
export function removeObject(key: string, ifEtag: string | undefined): Statement {
  return {
    sql: `DELETE FROM objects WHERE key = ? AND etag = coalesce(?, etag)
      AND NOT EXISTS (SELECT 1 FROM chunks WHERE base_id = body_id) RETURNING 1`,
    args: [storedKey(key), optionalEtag(ifEtag)],
  };
}

/** Selects one chunk that refers to an object. */
export function selectDependent(key: string): Statement {
  return {
    sql: `SELECT chunks.chunk_id, chunks.bytes AS chunk, packing, base_id FROM objects
      JOIN chunks ON base_id = body_id WHERE key = ? LIMIT 1`,
    args: [storedKey(key)],
  };
}

/** Replaces a chunk by one that refers to no other object. */
export function standAlone(chunkId: number, { bytes, packing }: StoredChunk): Statement {
  return {
    sql: "UPDATE chunks SET bytes = ?, packing = ?, base_id = NULL WHERE chunk_id = ? AND base_id IS NOT NULL",
    args: [bytes, packing, chunkId],
  };
}

export function select(sql: string, ...args: SqlValue[]): Statement {
  return { sql, args };
}
