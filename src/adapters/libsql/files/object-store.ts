import { randomId } from "../../../core/shared/digest.ts";
import type { Log } from "../../../core/shared/log.ts";
import { packageFile } from "../../../core/shared/program-root.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import type { ObjectFacts, ObjectOrigin, ObjectStore } from "../../../ports/files/objects.ts";
import { emptyLog, openDatabase } from "../driver/database.ts";
import { type Row, type Rows, type SqlValue, type Statement } from "../driver/statement.ts";
import {
  chunkBytes,
  copyChunks,
  copyObject,
  insertChunks,
  keyRange,
  putObject,
  removeStaleChunks,
} from "./object-statements.ts";
import { packed, unpacked } from "./packing.ts";
import { storedBytes, storedInteger, storedText, storedTime } from "../driver/stored-values.ts";

/** The migrations of the embedded object store. */
export const objectMigrations = packageFile("drizzle/objects/");

/**
 * Opens the embedded object store, a libSQL file of its own for installations without a bucket. Objects are stored in
 * chunks, so that a range costs only its own bytes. The first operation opens the file.
 * @param options `url` is `file:` with a full path
 */
export function openObjectStore(options: {
  url: string;
  log: Log;
}): ObjectStore & { close(): Promise<void> } {
  const database = openDatabase({ ...options, migrations: objectMigrations });

  async function head(key: string): Promise<ObjectFacts | undefined> {
    const { rows } = await database.read(select("SELECT * FROM objects WHERE key = ?", key));
    return rows[0] && toFacts(rows[0]);
  }

  return {
    put: async (key, body, { mediaType, origin, when, signal, canWait = false }) => {
      throwIfCancelled(signal);
      const etag = randomId("v");
      const chunks = await packed(body);
      const [written] = await database.write(
        [
          putObject(
            { key, etag, bytes: body.byteLength, mediaType, ...(origin && { origin }) },
            when,
          ),
          ...insertChunks(key, etag, chunks),
          // A new object leaves no stale chunks.
          ...(when?.kind === "absent" ? [] : [removeStaleChunks(key)]),
        ],
        { canWait },
      );
      return toFacts(firstRow(written) ?? unmet(when?.kind === "absent"));
    },

    head: (key) => head(key),

    get: async (key, { offset = 0, length = Infinity, signal } = {}) => {
      throwIfCancelled(signal);
      const end = Math.min(offset + length, Number.MAX_SAFE_INTEGER);
      const first = Math.floor(offset / chunkBytes);
      // One statement, so that an object that is being replaced is read as before or after, never as a mixture.
      const { rows } = await database.read(
        select(
          `SELECT objects.*, chunks.number, chunks.bytes AS chunk, chunks.is_packed
          FROM objects LEFT JOIN chunks
            ON chunks.key = objects.key AND chunks.etag = objects.etag AND chunks.number >= ? AND chunks.number < ?
          WHERE objects.key = ? ORDER BY chunks.number`,
          first,
          Math.ceil(end / chunkBytes),
          key,
        ),
      );
      const [row] = rows;
      if (row === undefined) return undefined;
      const facts = toFacts(row);
      const wanted = Math.max(0, Math.min(end, facts.bytes) - offset);
      return { facts, body: await joined(rows, offset - first * chunkBytes, wanted) };
    },

    list: async ({ prefix, after, limit, signal }) => {
      throwIfCancelled(signal);
      const { condition, args } = keyRange(prefix, after);
      const { rows } = await database.read(
        // One more than requested shows whether others follow.
        select(`SELECT * FROM objects WHERE ${condition} ORDER BY key LIMIT ?`, ...args, limit + 1),
      );
      const found = rows.slice(0, limit).map(toFacts);
      return { objects: found, next: rows.length > limit ? found.at(-1)?.key : undefined };
    },

    remove: async (key, { when, signal, forGood = false } = {}) => {
      throwIfCancelled(signal);
      const etag = when?.etag ?? null;
      const [removed, , left] = await database.write([
        select(
          "DELETE FROM objects WHERE key = ? AND etag = coalesce(?, etag) RETURNING 1",
          key,
          etag,
        ),
        removeStaleChunks(key),
        select("SELECT 1 FROM objects WHERE key = ?", key),
      ]);
      if (forGood) await emptyLog(database);
      if (firstRow(removed) !== undefined) return true;
      return firstRow(left) === undefined ? false : unmet(false);
    },

    copy: async (from, to, { when, signal } = {}) => {
      throwIfCancelled(signal);
      const etag = randomId("v");
      const [copied, , , source] = await database.write([
        copyObject(from, to, etag, when?.etag),
        copyChunks(from, to, etag),
        removeStaleChunks(to),
        select("SELECT 1 FROM objects WHERE key = ?", from),
      ]);
      const row = firstRow(copied);
      if (row !== undefined) return toFacts(row);
      if (firstRow(source) !== undefined) return unmet(false);
      throw new ToolError("not_found", "The object does not exist. Nothing was copied.");
    },

    check: async () => {
      await database.read(select("SELECT 1 FROM objects LIMIT 1"));
    },

    close: () => database.close(),
  };
}

function select(sql: string, ...args: SqlValue[]): Statement {
  return { sql, args };
}

function firstRow(rows: Rows | undefined): Row | undefined {
  return rows?.rows[0];
}

function toFacts(row: Row): ObjectFacts {
  return {
    key: storedText(row["key"]),
    bytes: storedInteger(row["bytes"]),
    etag: storedText(row["etag"]),
    mediaType: storedText(row["media_type"]),
    modifiedAt: storedTime(row["modified_at"]),
    ...(row["origin"] !== null && { origin: storedOrigin(storedText(row["origin"])) }),
  };
}

function storedOrigin(json: string): ObjectOrigin {
  const stored: unknown = JSON.parse(json);
  const ids = typeof stored === "object" && stored !== null && "emailIds" in stored;
  const emailIds = ids && Array.isArray(stored.emailIds) ? stored.emailIds.map(String) : [];
  return { writtenBy: "assistant", emailIds };
}

/**
 * Joins chunks.
 * @param skip bytes of the first chunk before the range
 */
async function joined(rows: readonly Row[], skip: number, length: number): Promise<Uint8Array> {
  const body = new Uint8Array(length);
  let at = -skip;
  for (const row of length > 0 ? rows : []) {
    const stored = { bytes: storedBytes(row["chunk"]), isPacked: row["is_packed"] === 1 };
    const chunk = await unpacked(stored);
    const part = chunk.subarray(Math.max(0, -at), Math.max(0, length - at));
    body.set(part, Math.max(0, at));
    at += chunk.byteLength;
  }
  if (length > 0 && at < length) throw new TypeError("A stored object is incomplete.");
  return body;
}

function unmet(wasToBeAbsent: boolean): never {
  throw new ToolError(
    "conflict",
    wasToBeAbsent
      ? "An object with this key already exists. Nothing was done."
      : "The object has changed since it was read. Nothing was done.",
  );
}

function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) {
    throw new ToolError("cancelled", "The call was cancelled. Nothing was done.");
  }
}
