import { type Database, databaseClock as now } from "../driver/database.ts";

/**
 * Ends all approvals and open requests in a database from a backup. After the backup, an approved call may have run,
 * and a pending one may have been approved and run.
 * @returns the number of requests and rules that it ended
 */
export async function endApprovals(database: Database): Promise<{ ended: number }> {
  const results = await database.write([
    {
      sql: `UPDATE tickets SET status = 'expired', ended_at = ${now}, question_answered = NULL
        WHERE status = 'pending' RETURNING 1`,
      args: [],
    },
    {
      sql: `UPDATE tickets SET status = 'unknown', ended_at = ${now}, holder = NULL
        WHERE status IN ('approved', 'running') RETURNING 1`,
      args: [],
    },
    // A rule covers a number of calls, and the backup does not know how many were made afterwards.
    { sql: `UPDATE rules SET expires_at = ${now} WHERE expires_at > ${now} RETURNING 1`, args: [] },
  ]);
  // The holders of these leases were processes at the time of the backup.
  await database.write([
    { sql: "DELETE FROM leases", args: [] },
    { sql: "UPDATE mail SET claim = NULL, lease_until = NULL WHERE claim IS NOT NULL", args: [] },
  ]);
  return { ended: results.reduce((sum, { rows }) => sum + rows.length, 0) };
}
