import type { ChatHistory } from "../../../ports/people/chat-history.ts";
import { chatMessages } from "../../../ports/people/chat-model.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import { storedInteger, storedText } from "../driver/stored-values.ts";

/** A question and its answer are kept this long, because they quote mail and files. Milliseconds. */
const keepForMs = 90 * 86_400_000;

const deleteExpired = {
  sql: `DELETE FROM assistant_exchanges WHERE at <= ${now} - ${keepForMs}`,
  args: [],
};

/** Creates the store of conversations in libSQL. */
export function createChatHistory(database: Database): ChatHistory {
  return {
    messages: async (session) => {
      const { rows } = await database.read({
        sql: `SELECT messages FROM assistant_exchanges WHERE session = ? AND at > ${now} - ${keepForMs} ORDER BY seq`,
        args: [session],
      });
      return rows.flatMap((row) => chatMessages.parse(JSON.parse(storedText(row["messages"]))));
    },
    add: async (session, { messages, tokens }, maxTokens) => {
      await database.write([
        {
          sql: `INSERT INTO assistant_exchanges (session, messages, tokens, at) VALUES (?, ?, ?, ${now})`,
          args: [session, JSON.stringify(messages), tokens],
        },
        {
          sql: `DELETE FROM assistant_exchanges WHERE session = ?1
            AND seq < (SELECT max(seq) FROM assistant_exchanges WHERE session = ?1)
            AND (SELECT sum(newer.tokens) FROM assistant_exchanges AS newer
              WHERE newer.session = ?1 AND newer.seq >= assistant_exchanges.seq) > ?2`,
          args: [session, maxTokens],
        },
        deleteExpired,
      ]);
    },
    remove: async (session) => {
      const [deleted] = await database.write([
        {
          sql: "DELETE FROM assistant_exchanges WHERE session = ? RETURNING seq",
          args: [session],
        },
      ]);
      return deleted?.rows.length ?? 0;
    },
    expire: async () => void (await database.write([deleteExpired])),
    list: async () => {
      const { rows } = await database.read({
        sql: `SELECT session, count(*) AS exchanges, sum(tokens) AS tokens, max(at) AS last_at
          FROM assistant_exchanges GROUP BY session ORDER BY last_at DESC`,
        args: [],
      });
      return rows.map((row) => ({
        name: storedText(row["session"]),
        exchanges: storedInteger(row["exchanges"]),
        tokens: storedInteger(row["tokens"]),
        lastAt: new Date(storedInteger(row["last_at"])),
      }));
    },
  };
}
