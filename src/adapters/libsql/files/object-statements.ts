import type { WriteCondition } from "../../../ports/files/objects.ts";
import { type SqlValue, type Statement, databaseClock } from "../driver/database.ts";

/** Bytes of a piece. Objects that are stored are read by this number: it can never change. */
export const chunkBytes = 256 * 1024;

/** The row of a put. Where the condition is not met it changes and returns nothing, and the rest of the put does nothing. */
export function putObject(
  object: { key: string; etag: string; bytes: number; mediaType: string },
  when: WriteCondition | undefined,
): Statement {
  const { key, etag, bytes, mediaType } = object;
  if (when?.is === "unchanged") {
    return {
      sql: `UPDATE objects SET etag = ?, bytes = ?, media_type = ?, modified_at = ${databaseClock}
        WHERE key = ? AND etag = ? RETURNING *`,
      args: [etag, bytes, mediaType, key, when.etag],
    };
  }
  const conflict =
    when?.is === "absent"
      ? "DO NOTHING"
      : `DO UPDATE SET etag = excluded.etag, bytes = excluded.bytes, media_type = excluded.media_type,
          modified_at = excluded.modified_at`;
  return {
    sql: `INSERT INTO objects (key, etag, bytes, media_type, modified_at) VALUES (?, ?, ?, ?, ${databaseClock})
      ON CONFLICT (key) ${conflict} RETURNING *`,
    args: [key, etag, bytes, mediaType],
  };
}

/** The pieces of a put: only where its row is there. */
export function insertChunks(key: string, etag: string, body: Uint8Array): Statement[] {
  const count = Math.ceil(body.byteLength / chunkBytes);
  return Array.from({ length: count }, (_, number) => ({
    sql: `INSERT INTO chunks (key, etag, number, bytes)
      SELECT key, etag, ?, ? FROM objects WHERE key = ? AND etag = ?`,
    args: [number, body.subarray(number * chunkBytes, (number + 1) * chunkBytes), key, etag],
  }));
}

/** The pieces that belong to no object: of what was there before, or of a copy that was refused. */
export function removeStaleChunks(key: string): Statement {
  return {
    sql: `DELETE FROM chunks WHERE key = ?
      AND NOT EXISTS (SELECT 1 FROM objects WHERE objects.key = chunks.key AND objects.etag = chunks.etag)`,
    args: [key],
  };
}

/** Changes and returns nothing where there is no source, or it is not the one with `ifEtag`. */
export function copyObject(
  from: string,
  to: string,
  etag: string,
  ifEtag: string | undefined,
): Statement {
  return {
    sql: `INSERT INTO objects (key, etag, bytes, media_type, modified_at)
      SELECT ?, ?, bytes, media_type, ${databaseClock} FROM objects WHERE key = ? AND etag = coalesce(?, etag)
      ON CONFLICT (key) DO UPDATE SET etag = excluded.etag, bytes = excluded.bytes, media_type = excluded.media_type,
        modified_at = excluded.modified_at RETURNING *`,
    args: [to, etag, from, ifEtag ?? null],
  };
}

/**
 * `from` may be `to`: its row has the new etag by now, its pieces still have the old one. Where the copy was refused these
 * belong to no object, and `removeStaleChunks` takes them away.
 */
export function copyChunks(from: string, to: string, etag: string): Statement {
  return {
    sql: `INSERT INTO chunks (key, etag, number, bytes)
      SELECT ?, ?, number, bytes FROM chunks WHERE key = ? AND etag <> ?`,
    args: [to, etag, from, etag],
  };
}

/** Keys with this prefix behind `after`. A range, not LIKE: no character of a key means anything. */
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

/** The first text that is greater than all that begin with this one; undefined where there is none. */
function behindAll(prefix: string): string | undefined {
  const characters = Array.from(prefix);
  for (;;) {
    const code = characters.pop()?.codePointAt(0);
    if (code === undefined) return undefined;
    // U+D800 to U+DFFF are halves of a pair, no characters; behind U+10FFFF there is nothing.
    const next = code === 0xd7ff ? 0xe000 : code + 1;
    if (next <= 0x10ffff) return characters.join("") + String.fromCodePoint(next);
  }
}
