import type { Database } from "../driver/database.ts";
import { storedInteger } from "../driver/stored-values.ts";

/**
 * Ends the access of all clients in a database from a backup. After the backup, a client may have lost its access, and a
 * refresh token may have been used. Registrations stay, so that a client only has to sign in again.
 * @returns the number of clients that had access, and of passkeys
 */
export async function endGrants(
  database: Database,
): Promise<{ clients: number; passkeys: number }> {
  const [had] = await database.write([
    {
      sql: `SELECT (SELECT count(DISTINCT coalesce(client_id, id)) FROM oauth_records WHERE model = 'Grant') AS clients,
        (SELECT count(*) FROM passkeys) AS passkeys`,
      args: [],
    },
    { sql: "DELETE FROM oauth_records WHERE model NOT IN ('Client', 'SignOut')", args: [] },
  ]);
  const row = had?.rows[0] ?? {};
  return { clients: storedInteger(row["clients"]), passkeys: storedInteger(row["passkeys"]) };
}
