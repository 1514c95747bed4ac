import type { ObjectFacts, WriteCondition } from "../../../ports/files/objects.ts";
import { databaseClock } from "../driver/database.ts";
import { type SqlValue, type Statement } from "../driver/statement.ts";

/** Bytes per chunk. Stored objects are read with this number, so it must never change. */
export const chunkBytes = 256 * 1024;

/** One chunk as it is stored: packed, if that makes it smaller. */
export interface StoredChunk {
  bytes: Uint8Array;
  isPacked: boolean;
}

/**
 * Writes the row of an object. If the condition fails, it changes no row, and the other statements of the put have no
 * effect.
 */
export function putObject(
  object: Omit<ObjectFacts, "modifiedAt">,
  when: WriteCondition | undefined,
): Statement {
  const { key, etag, bytes, mediaType } = object;
  const origin = object.origin === undefined ? null : JSON.stringify(object.origin);
  if (when?.kind === "unchanged") {
    return {
      sql: `UPDATE objects SET etag = ?, bytes = ?, media_type = ?, origin = ?, modified_at = ${databaseClock}
        WHERE key = ? AND etag = ? RETURNING *`,
      args: [etag, bytes, mediaType, origin, key, when.etag],
    };
  }
  const conflict =
    when?.kind === "absent"
      ? "DO NOTHING"
      : `DO UPDATE SET etag = excluded.etag, bytes = excluded.bytes, media_type = excluded.media_type,
          origin = excluded.origin, modified_at = excluded.modified_at`;
  return {
    sql: `INSERT INTO objects (key, etag, bytes, media_type, origin, modified_at) VALUES (?, ?, ?, ?, ?, ${databaseClock})
      ON CONFLICT (key) ${conflict} RETURNING *`,
    args: [key, etag, bytes, mediaType, origin],
  };
}

/** Inserts the chunks of an object, if its row exists. */
export function insertChunks(
  key: string,
  etag: string,
  chunks: readonly StoredChunk[],
): Statement[] {
  return chunks.map(({ bytes, isPacked }, number) => ({
    sql: `INSERT INTO chunks (key, etag, number, bytes, is_packed)
      SELECT key, etag, ?, ?, ? FROM objects WHERE key = ? AND etag = ?`,
    args: [number, bytes, isPacked ? 1 : 0, key, etag],
  }));
}

/** Deletes chunks without an object: those of the replaced version, or of a refused copy. */
export function removeStaleChunks(key: string): Statement {
  return {
    sql: `DELETE FROM chunks WHERE key = ?
      AND NOT EXISTS (SELECT 1 FROM objects WHERE objects.key = chunks.key AND objects.etag = chunks.etag)`,
    args: [key],
  };
}

/** Copies a row. Has no effect if the source is missing or has another etag than `ifEtag`. */
export function copyObject(
  from: string,
  to: string,
  etag: string,
  ifEtag: string | undefined,
): Statement {
  return {
    sql: `INSERT INTO objects (key, etag, bytes, media_type, origin, modified_at)
      SELECT ?, ?, bytes, media_type, origin, ${databaseClock} FROM objects WHERE key = ? AND etag = coalesce(?, etag)
      ON CONFLICT (key) DO UPDATE SET etag = excluded.etag, bytes = excluded.bytes, media_type = excluded.media_type,
        origin = excluded.origin, modified_at = excluded.modified_at RETURNING *`,
    args: [to, etag, from, ifEtag ?? null],
  };
}

/**
 * Copies chunks. `from` may be `to`: the row then has the new etag, and the chunks the old one. After a refused copy
 * the chunks belong to no object, and `removeStaleChunks` deletes them.
 */
export function copyChunks(from: string, to: string, etag: string): Statement {
  return {
    sql: `INSERT INTO chunks (key, etag, number, bytes, is_packed)
      SELECT ?, ?, number, bytes, is_packed FROM chunks WHERE key = ? AND etag <> ?`,
    args: [to, etag, from, etag],
  };
}

/**
 * Returns the condition for keys with this prefix after `after`. A range, because LIKE would interpret characters of
 * the key.
 */
export function keyRange(
  prefix: string,
  after: string | undefined,
): { condition: string; args: SqlValue[] } {
  const args: SqlValue[] = [prefix];
  let condition = "key >= ?";
  const end = behindAll(prefix);
  if (end !== undefined) {
    condition += " AND key < ?";
    args.push(end);
  }
  if (after !== undefined) {
    condition += " AND key > ?";
    args.push(after);
  }
  return { condition, args };
}

/** Returns the first string after all that begin with this one. Undefined if there is none. */
function behindAll(prefix: string): string | undefined {
  const characters = Array.from(prefix);
  for (;;) {
    const code = characters.pop()?.codePointAt(0);
    if (code === undefined) return undefined;
    // U+D800 to U+DFFF are surrogates and not characters. U+10FFFF is the last one.
    const next = code === 0xd7ff ? 0xe000 : code + 1;
    if (next <= 0x10ffff) return characters.join("") + String.fromCodePoint(next);
  }
}
