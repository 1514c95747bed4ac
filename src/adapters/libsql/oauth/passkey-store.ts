import { type Passkey, type PasskeyStore, mostPasskeys } from "../../../ports/people/passkeys.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import type { Row } from "../driver/statement.ts";
import { storedBytes, storedInteger, storedText, storedTime } from "../driver/stored-values.ts";

const columns =
  "passkey_id, credential_id, approver, name, public_key, counter, created_at, used_at";

/** Creates the passkeys of approvers in libSQL. */
export function createPasskeyStore(database: Database): PasskeyStore {
  return {
    add: async ({ passkeyId, credentialId, approver, name, publicKey, counter }) => {
      const [added] = await database.write([
        {
          sql: `INSERT INTO passkeys
              (passkey_id, credential_id, approver, name, public_key, counter, challenged_at, created_at)
            SELECT ?, ?, ?, ?, ?, ?, 0, ${now}
            WHERE (SELECT count(*) FROM passkeys WHERE approver = ?) < ${mostPasskeys}
            ON CONFLICT DO NOTHING RETURNING passkey_id`,
          args: [passkeyId, credentialId, approver, name, publicKey, counter, approver],
        },
      ]);
      return (added?.rows.length ?? 0) > 0;
    },
    findByCredential: async (credentialId) => {
      const sql = `SELECT ${columns} FROM passkeys WHERE credential_id = ?`;
      const { rows } = await database.read({ sql, args: [credentialId] });
      return rows[0] && toPasskey(rows[0]);
    },
    list: async () => {
      const sql = `SELECT ${columns} FROM passkeys ORDER BY created_at, passkey_id`;
      return (await database.read({ sql, args: [] })).rows.map(toPasskey);
    },
    use: async (passkeyId, { counter, challengedAt }) => {
      const [used] = await database.write([
        {
          sql: `UPDATE passkeys SET counter = ?, challenged_at = ?, used_at = ${now}
            WHERE passkey_id = ? AND challenged_at < ? RETURNING passkey_id`,
          args: [counter, challengedAt.getTime(), passkeyId, challengedAt.getTime()],
        },
      ]);
      return (used?.rows.length ?? 0) > 0;
    },
    remove: async (passkeyId) => {
      const sql = `DELETE FROM passkeys WHERE passkey_id = ? RETURNING ${columns}`;
      const [removed] = await database.write([{ sql, args: [passkeyId] }]);
      return removed?.rows[0] && toPasskey(removed.rows[0]);
    },
  };
}

function toPasskey(row: Row): Passkey {
  const used = row["used_at"];
  return {
    passkeyId: storedText(row["passkey_id"]),
    credentialId: storedText(row["credential_id"]),
    approver: storedText(row["approver"]),
    name: storedText(row["name"]),
    publicKey: storedBytes(row["public_key"]),
    counter: storedInteger(row["counter"]),
    createdAt: storedTime(row["created_at"]),
    usedAt: used === null ? undefined : storedTime(used),
  };
}
