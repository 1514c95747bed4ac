import type { ChatAction, ChatRecord } from "../../../ports/people/chat-record.ts";
import { toTicket } from "../approvals/ticket-row.ts";
import { isPending, presentStatus, ticketColumns } from "../approvals/ticket-sql.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import { storedInteger, storedOneOf, storedText } from "../driver/stored-values.ts";

/** Time within which a client shows its own dialog, if it can. Milliseconds. */
const asksWithinMs = 500;
/** The time before Telegram asks too, although the client shows a dialog. Milliseconds. */
const dialogAloneMs = 30_000;

/** Longer than a request is stored: `APPROVAL_TTL_SECONDS` is at most a week, plus one day. Milliseconds. */
const keepForMs = 9 * 86_400_000;
/** Longer than a change can be undone: `UNDO_HOURS` is at most thirty days. Milliseconds. */
const keepChangesForMs = 31 * 86_400_000;
/** Telegram delivers an event for a day. Milliseconds. */
const keepEventsForMs = 2 * 86_400_000;

const actions: readonly ChatAction[] = ["approve", "deny", "again", "similar", "undo"];

/** The start of an approved run is not shown, because its end follows soon. */
const shownStatus = `replace(${presentStatus}, 'running', 'approved')`;

const isDue = `((tickets.question_put_at IS NULL AND tickets.created_at <= ${now} - ${asksWithinMs})
  OR tickets.question_answered = 'elsewhere' OR tickets.question_put_at <= ${now} - ${dialogAloneMs})`;

/** Creates the chat record in libSQL, in the database of the tickets. */
export function createChatRecord(database: Database): ChatRecord {
  return {
    due: async (chatId, principal) => {
      const { rows } = await database.read({
        sql: `SELECT ${ticketColumns} FROM tickets
          LEFT JOIN chat_messages ON chat_messages.ticket_id = tickets.ticket_id AND chat_messages.chat_id = ?
          WHERE ${isPending} AND ${isDue} AND chat_messages.ticket_id IS NULL AND tickets.principal = coalesce(?, tickets.principal)
          ORDER BY tickets.seq`,
        args: [chatId, principal ?? null],
      });
      return rows.map(toTicket).filter(({ channels }) => channels.includes("telegram"));
    },

    offer: async (subjectId, chatId, buttons) => {
      await database.write(
        buttons.map(({ hash, action }) => ({
          sql: `INSERT INTO chat_buttons (hash, subject_id, chat_id, action, at) VALUES (?, ?, ?, ?, ${now})`,
          args: [hash, subjectId, chatId, action],
        })),
      );
    },

    markSent: async (ticketId, chatId, messageId) => {
      await database.write([
        {
          sql: `INSERT INTO chat_messages (ticket_id, chat_id, message_id, shown, at)
            VALUES (?, ?, ?, 'pending', ${now}) ON CONFLICT DO NOTHING`,
          args: [ticketId, chatId, messageId ?? null],
        },
      ]);
    },

    outdated: async (chatId) => {
      const { rows } = await database.read({
        sql: `SELECT ${ticketColumns}, chat_messages.message_id FROM chat_messages
          JOIN tickets ON tickets.ticket_id = chat_messages.ticket_id
          WHERE chat_messages.chat_id = ? AND chat_messages.message_id IS NOT NULL
            AND chat_messages.shown <> ${shownStatus}
          ORDER BY tickets.seq`,
        args: [chatId],
      });
      return rows.map((row) => ({
        messageId: storedInteger(row["message_id"]),
        ticket: toTicket(row),
      }));
    },

    updated: async ({ ticketId, status }, chatId) => {
      const shown = status === "running" ? "approved" : status;
      await database.write([
        {
          sql: "UPDATE chat_messages SET shown = ? WHERE ticket_id = ? AND chat_id = ?",
          args: [shown, ticketId, chatId],
        },
      ]);
    },

    keepNote: async (chatId, messageId, note) => {
      const [kept] = await database.write([
        {
          sql: "UPDATE chat_messages SET note = ? WHERE chat_id = ? AND message_id = ? RETURNING ticket_id",
          args: [note, chatId, messageId],
        },
      ]);
      const row = kept?.rows[0];
      return row && storedText(row["ticket_id"]);
    },

    noteFor: async (ticketId, chatId) => {
      const { rows } = await database.read({
        sql: "SELECT note FROM chat_messages WHERE ticket_id = ? AND chat_id = ? AND note IS NOT NULL",
        args: [ticketId, chatId],
      });
      return rows[0] && storedText(rows[0]["note"]);
    },

    button: async (hash, chatId) => {
      const { rows } = await database.read({
        sql: "SELECT subject_id, action FROM chat_buttons WHERE hash = ? AND chat_id = ?",
        args: [hash, chatId],
      });
      const [row] = rows;
      return (
        row && {
          subjectId: storedText(row["subject_id"]),
          action: storedOneOf(actions, row["action"]),
        }
      );
    },

    isFirst: async (eventId) => {
      const [added] = await database.write([
        {
          sql: `INSERT INTO chat_events (event_id, at) VALUES (?, ${now}) ON CONFLICT DO NOTHING RETURNING event_id`,
          args: [eventId],
        },
      ]);
      return (added?.rows.length ?? 0) > 0;
    },

    forget: async (eventId) => {
      await database.write([
        { sql: "DELETE FROM chat_events WHERE event_id = ?", args: [eventId] },
      ]);
    },

    purge: async () => {
      const deletions: readonly (readonly [table: string, keptMs: number, which?: string])[] = [
        ["chat_messages", keepForMs],
        ["chat_buttons", keepForMs, "AND action <> 'undo'"],
        ["chat_buttons", keepChangesForMs],
        ["chat_changes", keepChangesForMs],
        ["chat_events", keepEventsForMs],
      ];
      await database.write(
        deletions.map(([table, keptMs, which = ""]) => ({
          sql: `DELETE FROM ${table} WHERE at <= ${now} - ? ${which}`,
          args: [keptMs],
        })),
      );
    },
  };
}
