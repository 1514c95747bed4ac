import { blob, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** The private items that callers received: encrypted keyed fingerprints, never text. */
export const flowGiven = sqliteTable(
  "flow_given",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    principal: text("principal").notNull(),
    kind: text("kind").notNull(),
    sourceId: text("source_id").notNull(),
    writtenBy: text("written_by").notNull(),
    verified: integer("verified", { mode: "boolean" }).notNull(),
    /** Identifies the fingerprints, so that an item that is received again takes no more space. */
    digest: text("digest").notNull(),
    /** See packed-marks.ts. */
    marks: blob("marks").notNull(),
    bytes: integer("bytes").notNull(),
    at: integer("at").notNull(),
  },
  (table) => [
    uniqueIndex("flow_given_once").on(table.principal, table.kind, table.sourceId, table.digest),
    index("flow_given_caller").on(table.principal, table.seq, table.bytes),
    index("flow_given_at").on(table.at),
  ],
);

/** The last texts that each caller sent to each destination, to find secrets that are sent in parts. */
export const flowSent = sqliteTable(
  "flow_sent",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    principal: text("principal").notNull(),
    destination: text("destination").notNull(),
    /** Encrypted. */
    text: blob("text").notNull(),
    at: integer("at").notNull(),
  },
  (table) => [
    index("flow_sent_to").on(table.principal, table.destination, table.seq),
    index("flow_sent_at").on(table.at),
  ],
);
