import type { DigestDays } from "../../../ports/people/digest-days.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";

/** Days are only compared with today. Milliseconds. */
const keepForMs = 7 * 86_400_000;

/** Creates the record of sent digests in libSQL. */
export function createDigestDays(database: Database): DigestDays {
  return {
    take: async (chatId, day) => {
      const [, taken] = await database.write([
        { sql: `DELETE FROM digests WHERE at <= ${now} - ${keepForMs}`, args: [] },
        {
          sql: `INSERT INTO digests (chat_id, day, at) VALUES (?, ?, ${now}) ON CONFLICT DO NOTHING RETURNING day`,
          args: [chatId, day],
        },
      ]);
      return (taken?.rows.length ?? 0) > 0;
    },
    release: async (chatId, day) => {
      await database.write([
        { sql: "DELETE FROM digests WHERE chat_id = ? AND day = ?", args: [chatId, day] },
      ]);
    },
  };
}
