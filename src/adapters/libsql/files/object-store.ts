import type { Log } from "../../../core/shared/log.ts";
import { packageFile } from "../../../core/shared/program-root.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import type {
  ObjectFacts,
  ObjectOrigin,
  ObjectStore,
  WriteCondition,
} from "../../../ports/files/objects.ts";
import { emptyLog, openDatabase } from "../driver/database.ts";
import { type Row, type Rows } from "../driver/statement.ts";
import { createChunkReader } from "./chunk-reader.ts";
import {
  etagOf,
  freshEtag,
  isBefore,
  keyOf,
  keyRanges,
  storedEtag,
  storedKey,
} from "./object-keys.ts";
import {
  chunksOf,
  copyObject,
  insertChunks,
  mailMediaType,
  selectDependent,
  putObject,
  removeObject,
  select,
  standAlone,
} from "./object-statements.ts";
import { chunkBytes, packed, packedWithin, type StoredChunk } from "./packing.ts";
import { storedInteger, storedText, storedTime } from "../driver/stored-values.ts";

/** Limit on attempts of an operation, if the object to which another one refers is deleted at the same time. */
const mostAttempts = 5;

/**
 * The page size of the file. Compressed mails of three kilobytes leave 22 % of SQLite's own pages empty, and 9 % of
 * these. Each write of a key writes a page, so larger ones would slow an import.
 */
const pageBytes = 16_384;

/** The migrations of the embedded object store. */
export const objectMigrations = packageFile("drizzle/objects/");

/**
 * Opens the embedded object store, a separate libSQL file, for installations without a bucket. Objects are stored in
 * chunks, so that reading a range costs only its own bytes. The first operation opens the file.
 * @param options `url` is `file:` with an absolute path
 */
export function openObjectStore(options: {
  url: string;
  log: Log;
}): ObjectStore & { close(): Promise<void> } {
  const database = openDatabase({ ...options, migrations: objectMigrations, pageBytes });
  const chunks = createChunkReader(database);
  /** Objects that are being packed. Each promise resolves when the write was sent. */
  const beingPacked = new Map<string, Promise<unknown>>();

  async function head(key: string): Promise<ObjectFacts | undefined> {
    const { rows } = await database.read(
      select("SELECT * FROM objects WHERE key = ?", storedKey(key)),
    );
    return rows[0] && toFacts(rows[0]);
  }

  /**
   * Writes an object and its chunks.
   * @param base the key of the object to which the chunks refer
   * @returns its row, or undefined if the condition failed or the base does not exist
   */
  async function insert(
    facts: Pick<ObjectFacts, "key" | "bytes" | "mediaType" | "origin">,
    packedChunks: readonly StoredChunk[],
    { when, canWait = false, base }: { when?: WriteCondition; canWait?: boolean; base?: string },
  ): Promise<Row | undefined> {
    const { key } = facts;
    const etag = freshEtag();
    const statements = [
      putObject({ ...facts, etag }, when, base),
      ...insertChunks(key, etag, packedChunks, base),
    ];
    const [written] = await database.write(statements, { canWait });
    return firstRow(written);
  }

  /** Rewrites the objects that refer to this one, so that they no longer do. */
  async function release(key: string): Promise<void> {
    for (;;) {
      const { rows } = await database.read(selectDependent(key));
      const [row] = rows;
      const bytes = row && (await chunks.unpackedChunk(row));
      if (row === undefined) return;
      // Removed or rewritten meanwhile.
      if (bytes === undefined) continue;
      for (const chunk of await packed(bytes))
        await database.write([standAlone(storedInteger(row["chunk_id"]), chunk)]);
    }
  }

  return {
    put: async (key, body, { mediaType, origin, when, signal, canWait = false, within }) => {
      throwIfCancelled(signal);
      if (when?.kind !== "absent") await release(key);
      const facts = { key, bytes: body.byteLength, mediaType, ...(origin && { origin }) };
      const how = { ...(when && { when }), canWait };
      const parts = within && packedWithin(body, within.body);
      if (parts !== undefined) {
        // A message and its parts are often stored at the same time. A part can refer only to an object that was
        // written before it.
        await beingPacked.get(within?.key ?? "");
        const row = await insert(facts, parts, { ...how, ...(within && { base: within.key }) });
        if (row !== undefined) return toFacts(row);
      }
      // Wrapped in a list, because a promise that resolves to another promise would wait for the write.
      const sending = packed(body).then((whole) => [insert(facts, whole, how)] as const);
      beingPacked.set(key, sending);
      const [writing] = await sending.finally(() => beingPacked.delete(key));
      return toFacts((await writing) ?? unmet(when?.kind === "absent"));
    },

    head: (key) => head(key),

    get: async (key, { offset = 0, length = Infinity, signal } = {}) => {
      throwIfCancelled(signal);
      const end = Math.min(offset + length, Number.MAX_SAFE_INTEGER);
      const first = Math.floor(offset / chunkBytes);
      for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
        // A single statement, so that an object that is being replaced is read in one version and never as a mixture.
        const { rows } = await database.read(
          select(
            `SELECT objects.*, chunk_id, chunks.bytes AS chunk, packing, base_id
            FROM objects LEFT JOIN chunks ON ${chunksOf("body_id")} WHERE key = ? ORDER BY chunk_id`,
            first,
            Math.ceil(end / chunkBytes),
            storedKey(key),
          ),
        );
        const [row] = rows;
        if (row === undefined) return undefined;
        const facts = toFacts(row);
        const wanted = Math.max(0, Math.min(end, facts.bytes) - offset);
        const body = await chunks.joined(rows, offset - first * chunkBytes, wanted);
        if (body !== undefined) return { facts, body };
      }
      throw new TypeError("A stored object is incomplete.");
    },

    list: async ({ prefix, after, limit, signal }) => {
      throwIfCancelled(signal);
      const parts = await Promise.all(
        keyRanges(prefix, after).map(({ condition, args }) =>
          database.read(
            // One more than requested shows whether others follow.
            select(
              `SELECT * FROM objects WHERE ${condition} ORDER BY key LIMIT ?`,
              ...args,
              limit + 1,
            ),
          ),
        ),
      );
      const found = parts.flatMap(({ rows }) => rows.map(toFacts));
      if (parts.length > 1) found.sort((one, other) => (isBefore(one.key, other.key) ? -1 : 1));
      const objects = found.slice(0, limit);
      return { objects, next: found.length > limit ? objects.at(-1)?.key : undefined };
    },

    remove: async (key, { when, signal } = {}) => {
      throwIfCancelled(signal);
      for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
        await release(key);
        const [removed, left] = await database.write([
          removeObject(key, when?.etag),
          select("SELECT etag FROM objects WHERE key = ?", storedKey(key)),
        ]);
        const isRemoved = firstRow(removed) !== undefined;
        const etag = firstRow(left)?.["etag"];
        // If the object still exists, another one began to refer to it meanwhile.
        if (isRemoved || etag === undefined) return isRemoved;
        if (when !== undefined && storedEtag(when.etag) !== etag) unmet(false);
      }
      throw new ToolError("unavailable", "The object is in use. It was not deleted.");
    },

    emptyLog: () => emptyLog(database),

    copy: async (from, to, { when, signal } = {}) => {
      throwIfCancelled(signal);
      const etag = freshEtag();
      await release(to);
      const [, copied, source] = await database.write([
        ...copyObject(from, to, etag, when?.etag),
        select("SELECT 1 FROM objects WHERE key = ?", storedKey(from)),
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

function firstRow(rows: Rows | undefined): Row | undefined {
  return rows?.rows[0];
}

function toFacts(row: Row): ObjectFacts {
  return {
    key: keyOf(row["key"]),
    bytes: storedInteger(row["bytes"]),
    etag: etagOf(storedInteger(row["etag"])),
    mediaType: storedText(row["media_type"] ?? mailMediaType),
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
