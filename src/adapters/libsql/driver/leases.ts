import type { Leases } from "../../../ports/leases.ts";
import { type Database, databaseClock as now, leaseExpired } from "./database.ts";

/** Creates leases in libSQL. Each change is one statement with the condition that the lease is free or ours. */
export function createLeases(database: Database): Leases {
  return {
    take: async (role, holder, forMs) => {
      const [taken] = await database.write([
        {
          sql: `INSERT INTO leases (name, holder, until) VALUES (?, ?, ${now} + ?)
            ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
            WHERE leases.holder = excluded.holder OR ${leaseExpired("leases.until")} RETURNING holder`,
          args: [role, holder, forMs],
        },
      ]);
      return (taken?.rows.length ?? 0) > 0;
    },
    release: async (role, holder) => {
      // The row stays: it says when the lease ended.
      const ended = `UPDATE leases SET until = min(until, ${now}) WHERE name = ? AND holder = ?`;
      await database.write([{ sql: ended, args: [role, holder] }]);
    },
    isHeld: async (role) => {
      const { rows } = await database.read({
        sql: `SELECT 1 FROM leases WHERE name = ? AND NOT ${leaseExpired("until")}`,
        args: [role],
      });
      return rows.length > 0;
    },
  };
}

/** Returns how many milliseconds ago another process than `holder` lost or released a role. Infinity if none did. */
export async function freeForMs(database: Database, role: string, holder: string): Promise<number> {
  const { rows } = await database.read({
    sql: `SELECT ${now} - until AS since FROM leases WHERE name = ? AND holder <> ? AND until <= ${now}`,
    args: [role, holder],
  });
  return Number(rows[0]?.["since"] ?? Infinity);
}

/** Returns who has a role now, or undefined if it is free. */
export async function leaseHolder(database: Database, role: string): Promise<string | undefined> {
  const { rows } = await database.read({
    sql: `SELECT holder FROM leases WHERE name = ? AND NOT ${leaseExpired("until")}`,
    args: [role],
  });
  const holder = rows[0]?.["holder"];
  return typeof holder === "string" ? holder : undefined;
}
