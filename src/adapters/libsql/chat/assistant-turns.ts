import type { AssistantTurns } from "../../../ports/people/assistant-turns.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import { storedInteger, storedText, storedTime } from "../driver/stored-values.ts";

/** Creates the record of open questions in libSQL. The same transaction marks their events as processed. */
export function createAssistantTurns(database: Database): AssistantTurns {
  return {
    begin: async (eventId, chatId) => {
      const [begun] = await database.write([
        {
          sql: `INSERT INTO assistant_turns (event_id, chat_id, at) SELECT ?1, ?2, ${now}
            WHERE NOT EXISTS (SELECT 1 FROM chat_events WHERE event_id = ?1) RETURNING event_id`,
          args: [eventId, chatId],
        },
        {
          sql: `INSERT INTO chat_events (event_id, at) VALUES (?, ${now}) ON CONFLICT DO NOTHING`,
          args: [eventId],
        },
      ]);
      return (begun?.rows.length ?? 0) > 0;
    },
    end: async (eventId) => {
      await database.write([
        { sql: "DELETE FROM assistant_turns WHERE event_id = ?", args: [eventId] },
      ]);
    },
    open: async () => {
      const { rows } = await database.read({
        sql: "SELECT event_id, chat_id, at FROM assistant_turns ORDER BY event_id",
        args: [],
      });
      return rows.map((row) => ({
        eventId: storedInteger(row["event_id"]),
        chatId: storedText(row["chat_id"]),
        at: storedTime(row["at"]),
      }));
    },
  };
}
