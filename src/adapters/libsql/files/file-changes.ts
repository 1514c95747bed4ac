import type { FileChange, FileChanges } from "../../../ports/files/file-changes.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import { type Row, type SqlValue } from "../driver/statement.ts";
import { storedInteger, storedOneOf, storedText, storedTime } from "../driver/stored-values.ts";

const kinds = ["created", "replaced", "deleted"] as const;
const states = ["planned", "made"] as const;

/** Longer than any call. An older plan belongs to a process that stopped. Milliseconds. */
const planLastsMs = 15 * 60_000;

const counted = "principal = ?2 AND kept_bytes IS NOT NULL AND is_evicted = 0";

/** True for a copy that may be removed early. `?3` is the time for which copies are kept. */
const mayGo = `(state = 'dropped' OR until <= ${now} OR is_original = 0
  AND (state = 'made' OR until - ?3 <= ${now} - ${planLastsMs}))`;

/** Marks the oldest copies beyond `?4` bytes as evicted. `?1` is the change that they make room for. */
const evict = `UPDATE file_changes SET is_evicted = 1 WHERE undo_id IN (
    SELECT undo_id FROM (
      SELECT undo_id, sum(kept_bytes) OVER (ORDER BY until, rowid) - kept_bytes AS older
        FROM file_changes WHERE ${counted} AND ${mayGo} AND undo_id <> ?1)
    WHERE older < (SELECT sum(kept_bytes) FROM file_changes WHERE ${counted}) - ?4)
  AND EXISTS (SELECT 1 FROM file_changes WHERE undo_id = ?1)
  RETURNING undo_id, key`;

export function createFileChanges(database: Database): FileChanges {
  const change = async (sql: string, ...args: SqlValue[]): Promise<void> =>
    void (await database.write([{ sql, args }]));
  const find = async (condition: string, value: string): Promise<FileChange[]> => {
    const { rows } = await database.read({
      sql: `SELECT *, until <= ${now} AS is_expired FROM file_changes WHERE ${condition} = ? AND state <> 'dropped'`,
      args: [value],
    });
    return rows.map(toChange);
  };
  return {
    plan: async ({ replaces, keptBytes, ...change }, { keepMs, atMost, mayExceed }) => {
      const { undoId, callId, principal, key, kind, sha256, undoes } = change;
      const [added, gone] = await database.write([
        {
          sql: `INSERT INTO file_changes (undo_id, call_id, principal, key, kind, sha256, undoes, state, until,
              is_original, kept_bytes)
            SELECT ?1, ?5, ?2, ?6, ?7, ?8, ?9, 'planned', ${now} + ?3, ?10 IS NOT NULL AND NOT EXISTS (
              SELECT 1 FROM file_changes WHERE key = ?6 AND etag_after = ?10 AND undoes IS NULL), ?11
            WHERE ?11 IS NULL OR ?12 OR ?11 <= ?4 - (SELECT coalesce(sum(kept_bytes), 0) FROM file_changes
              WHERE ${counted} AND NOT ${mayGo})
            RETURNING until`,
          args: [
            undoId,
            principal,
            keepMs,
            atMost,
            callId,
            key,
            kind,
            sha256 ?? null,
            undoes ?? null,
            replaces ?? null,
            keptBytes ?? null,
            mayExceed ? 1 : 0,
          ],
        },
        { sql: evict, args: [undoId, principal, keepMs, atMost] },
      ]);
      if (added?.rows.length === 0) return undefined;
      const until = storedTime(added?.rows[0]?.["until"]);
      return { until, evicted: (gone?.rows ?? []).map(toCopy) };
    },
    confirm: (undoId, etagAfter) =>
      change(
        "UPDATE file_changes SET state = 'made', etag_after = ? WHERE undo_id = ?",
        etagAfter ?? null,
        undoId,
      ),
    drop: (undoId) => change("UPDATE file_changes SET state = 'dropped' WHERE undo_id = ?", undoId),
    find: async (undoId) => (await find("undo_id", undoId))[0],
    undosOf: (undoId) => find("undoes", undoId),
    expired: async (limit) => {
      const { rows } = await database.read({
        sql: `SELECT undo_id, key FROM file_changes WHERE until <= ${now} ORDER BY until LIMIT ?`,
        args: [limit],
      });
      return rows.map(toCopy);
    },
    forget: (undoId) => change("DELETE FROM file_changes WHERE undo_id = ?", undoId),
    copiesOf: async (principal, keepMs) => {
      const { rows } = await database.read({
        sql: `SELECT undo_id, key, kept_bytes, ${mayGo} AS may_go FROM file_changes
          WHERE ${counted} ORDER BY until, rowid`,
        args: [null, principal, keepMs],
      });
      const copies = rows.map((row) => ({
        ...toCopy(row),
        bytes: storedInteger(row["kept_bytes"]),
        mayGo: row["may_go"] === 1,
      }));
      return {
        bytes: copies.reduce((sum, { bytes }) => sum + bytes, 0),
        evictable: copies
          .filter((copy) => copy.mayGo)
          .map(({ undoId, key, bytes }) => ({ undoId, key, bytes })),
      };
    },
    confirmEvicted: (undoId) =>
      change("UPDATE file_changes SET is_evicted = 1 WHERE undo_id = ?", undoId),
    known: async (undoIds) => {
      const { rows } = await database.read({
        sql: "SELECT undo_id FROM file_changes WHERE undo_id IN (SELECT value FROM json_each(?))",
        args: [JSON.stringify(undoIds)],
      });
      return new Set(rows.map((row) => storedText(row["undo_id"])));
    },
  };
}

function toCopy(row: Row): { undoId: string; key: string } {
  return { undoId: storedText(row["undo_id"]), key: storedText(row["key"]) };
}

function toChange(row: Row): FileChange {
  const optional = (value: SqlValue | undefined): string | undefined =>
    value === null ? undefined : storedText(value);
  const undoes = optional(row["undoes"]);
  return {
    undoId: storedText(row["undo_id"]),
    callId: storedText(row["call_id"]),
    principal: storedText(row["principal"]),
    key: storedText(row["key"]),
    kind: storedOneOf(kinds, row["kind"]),
    sha256: optional(row["sha256"]),
    ...(undoes !== undefined && { undoes }),
    state: storedOneOf(states, row["state"]),
    etagAfter: optional(row["etag_after"]),
    until: storedTime(row["until"]),
    isEvicted: storedInteger(row["is_evicted"]) === 1,
    isExpired: storedInteger(row["is_expired"]) === 1,
  };
}
