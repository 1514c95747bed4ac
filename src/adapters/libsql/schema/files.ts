import { sql } from "drizzle-orm";
import { blob, check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Changes of files that can be undone: written before the change, confirmed after it (see the FileChanges port). */
export const fileChanges = sqliteTable(
  "file_changes",
  {
    undoId: text("undo_id").primaryKey(),
    callId: text("call_id").notNull(),
    principal: text("principal").notNull(),
    key: text("key").notNull(),
    kind: text("kind").notNull(),
    sha256: text("sha256"),
    /** `planned`, `made`, or `dropped` if it was not made. */
    state: text("state").notNull(),
    /** Null after a deletion, or if unknown. */
    etagAfter: text("etag_after"),
    /** Milliseconds since 1970 on the database's own clock. */
    until: integer("until").notNull(),
    undoes: text("undoes"),
    /** Bytes of the copy for undo. Null if there is none, or if the process stopped before recording it. */
    keptBytes: integer("kept_bytes"),
    /** No recorded call wrote the kept version, so it is the user's. */
    isOriginal: integer("is_original", { mode: "boolean" }).notNull().default(false),
    /** The copy was removed in favour of newer ones of the same caller. */
    isEvicted: integer("is_evicted", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    index("file_changes_call").on(table.callId),
    index("file_changes_until").on(table.until),
    index("file_changes_undoes").on(table.undoes),
    index("file_changes_key").on(table.key),
    index("file_changes_kept")
      .on(table.principal, table.until)
      .where(sql`${table.keptBytes} is not null and ${table.isEvicted} = 0`),
    check("file_changes_kind", sql`${table.kind} in ('created', 'replaced', 'deleted')`),
    check("file_changes_state", sql`${table.state} in ('planned', 'made', 'dropped')`),
  ],
);

/**
 * The files in the index of `search_files`, each in the version that was indexed. `file_words`, the FTS5 index, is
 * created by the migration's own SQL.
 */
export const indexedFiles = sqliteTable("indexed_files", {
  /** The rowid in `file_words`. */
  searchId: integer("search_id").primaryKey(),
  key: text("key").notNull().unique(),
  etag: text("etag").notNull(),
  /** The text that `filename:` searches. */
  folded: text("folded").notNull(),
  bytes: integer("bytes").notNull(),
  modifiedAt: integer("modified_at").notNull(),
  /** The beginning of its text, deflated, for snippets. Null if no text could be read. */
  lead: blob("lead", { mode: "buffer" }),
});
