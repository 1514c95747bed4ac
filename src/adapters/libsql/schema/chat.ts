import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// All times are milliseconds since 1970 on the database's own clock.

/** A request's message in a chat, so that it is sent once and updated later. */
export const chatMessages = sqliteTable(
  "chat_messages",
  {
    ticketId: text("ticket_id").notNull(),
    chatId: text("chat_id").notNull(),
    /** Null if the chat rejected it. */
    messageId: integer("message_id"),
    /** The request's status in the message. */
    shown: text("shown").notNull(),
    /** The person's reply for the assistant. Used with a denial. */
    note: text("note"),
    at: integer("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.ticketId, table.chatId] })],
);

/** The buttons of messages. The data of a button is random, and only its hash is stored. */
export const chatButtons = sqliteTable("chat_buttons", {
  hash: text("hash").primaryKey(),
  /** The id of the request, or of the change if the action is `undo`. */
  subjectId: text("subject_id").notNull(),
  chatId: text("chat_id").notNull(),
  action: text("action").notNull(),
  at: integer("at").notNull(),
});

/** Processed events, because the messenger may deliver one again. */
export const chatEvents = sqliteTable(
  "chat_events",
  { eventId: integer("event_id").primaryKey(), at: integer("at").notNull() },
  (table) => [index("chat_events_at").on(table.at)],
);

/** The last reported event per chat. */
export const chatProgress = sqliteTable("chat_progress", {
  chatId: text("chat_id").primaryKey(),
  reportedUpTo: integer("reported_up_to").notNull(),
});

/** Changes shown in a chat with a button, and their outcomes. */
export const chatChanges = sqliteTable(
  "chat_changes",
  {
    undoId: text("undo_id").notNull(),
    chatId: text("chat_id").notNull(),
    messageId: integer("message_id").notNull(),
    /**
     * The message covers the events after the first, up to and including the second, so that it can be written again.
     */
    afterSeq: integer("after_seq").notNull(),
    upToSeq: integer("up_to_seq").notNull(),
    /** Null while the change may still be undone. */
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

/** The conversations with the assistant: one row for each question with its answer. */
export const assistantExchanges = sqliteTable(
  "assistant_exchanges",
  {
    seq: integer("seq").primaryKey(),
    session: text("session").notNull(),
    /** JSON, see ports/people/chat-model.ts. */
    messages: text("messages").notNull(),
    tokens: integer("tokens").notNull(),
    at: integer("at").notNull(),
  },
  (table) => [index("assistant_exchanges_session").on(table.session, table.seq)],
);

/** Reminders for people. A row without `due_at` was delivered for the last time, or was being delivered. */
export const reminders = sqliteTable(
  "reminders",
  {
    reminderId: text("reminder_id").primaryKey(),
    principal: text("principal").notNull(),
    text: text("text").notNull(),
    startAt: integer("start_at").notNull(),
    timeZone: text("time_zone").notNull(),
    /** An RRULE's value. */
    recurrence: text("recurrence"),
    dueAt: integer("due_at"),
    /** The scheduled time that is being delivered. It stays after a crash, because the message may have been sent. */
    sendingFor: integer("sending_for"),
    claimedAt: integer("claimed_at"),
    /** How often the time in `sending_for` was claimed. */
    attempts: integer("attempts").notNull().default(0),
  },
  (table) => [
    index("reminders_due")
      .on(table.dueAt)
      .where(sql`${table.dueAt} is not null`),
    index("reminders_principal").on(table.principal),
  ],
);

/** The messages of `notify_user` within the last hour, for its rate limit. */
export const assistantNotes = sqliteTable(
  "assistant_notes",
  {
    seq: integer("seq").primaryKey(),
    principal: text("principal").notNull(),
    at: integer("at").notNull(),
  },
  (table) => [index("assistant_notes_principal").on(table.principal, table.at)],
);

/** Questions from a chat that are not answered yet. A row that a new leader finds was interrupted. */
export const assistantTurns = sqliteTable("assistant_turns", {
  eventId: integer("event_id").primaryKey(),
  chatId: text("chat_id").notNull(),
  at: integer("at").notNull(),
});

/** The days whose digest was sent to a chat. */
export const digests = sqliteTable(
  "digests",
  {
    chatId: text("chat_id").notNull(),
    /** `2026-11-23`, in the person's time zone. */
    day: text("day").notNull(),
    at: integer("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.chatId, table.day] })],
);
