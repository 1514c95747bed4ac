import type { ClientReport } from "../../../core/shared/client-report.ts";
import type { ClientMemory } from "../../../ports/people/client-memory.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import type { Row } from "../driver/statement.ts";
import { storedText } from "../driver/stored-values.ts";

/** Limit on stored reports, because clients choose their names and must not fill the disk. */
const mostReports = 50;

export function createClientMemory(database: Database): ClientMemory {
  return {
    keep: async (report) => {
      await database.write([
        {
          sql: `INSERT INTO client_reports (name, version, report, at) VALUES (?, ?, ?, ${now})
            ON CONFLICT (name, version) DO UPDATE SET report = excluded.report, at = excluded.at`,
          args: [report.name, report.version, JSON.stringify(report)],
        },
        {
          sql: `DELETE FROM client_reports WHERE rowid NOT IN
            (SELECT rowid FROM client_reports ORDER BY at DESC LIMIT ${mostReports})`,
          args: [],
        },
      ]);
    },
    find: async (name, version) => {
      const { rows } = await database.read({
        sql: "SELECT report FROM client_reports WHERE name = ? AND version = ?",
        args: [name, version],
      });
      return rows[0] && toReport(rows[0]);
    },
    list: async () => {
      const sql = "SELECT report FROM client_reports ORDER BY at DESC";
      return (await database.read({ sql, args: [] })).rows.map(toReport);
    },
  };
}

/** Only `keep` writes this column. */
const toReport = (row: Row): ClientReport => JSON.parse(storedText(row["report"])) as ClientReport;
