import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The embedded object store: one row per object. SQLite compares these keys by their UTF-8 bytes, as S3 does. */
export const objects = sqliteTable("objects", {
  key: text("key").primaryKey(),
  /** A new one with every write. */
  etag: text("etag").notNull(),
  bytes: integer("bytes").notNull(),
  mediaType: text("media_type").notNull(),
  /** JSON. Null if the assistant did not write it. */
  origin: text("origin"),
  /** Milliseconds since 1970. */
  modifiedAt: integer("modified_at").notNull(),
});

/** The bytes in chunks of one size, so that a range is read without the rest. */
export const chunks = sqliteTable(
  "chunks",
  {
    key: text("key").notNull(),
    etag: text("etag").notNull(),
    /** From 0. */
    number: integer("number").notNull(),
    bytes: blob("bytes", { mode: "buffer" }).notNull(),
    /** True if `bytes` are compressed (raw deflate). */
    isPacked: integer("is_packed", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.key, table.etag, table.number] })],
);
