import type { ChangeMessage, ChangeMessages } from "../../../ports/people/change-messages.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import { type SqlValue } from "../driver/statement.ts";
import { storedInteger, storedText } from "../driver/stored-values.ts";

type Found = ChangeMessage & { outcomes: Map<string, string> };

/** Creates the record of change reports in chats, in libSQL. */
export function createChangeMessages(database: Database): ChangeMessages {
  const statement = (sql: string, ...args: SqlValue[]) => ({ sql, args });
  const write = async (...parts: ReturnType<typeof statement>[]): Promise<void> =>
    void (await database.write(parts));
  const setProgress = (chatId: string, upTo: number) =>
    statement(
      `INSERT INTO chat_progress (chat_id, reported_up_to) VALUES (?, ?)
        ON CONFLICT (chat_id) DO UPDATE SET reported_up_to = excluded.reported_up_to`,
      chatId,
      upTo,
    );
  return {
    reportedUpTo: async (chatId, head) => {
      const { rows } = await database.read(
        statement("SELECT reported_up_to FROM chat_progress WHERE chat_id = ?", chatId),
      );
      if (rows[0] !== undefined) return storedInteger(rows[0]["reported_up_to"]);
      const begins = await head();
      await write(setProgress(chatId, begins));
      return begins;
    },
    markReported: async (chatId, upTo, message) => {
      const rows = (message?.undoIds ?? []).map((undoId) =>
        statement(
          `INSERT INTO chat_changes (undo_id, chat_id, message_id, after_seq, up_to_seq, at)
            VALUES (?, ?, ?, ?, ?, ${now}) ON CONFLICT DO NOTHING`,
          undoId,
          chatId,
          message?.messageId ?? 0,
          message?.after ?? 0,
          upTo,
        ),
      );
      await write(setProgress(chatId, upTo), ...rows);
    },
    ended: (undoId, outcome) =>
      write(
        statement(
          "UPDATE chat_changes SET outcome = ? WHERE undo_id = ? AND outcome IS NULL",
          outcome,
          undoId,
        ),
      ),
    outdated: async (chatId) => {
      const { rows } = await database.read(
        statement(
          `SELECT message_id, after_seq, up_to_seq, undo_id, outcome FROM chat_changes
            WHERE chat_id = ?1 AND outcome IS NOT NULL AND message_id IN (
              SELECT message_id FROM chat_changes
                WHERE chat_id = ?1 AND outcome IS NOT NULL AND is_shown = 0)
            ORDER BY message_id`,
          chatId,
        ),
      );
      const found = new Map<number, Found>();
      for (const row of rows) {
        const messageId = storedInteger(row["message_id"]);
        const message = found.get(messageId) ?? {
          messageId,
          after: storedInteger(row["after_seq"]),
          upTo: storedInteger(row["up_to_seq"]),
          outcomes: new Map(),
        };
        message.outcomes.set(storedText(row["undo_id"]), storedText(row["outcome"]));
        found.set(messageId, message);
      }
      return [...found.values()];
    },
    updated: (chatId, undoIds) =>
      write(
        statement(
          `UPDATE chat_changes SET is_shown = 1
            WHERE chat_id = ? AND undo_id IN (SELECT value FROM json_each(?))`,
          chatId,
          JSON.stringify(undoIds),
        ),
      ),
  };
}
