import type { StoredRequest } from "../../../core/approvals/request-check.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import type { Row } from "../driver/statement.ts";
import { storedInteger } from "../driver/stored-values.ts";
import { asWritten } from "./ticket-row.ts";

/** Rows per query. A row can contain a whole result. */
const pageSize = 100;

/** Reads all approval requests with their stored status, also rows that were changed by hand. */
export function createStoredRequests(database: Database): () => AsyncGenerator<StoredRequest> {
  return async function* () {
    let after = Number.MIN_SAFE_INTEGER;
    for (;;) {
      const { rows } = await database.read({
        sql: `SELECT *, ${now} AS now FROM tickets WHERE seq > ? ORDER BY seq LIMIT ?`,
        args: [after, pageSize],
      });
      for (const row of rows) yield storedRequest(row);
      if (rows.length < pageSize) return;
      after = storedInteger(rows.at(-1)?.["seq"]);
    }
  };
}

function storedRequest(row: Row): StoredRequest {
  const seal = (column: string) => (row[column] === null ? undefined : String(row[column]));
  return {
    ticketId: String(row["ticket_id"]),
    ticket: readable(row),
    seals: {
      asked: seal("asked_seal"),
      decided: seal("decided_seal"),
      ended: seal("ended_seal"),
    },
  };
}

function readable(row: Row): StoredRequest["ticket"] {
  try {
    return asWritten(row);
  } catch {
    return undefined;
  }
}
