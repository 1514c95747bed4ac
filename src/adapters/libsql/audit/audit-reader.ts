import type { ChainPlace, ChainRow } from "../../../core/audit/audit-chain.ts";
import type { AuditReader, EventFilter } from "../../../core/audit/audit-reader.ts";
import type { SignedPlace } from "../../../core/audit/signed-place.ts";
import { toStoredEvent } from "./audit-row.ts";
import { type Database } from "../driver/database.ts";
import { rowsBySeq } from "./rows-by-seq.ts";
import { type Row, type SqlValue } from "../driver/statement.ts";
import { storedInteger, storedText, storedTime } from "../driver/stored-values.ts";

/** Rows per query. */
const pageSize = 1_000;

export function createAuditReader(database: Database): AuditReader {
  async function select(sql: string, ...args: SqlValue[]): Promise<readonly Row[]> {
    return (await database.read({ sql, args })).rows;
  }

  async function* rows({ since, until, tool, principal }: EventFilter = {}) {
    const sql = `SELECT * FROM audit
      WHERE (? IS NULL OR at >= ?) AND (? IS NULL OR at < ?)
        AND tool = coalesce(?, tool) AND principal = coalesce(?, principal)
        AND seq > ? ORDER BY seq LIMIT ?`;
    const args = [
      ...twice(since?.getTime()),
      ...twice(until?.getTime()),
      tool ?? null,
      principal ?? null,
    ];
    for await (const row of rowsBySeq(database, { sql, args, pageSize })) yield toChainRow(row);
  }

  return {
    rows,
    macOf: async (seq) => {
      const [row] = await select("SELECT mac FROM audit WHERE seq = ?", seq);
      return row && String(row["mac"]);
    },
    checkpoint: async () => {
      const [row] = await select("SELECT * FROM audit_checkpoint");
      return row && toCheckpoint(row);
    },
    firstSince: async (time) => {
      const [row] = await select("SELECT min(seq) AS seq FROM audit WHERE at >= ?", time.getTime());
      return typeof row?.["seq"] === "number" ? row["seq"] : undefined;
    },
    removeUpTo: async ({ seq, mac, at, keyId, signature }) => {
      const isThere = "EXISTS (SELECT 1 FROM audit WHERE seq = ? AND mac = ?)";
      const [, removed] = await database.write([
        {
          sql: `INSERT INTO audit_checkpoint (id, seq, mac, at, key_id, signature)
            SELECT 1, ?, ?, ?, ?, ? WHERE ${isThere} ON CONFLICT (id) DO UPDATE SET seq = excluded.seq,
              mac = excluded.mac, at = excluded.at, key_id = excluded.key_id, signature = excluded.signature`,
          args: [seq, mac, at.getTime(), keyId, signature, seq, mac],
        },
        { sql: `DELETE FROM audit WHERE seq <= ? AND ${isThere}`, args: [seq, seq, mac] },
      ]);
      return removed?.rowsAffected ?? 0;
    },
  };
}

const twice = (value: number | undefined): SqlValue[] => [value ?? null, value ?? null];

/** Converts a row, which may have been changed by hand. The event is undefined if it cannot be read. */
function toChainRow(row: Row): ChainRow {
  const place: ChainPlace = { seq: storedInteger(row["seq"]), mac: String(row["mac"]) };
  const keyId = String(row["key_id"]);
  try {
    return { ...place, keyId, event: toStoredEvent(row).event };
  } catch {
    return { ...place, keyId, event: undefined };
  }
}

function toCheckpoint(row: Row): SignedPlace {
  return {
    kind: "checkpoint",
    seq: storedInteger(row["seq"]),
    mac: storedText(row["mac"]),
    at: storedTime(row["at"]),
    keyId: storedText(row["key_id"]),
    signature: storedText(row["signature"]),
  };
}
