import type { Rows, SqlValue, Statement } from "./database.ts";

/** The one connection of a database's thread. It throws the vendor's errors, with a `code` that errors.ts knows. */
export interface Connection {
  /** One statement outside of any transaction. */
  execute(statement: Statement): Promise<Rows>;
  /** All of them as one transaction that may write, or none. */
  batch(statements: readonly Statement[]): Promise<Rows[]>;
  /** What `work` does is one transaction that holds the write lock from its start. */
  transaction(work: (within: Within) => Promise<void>): Promise<void>;
  close(): void;
}

/** What may be done within a transaction. */
export interface Within {
  execute(statement: Statement): Promise<Rows>;
  /** Any number of statements, without arguments and answers. */
  script(sql: string): Promise<void>;
}

export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "SQLITE_BUSY" || error.code === "SQLITE_LOCKED";
}

/** The form in which both drivers store it as it was meant. */
export function toVendor(value: SqlValue): SqlValue | bigint {
  if (typeof value === "string") return value.replaceAll("\0", "\u{FFFD}");
  // A plain number would be bound as a floating one: `7 / 2` would be 3.5.
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  return value;
}
