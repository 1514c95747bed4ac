import type { Database } from "../driver/database.ts";
import type { Row, SqlValue } from "../driver/statement.ts";
import { storedInteger } from "../driver/stored-values.ts";

/**
 * Reads rows in the order of their `seq`, page by page.
 * @param sql ends with a condition on `seq`: its last two `?` are the number before the page, and the size of a page
 */
export async function* rowsBySeq(
  database: Database,
  { sql, args, pageSize }: { sql: string; args: readonly SqlValue[]; pageSize: number },
): AsyncGenerator<Row> {
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const { rows } = await database.read({ sql, args: [...args, after, pageSize] });
    yield* rows;
    if (rows.length < pageSize) return;
    after = storedInteger(rows.at(-1)?.["seq"]);
  }
}
