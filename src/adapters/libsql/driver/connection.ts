import { foreignDatabase } from "./errors.ts";
import type { Rows, SqlValue, Statement } from "./statement.ts";

/** The one connection of a database's thread. It throws the vendor's errors, with a `code` that errors.ts knows. */
export interface Connection {
  /** Runs one statement outside any transaction. */
  execute(statement: Statement): Promise<Rows>;
  /**
   * Runs all statements as one writing transaction.
   * @param lockWithinMs how long a file may wait for another process's lock
   */
  batch(statements: readonly Statement[], lockWithinMs: number): Promise<Rows[]>;
  /** Runs `work` in one transaction that holds the write lock from its start. */
  transaction(work: (within: Within) => Promise<void>): Promise<void>;
  close(): void;
}

/** The operations within a transaction. */
export interface Within {
  execute(statement: Statement): Promise<Rows>;
  /** Runs any number of statements without arguments and results. */
  script(sql: string): Promise<void>;
}

export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "SQLITE_BUSY" || error.code === "SQLITE_LOCKED";
}

/** Converts a value to a form that both drivers store faithfully. */
export function toVendor(value: SqlValue): SqlValue | bigint {
  if (typeof value === "string") return value.replaceAll("\0", "\u{FFFD}");
  // A plain number would be bound as a floating-point number, and `7 / 2` would be 3.5.
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  return value;
}

/** Selects the names that show whose database this is. One statement, because another process may create tables. */
export const schemaQuery: Statement = {
  sql: `SELECT name, CASE name WHEN 'migrations' THEN sql END AS sql FROM sqlite_schema
    WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'libsql\\_%' ESCAPE '\\'`,
  args: [],
};

/**
 * Returns whether this program has created its tables in the database. A file belongs to one program. A database on a
 * server may also have tables of others.
 * @param needed the tables that this program would create on a server. Undefined for a file
 * @throws an error with the code of a database of another program
 */
export function isOurs({ rows }: Rows, needed?: readonly string[]): boolean {
  const own = rows.find(({ name }) => name === "migrations");
  if (own !== undefined && /\bhash\b/.test(String(own["sql"]))) return true;
  const inTheWay = rows.filter(({ name }) => needed?.includes(String(name)) !== false);
  if (own === undefined && inTheWay.length === 0) return false;
  const names = rows.slice(0, 5).map(({ name }) => String(name));
  throw Object.assign(new Error(`tables of another program: ${names.join(", ")}`), {
    code: foreignDatabase,
  });
}
