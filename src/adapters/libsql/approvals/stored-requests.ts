import type { StoredRequest } from "../../../core/approvals/request-check.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import { rowsBySeq } from "../audit/rows-by-seq.ts";
import type { Row } from "../driver/statement.ts";
import { asWritten } from "./ticket-row.ts";

/** Rows per query. A row can contain a whole result. */
const pageSize = 100;

/** Reads all approval requests with their stored status, also rows that were changed by hand. */
export function createStoredRequests(database: Database): () => AsyncGenerator<StoredRequest> {
  const sql = `SELECT *, ${now} AS now FROM tickets WHERE seq > ? ORDER BY seq LIMIT ?`;
  return async function* () {
    for await (const row of rowsBySeq(database, { sql, args: [], pageSize }))
      yield storedRequest(row);
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
