import type { FileChange, FileChanges } from "../../../ports/files/file-changes.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import { type Row, type SqlValue } from "../driver/statement.ts";
import { storedInteger, storedOneOf, storedText, storedTime } from "../driver/stored-values.ts";

const kinds = ["created", "replaced", "deleted"] as const;
const states = ["planned", "made"] as const;

export function createFileChanges(database: Database): FileChanges {
  const change = async (sql: string, ...args: SqlValue[]): Promise<void> =>
    void (await database.write([{ sql, args }]));
  const find = async (condition: string, value: string): Promise<FileChange[]> => {
    const { rows } = await database.read({
      sql: `SELECT *, until <= ${now} AS is_over FROM file_changes WHERE ${condition} = ? AND state <> 'dropped'`,
      args: [value],
    });
    return rows.map(toChange);
  };
  return {
    plan: async ({ replaces, ...change }, keepMs) => {
      const { undoId, callId, principal, key, kind, sha256, undoes } = change;
      const [added] = await database.write([
        {
          sql: `INSERT INTO file_changes (undo_id, call_id, principal, key, kind, sha256, undoes, state, until, is_original)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'planned', ${now} + ?8, ?9 IS NOT NULL AND NOT EXISTS (
              SELECT 1 FROM file_changes WHERE key = ?4 AND left_etag = ?9 AND undoes IS NULL))
            RETURNING until`,
          args: [
            undoId,
            callId,
            principal,
            key,
            kind,
            sha256 ?? null,
            undoes ?? null,
            keepMs,
            replaces ?? null,
          ],
        },
      ]);
      return storedTime(added?.rows[0]?.["until"]);
    },
    made: (undoId, left, keptBytes) =>
      change(
        `UPDATE file_changes SET state = 'made', left_etag = ?, kept_bytes = coalesce(?, kept_bytes)
          WHERE undo_id = ?`,
        left ?? null,
        keptBytes ?? null,
        undoId,
      ),
    drop: (undoId) => change("UPDATE file_changes SET state = 'dropped' WHERE undo_id = ?", undoId),
    find: async (undoId) => (await find("undo_id", undoId))[0],
    undoing: (undoId) => find("undoes", undoId),
    over: async (limit) => {
      const { rows } = await database.read({
        sql: `SELECT undo_id, key FROM file_changes WHERE until <= ${now} ORDER BY until LIMIT ?`,
        args: [limit],
      });
      return rows.map((row) => ({
        undoId: storedText(row["undo_id"]),
        key: storedText(row["key"]),
      }));
    },
    forget: (undoId) => change("DELETE FROM file_changes WHERE undo_id = ?", undoId),
    kept: async (principal) => {
      const { rows } = await database.read({
        sql: `SELECT undo_id, key, kept_bytes, is_original FROM file_changes
          WHERE principal = ? AND kept_bytes IS NOT NULL AND is_evicted = 0 AND until > ${now} ORDER BY until, rowid`,
        args: [principal],
      });
      const copies = rows.map((row) => ({
        undoId: storedText(row["undo_id"]),
        key: storedText(row["key"]),
        bytes: storedInteger(row["kept_bytes"]),
        isOriginal: row["is_original"] === 1,
      }));
      return {
        bytes: copies.reduce((sum, { bytes }) => sum + bytes, 0),
        evictable: copies.filter(({ isOriginal }) => !isOriginal),
      };
    },
    evicted: (undoId) => change("UPDATE file_changes SET is_evicted = 1 WHERE undo_id = ?", undoId),
    known: async (undoIds) => {
      const { rows } = await database.read({
        sql: "SELECT undo_id FROM file_changes WHERE undo_id IN (SELECT value FROM json_each(?))",
        args: [JSON.stringify(undoIds)],
      });
      return new Set(rows.map((row) => storedText(row["undo_id"])));
    },
  };
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
    left: optional(row["left_etag"]),
    until: storedTime(row["until"]),
    isEvicted: storedInteger(row["is_evicted"]) === 1,
    isOver: storedInteger(row["is_over"]) === 1,
  };
}
