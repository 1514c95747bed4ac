import type { EventLedger, EventLedgerEntry } from "../../../ports/calendar/event-ledger.ts";
import { type Database, databaseClock } from "../driver/database.ts";
import { type Row } from "../driver/statement.ts";

/** Creates the ledger of the assistant's own events in libSQL. */
export function createEventLedger(database: Database): EventLedger {
  return {
    find: async (uids) => {
      if (uids.length === 0) return [];
      const { rows } = await database.read({
        sql: `SELECT uid, principal, seed, digest, confirmed_at FROM event_ledger
          WHERE uid IN (SELECT value FROM json_each(?))`,
        args: [JSON.stringify(uids)],
      });
      return rows.map(toEntry);
    },
    record: async ({ uid, principal, seed, digest }) => {
      await database.write([
        {
          sql: `INSERT INTO event_ledger (uid, principal, seed, digest, created_at)
            VALUES (?, ?, ?, ?, ${databaseClock}) ON CONFLICT DO NOTHING`,
          args: [uid, principal, seed, digest],
        },
      ]);
    },
    confirm: async (uid) => {
      await database.write([
        {
          sql: `UPDATE event_ledger SET confirmed_at = ${databaseClock}
            WHERE uid = ? AND confirmed_at IS NULL`,
          args: [uid],
        },
      ]);
    },
    forget: async (uid) => {
      await database.write([
        { sql: "DELETE FROM event_ledger WHERE uid = ? AND confirmed_at IS NULL", args: [uid] },
      ]);
    },
  };
}

function toEntry(row: Row): EventLedgerEntry {
  const text = (column: string): string => String(row[column] ?? "");
  return {
    uid: text("uid"),
    principal: text("principal"),
    seed: text("seed"),
    digest: text("digest"),
    confirmed: row["confirmed_at"] !== null,
  };
}
