import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// All times are milliseconds since 1970 on the database's own clock.

/** What a chat was told of a request, so that it is told once and the message can follow what becomes of it. */
export const chatMessages = sqliteTable(
  "chat_messages",
  {
    ticketId: text("ticket_id").notNull(),
    chatId: text("chat_id").notNull(),
    /** Null where the chat would not take it. */
    messageId: integer("message_id"),
    /** How the request stood when the message was written. */
    shown: text("shown").notNull(),
    /** What the person replied to it, for the assistant: it counts with a denial. */
    note: text("note"),
    at: integer("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.ticketId, table.chatId] })],
);

/** The buttons of messages. What a button sends is random; only its hash is kept. */
export const chatButtons = sqliteTable("chat_buttons", {
  hash: text("hash").primaryKey(),
  /** The request, or with `undo` the change; named in the database as it was when there were only requests. */
  subject: text("ticket_id").notNull(),
  chatId: text("chat_id").notNull(),
  action: text("action").notNull(),
  at: integer("at").notNull(),
});

/** Events that were dealt with: the messenger may deliver one again. */
export const chatEvents = sqliteTable(
  "chat_events",
  { eventId: integer("event_id").primaryKey(), at: integer("at").notNull() },
  (table) => [index("chat_events_at").on(table.at)],
);

/** How far along the record each chat was told of changes. */
export const chatProgress = sqliteTable("chat_progress", {
  chatId: text("chat_id").primaryKey(),
  toldUpTo: integer("told_up_to").notNull(),
});

/** Changes that a chat was shown with a button, and what became of them. */
export const chatChanges = sqliteTable(
  "chat_changes",
  {
    undoId: text("undo_id").notNull(),
    chatId: text("chat_id").notNull(),
    messageId: integer("message_id").notNull(),
    /** The message tells of the record behind the one, up to the other: enough to write it anew. */
    afterSeq: integer("after_seq").notNull(),
    upToSeq: integer("up_to_seq").notNull(),
    /** Null while it can be undone as far as anybody knows. */
    outcome: text("outcome"),
    isShown: integer("is_shown", { mode: "boolean" }).notNull().default(false),
    at: integer("at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.undoId, table.chatId] }),
    index("chat_changes_message").on(table.chatId, table.messageId),
    index("chat_changes_outdated")
      .on(table.chatId)
      .where(sql`${table.outcome} is not null and ${table.isShown} = 0`),
  ],
);
