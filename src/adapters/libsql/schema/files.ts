import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What was done to files and can be undone: written before the change, confirmed after it (ports/file-changes.ts). */
export const fileChanges = sqliteTable(
  "file_changes",
  {
    undoId: text("undo_id").primaryKey(),
    callId: text("call_id").notNull(),
    principal: text("principal").notNull(),
    key: text("key").notNull(),
    kind: text("kind").notNull(),
    sha256: text("sha256"),
    /** `planned`, `made`, or `dropped` where it was not made. */
    state: text("state").notNull(),
    /** Etag of what the change left. */
    left: text("left_etag"),
    /** Milliseconds since 1970 on the database's own clock. */
    until: integer("until").notNull(),
    undoes: text("undoes"),
  },
  (table) => [
    index("file_changes_call").on(table.callId),
    index("file_changes_until").on(table.until),
    index("file_changes_undoes").on(table.undoes),
    check("file_changes_kind", sql`${table.kind} in ('created', 'replaced', 'deleted')`),
    check("file_changes_state", sql`${table.state} in ('planned', 'made', 'dropped')`),
  ],
);
