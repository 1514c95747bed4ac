import type { RecentChange, RecentChanges } from "../../../ports/files/recent-changes.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import { type Row, type SqlValue } from "../driver/statement.ts";
import { storedInteger, storedText, storedTime } from "../driver/stored-values.ts";

/** Joins the change that an event's call made, if any. */
export const joinChange = `LEFT JOIN file_changes AS change
  ON change.call_id = audit.call_id AND change.state <> 'dropped'
    AND audit.type IN ('started', 'finished')`;

/** The columns that `toUndo` reads. */
export const selectUndo = `change.undo_id, change.until, change.until <= ${now} OR change.is_evicted = 1 AS is_over,
  EXISTS (SELECT 1 FROM file_changes AS undoing
    WHERE undoing.undoes = change.undo_id AND undoing.state = 'made') AS is_undone`;

/** Longer than any call. Milliseconds. */
const callLastsMs = 15 * 60_000;

/** The events among which changes are searched, as the index `audit_change` has them. */
const inIndex = "audit.type IN ('started', 'finished')";

/**
 * Selects changes without approval and changes that can be undone: events of the audit record with their changes. A
 * change with unknown outcome counts. A dropped one does not.
 */
const finished = `audit.type = 'finished'
  AND (change.undo_id IS NOT NULL OR (audit.risk = 'medium' AND audit.outcome = 'ok'))`;

/**
 * Selects changes without a recorded end, which is stored some milliseconds after the result. A process that was killed
 * in between never recorded it.
 */
const endIsMissing = `audit.type = 'started'
  AND (change.state = 'made' OR (change.state = 'planned' AND audit.at <= ${now} - ${callLastsMs}))
  AND NOT EXISTS (SELECT 1 FROM audit AS ended WHERE ended.type IN ('started', 'finished') AND ended.type = 'finished'
    AND ended.seq > audit.seq AND ended.call_id = audit.call_id)`;

const select = `SELECT audit.seq, audit.at, audit.principal, audit.client, audit.tool, audit.ticket_id,
    CASE audit.type WHEN 'finished' THEN audit.sentence END AS sentence, change.kind, change.key, change.undoes, ${selectUndo}
  FROM audit ${joinChange}
  WHERE ${inIndex}`;

export function createRecentChanges(database: Database): RecentChanges {
  const read = async (rest: string, ...args: SqlValue[]): Promise<RecentChange[]> =>
    (await database.read({ sql: `${select} ${rest}`, args })).rows.map(toRecentChange);
  return {
    // Only recorded ends: otherwise a change would be returned again when its end is recorded.
    since: (after, limit) =>
      read(`AND ${finished} AND audit.seq > ? ORDER BY audit.seq LIMIT ?`, after, limit),
    newest: ({ from, principal, limit }) =>
      read(
        `AND (${finished} OR ${endIsMissing})
          AND audit.at >= ? AND audit.principal = coalesce(?, audit.principal) ORDER BY audit.seq DESC LIMIT ?`,
        from.getTime(),
        principal ?? null,
        limit,
      ),
    head: async () => {
      const { rows } = await database.read({
        sql: "SELECT coalesce(max(seq), 0) AS seq FROM audit",
        args: [],
      });
      return storedInteger(rows[0]?.["seq"]);
    },
  };
}

function toRecentChange(row: Row): RecentChange {
  const undo = toUndo(row);
  const { key, undoes } = row;
  const isFile = typeof key === "string" && !key.startsWith("event:");
  return {
    seq: storedInteger(row["seq"]),
    at: storedTime(row["at"]),
    principal: storedText(row["principal"]),
    client: storedText(row["client"]),
    tool: storedText(row["tool"]),
    // The sentence in the past tense is missing after a lost response. The change may have happened, so it is reported.
    sentence: storedText(row["sentence"] ?? `${String(row["kind"])} ${isFile ? key : "an event"}`),
    ...(row["ticket_id"] !== null && { wasAsked: true }),
    ...(isFile && { key }),
    ...(typeof undoes === "string" && { undoes }),
    ...(undo && { undo }),
  };
}

export function toUndo(row: Row): RecentChange["undo"] {
  const undoId = row["undo_id"];
  if (typeof undoId !== "string") return undefined;
  const isUndone = row["is_undone"] === 1;
  return {
    undoId,
    until: storedTime(row["until"]),
    state: isUndone ? "undone" : row["is_over"] === 1 ? "over" : "possible",
  };
}
