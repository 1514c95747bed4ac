import type { Diary, DiaryEvent } from "../../../ports/people/diary.ts";
import { toStoredEvent } from "./audit-row.ts";
import type { Database } from "../driver/database.ts";
import type { Row } from "../driver/statement.ts";
import { joinChange, selectUndo, toUndo } from "../files/recent-changes.ts";

export function createDiary(database: Database): Diary {
  return {
    events: async ({ from, principal, limit }) => {
      const { rows } = await database.read({
        sql: `SELECT audit.*, ${selectUndo},
            (SELECT request.sentence FROM audit AS request
              WHERE request.ticket_id = audit.ticket_id AND request.type = 'asked') AS asked
          FROM audit ${joinChange}
          WHERE audit.at >= ? AND audit.principal = coalesce(?, audit.principal)
          ORDER BY audit.seq DESC LIMIT ?`,
        args: [from.getTime(), principal ?? null, limit],
      });
      return rows.map(toDiaryEvent);
    },
  };
}

function toDiaryEvent(row: Row): DiaryEvent {
  const asked = row["asked"];
  const undo = toUndo(row);
  return {
    // The columns of `selectUndo` have other names than those of an event.
    event: toStoredEvent(row).event,
    ...(typeof asked === "string" && { asked }),
    ...(undo && { undo }),
  };
}
