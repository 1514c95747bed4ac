import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Events that the assistant was allowed to create: written before the request, confirmed after it (see the EventLedger
 * port).
 */
export const eventLedger = sqliteTable("event_ledger", {
  uid: text("uid").primaryKey(),
  principal: text("principal").notNull(),
  seed: text("seed").notNull(),
  digest: text("digest").notNull(),
  createdAt: integer("created_at").notNull(),
  confirmedAt: integer("confirmed_at"),
});
