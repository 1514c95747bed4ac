import { type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { type Database, databaseClock } from "./database.ts";
import { type Rows, type SqlValue, type Statement } from "./statement.ts";

interface Built {
  sql: string;
  params: unknown[];
}

/** The database's clock in milliseconds since 1970, constant within a statement. */
export const now: SQL<number> = sql<number>`${sql.raw(databaseClock)}`;

/**
 * Creates typed queries. Await only `reads.batch([one])` and `writes.batch([...])`, which is one transaction. Awaiting
 * a single
 * query would wrap our errors in drizzle's own.
 */
export function typedQueries(database: Database) {
  const single = (): Promise<never> => Promise.reject(new TypeError("Use batch."));
  return {
    reads: drizzle(single, (queries: Built[]) =>
      Promise.all(queries.map(async (query) => asArrays(await database.read(statement(query))))),
    ),
    writes: drizzle(single, async (queries: Built[]) =>
      (await database.write(queries.map(statement))).map(asArrays),
    ),
  };
}

function statement({ sql: text, params }: Built): Statement {
  return { sql: text, args: params.map(toSqlValue) };
}

function toSqlValue(value: unknown): SqlValue {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`A ${typeof value} is not an SQL value.`);
}

/** Converts rows to lists, because drizzle reads columns by position. */
function asArrays({ rows }: Rows): { rows: SqlValue[][] } {
  return { rows: rows.map((row) => Object.values(row)) };
}
