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
