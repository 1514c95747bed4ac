import { sql } from "drizzle-orm";
import { blob, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The embedded object store: one row per object. SQLite compares text by its UTF-8 bytes, as S3 compares keys. WITHOUT
 * ROWID, and with triggers that delete chunks, which only the migration can declare.
 */
export const objects = sqliteTable("objects", {
  /** Text, or 33 bytes: see object-keys.ts. */
  key: blob("key").primaryKey(),
  /** The upper bits of the ids of its chunks. A new one with every write. */
  bodyId: integer("body_id").notNull(),
  /** A new one with every write. */
  etag: integer("etag").notNull(),
  bytes: integer("bytes").notNull(),
  /** Null for `message/rfc822`. */
  mediaType: text("media_type"),
  /** JSON. Null if the assistant did not write it. */
  origin: text("origin"),
  /** Milliseconds since 1970. */
  modifiedAt: integer("modified_at").notNull(),
});

/** The bytes in chunks of one size, so that a range is read without the rest. */
export const chunks = sqliteTable(
  "chunks",
  {
    /** The object's `body_id` in the upper bits, the position from 0 in the lower 16. */
    chunkId: integer("chunk_id").primaryKey(),
    bytes: blob("bytes", { mode: "buffer" }).notNull(),
    /** How `bytes` are stored: see packing.ts. */
    packing: integer("packing").notNull(),
    /** The `body_id` of the object to which this chunk refers. Null if there is none. */
    baseId: integer("base_id"),
  },
  (table) => [
    index("chunks_base")
      .on(table.baseId)
      .where(sql`${table.baseId} is not null`),
  ],
);
