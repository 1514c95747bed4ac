import type { FileChange, FileChanges } from "../../ports/file-changes.ts";
import { type Database, databaseClock as now, type Row, type SqlValue } from "./database.ts";
import { storedInteger, storedOneOf, storedText, storedTime } from "./stored-values.ts";

const kinds = ["created", "replaced", "deleted"] as const;
const states = ["planned", "made"] as const;

/** Changes of files in libSQL. Plain SQL: the query builder takes 100 ms to load. */
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
    plan: async ({ undoId, callId, principal, key, kind, sha256, undoes }, keepMs) => {
      const [added] = await database.write([
        {
          sql: `INSERT INTO file_changes (undo_id, call_id, principal, key, kind, sha256, undoes, state, until)
            VALUES (?, ?, ?, ?, ?, ?, ?, 'planned', ${now} + ?) RETURNING until`,
          args: [undoId, callId, principal, key, kind, sha256 ?? null, undoes ?? null, keepMs],
        },
      ]);
      return storedTime(added?.rows[0]?.["until"]);
    },
    made: (undoId, left) =>
      change(
        "UPDATE file_changes SET state = 'made', left_etag = ? WHERE undo_id = ?",
        left ?? null,
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
    isOver: storedInteger(row["is_over"]) === 1,
  };
}
