import type { OAuthStore } from "../../../ports/people/oauth-store.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import type { Row } from "../driver/statement.ts";
import { createGrantedCache } from "./granted-cache.ts";
import { damaged, storedInteger, storedText, storedTime } from "../driver/stored-values.ts";

/**
 * Creates the records of the authorization server in libSQL.
 * @param elapsed a monotonic clock in milliseconds, for the age of cached tokens
 */
export function createOAuthStore(
  database: Database,
  elapsed: () => number = () => performance.now(),
): OAuthStore {
  const granted = createGrantedCache(elapsed);
  const select = `SELECT payload, consumed_at FROM oauth_records WHERE model = ? AND ends_at > ${now}`;
  const one = async (sql: string, ...args: string[]) => {
    const { rows } = await database.read({ sql, args });
    return rows[0] && toPayload(rows[0]);
  };
  return {
    put: async ({ model, id, payload, grantId, uid, clientId }, forSeconds) => {
      await database.write([
        {
          sql: `INSERT INTO oauth_records (model, id, payload, grant_id, uid, client_id, ends_at)
            VALUES (?, ?, ?, ?, ?, ?, ${now} + ?)
            ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id,
              uid = excluded.uid, client_id = excluded.client_id, ends_at = excluded.ends_at`,
          args: [
            model,
            id,
            JSON.stringify(payload),
            grantId ?? null,
            uid ?? null,
            clientId ?? null,
            forSeconds * 1000,
          ],
        },
      ]);
    },
    find: (model, id) => one(`${select} AND id = ?`, model, id),
    findGranted: (model, id) =>
      granted.find(`${model} ${id}`, () =>
        one(
          `${select} AND id = ? AND EXISTS (SELECT 1 FROM oauth_records AS granted
            WHERE granted.model = 'Grant' AND granted.id = oauth_records.grant_id)`,
          model,
          id,
        ),
      ),
    findByUid: (model, uid) => one(`${select} AND uid = ?`, model, uid),
    consume: async (model, id) => {
      const [used] = await database.write([
        {
          sql: `UPDATE oauth_records SET consumed_at = ${now}
            WHERE model = ? AND id = ? AND consumed_at IS NULL RETURNING id`,
          args: [model, id],
        },
      ]);
      return (used?.rows.length ?? 0) > 0;
    },
    remove: async (model, id) => {
      await database.write([
        { sql: "DELETE FROM oauth_records WHERE model = ? AND id = ?", args: [model, id] },
      ]);
      granted.clear();
    },
    removeTokens: async (grantId) => {
      await database.write([
        { sql: "DELETE FROM oauth_records WHERE grant_id = ?", args: [grantId] },
      ]);
      granted.clear();
    },
    keepClient: async (clientId, forSeconds) => {
      await database.write([
        {
          sql: `UPDATE oauth_records SET ends_at = max(ends_at, ${now} + ?) WHERE model = 'Client' AND id = ?`,
          args: [forSeconds * 1000, clientId],
        },
      ]);
    },
    countClients: async () => {
      const { rows } = await database.read({
        sql: `SELECT count(*) AS number FROM oauth_records WHERE model = 'Client' AND ends_at > ${now}`,
        args: [],
      });
      return storedInteger(rows[0]?.["number"]);
    },
    removeUnusedClient: async (seconds) => {
      const [removed] = await database.write([
        {
          sql: `DELETE FROM oauth_records WHERE model = 'Client' AND id = (
            SELECT client.id FROM oauth_records AS client
            WHERE client.model = 'Client' AND client.ends_at <= ${now} + ?
              AND NOT EXISTS (SELECT 1 FROM oauth_records AS granted
                WHERE granted.model = 'Grant' AND granted.client_id = client.id)
            ORDER BY client.ends_at LIMIT 1) RETURNING id`,
          args: [seconds * 1000],
        },
      ]);
      return (removed?.rows.length ?? 0) > 0;
    },
    keepNewest: async (model, most) => {
      await database.write([
        {
          sql: `DELETE FROM oauth_records WHERE model = ? AND id IN (
            SELECT id FROM oauth_records WHERE model = ? ORDER BY ends_at DESC LIMIT -1 OFFSET ?)`,
          args: [model, model, most],
        },
      ]);
    },
    markSeen: async (grantId) => {
      await database.write([
        {
          sql: `UPDATE oauth_records SET seen_at = ${now} WHERE model = 'Grant' AND id = ?`,
          args: [grantId],
        },
      ]);
    },
    stillGranted: async (grantIds) => {
      const { rows } = await database.read({
        sql: `SELECT id FROM oauth_records WHERE model = 'Grant' AND ends_at > ${now}
          AND id IN (SELECT value FROM json_each(?))`,
        args: [JSON.stringify(grantIds)],
      });
      return new Set(rows.map((row) => storedText(row["id"])));
    },
    listGrants: async () => {
      const { rows } = await database.read({
        sql: `SELECT granted.client_id, granted.payload ->> 'accountId' AS principal,
            max(granted.ends_at) AS ends_at, max(granted.seen_at) AS seen_at,
            client.payload ->> 'client_name' AS name
          FROM oauth_records AS granted
          LEFT JOIN oauth_records AS client ON client.model = 'Client' AND client.id = granted.client_id
          WHERE granted.model = 'Grant' AND granted.ends_at > ${now}
          GROUP BY granted.client_id, principal ORDER BY granted.client_id, principal`,
        args: [],
      });
      return rows.map((row) => ({
        clientId: storedText(row["client_id"]),
        clientName: row["name"] === null ? undefined : storedText(row["name"]),
        principal: storedText(row["principal"]),
        seenAt: row["seen_at"] === null ? undefined : storedTime(row["seen_at"]),
        endsAt: storedTime(row["ends_at"]),
      }));
    },
    removeClient: async (clientId, principal) => {
      const whose = `SELECT id FROM oauth_records
        WHERE model = 'Grant' AND client_id = ? AND payload ->> 'accountId' = ?`;
      const [removed] = await database.write([
        principal === undefined
          ? {
              sql: "DELETE FROM oauth_records WHERE client_id = ? RETURNING id",
              args: [clientId],
            }
          : {
              sql: `DELETE FROM oauth_records
                WHERE grant_id IN (${whose}) OR (model = 'Grant' AND id IN (${whose})) RETURNING id`,
              args: [clientId, principal, clientId, principal],
            },
      ]);
      granted.clear();
      return (removed?.rows.length ?? 0) > 0;
    },
    removeEnded: async () => {
      await database.write([
        { sql: `DELETE FROM oauth_records WHERE ends_at <= ${now}`, args: [] },
      ]);
    },
  };
}

function toPayload(row: Row): Record<string, unknown> {
  const payload: unknown = JSON.parse(storedText(row["payload"]));
  if (typeof payload !== "object" || payload === null) throw damaged("payload");
  const consumed = row["consumed_at"];
  if (consumed === null) return { ...payload };
  return { ...payload, consumed: Math.floor(storedInteger(consumed) / 1000) };
}
