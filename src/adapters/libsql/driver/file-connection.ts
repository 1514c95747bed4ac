import LibsqlDatabase from "libsql";
import { type Connection, toVendor } from "./connection.ts";
import type { Row, Rows, SqlValue, Statement } from "./database.ts";

/** Milliseconds that one statement waits for another process's lock. */
const busyTimeout = 5_000;
/** Statements that stay prepared: more than all of ours, but for lists of changing length. */
const mostPrepared = 256;

type Handle = LibsqlDatabase.Database;

interface Prepared {
  /** The names of the columns that it answers with; none where it only changes something. */
  columns: readonly string[];
  /** Rows as lists in the order of the columns, or the count of what was changed. */
  run(args: readonly unknown[]): Rows;
}

/**
 * A database file, with the driver itself instead of its client: that would prepare every statement anew, which is half of
 * the work of a small one.
 */
export function createFileConnection(path: string): Connection {
  let handle: Handle | undefined;
  /** Least recently used first. */
  const prepared = new Map<string, Prepared>();

  function forget(): void {
    prepared.clear();
    const old = handle;
    handle = undefined;
    old?.close();
  }

  function opened(): Handle {
    if (handle !== undefined) return handle;
    const fresh = new LibsqlDatabase(path, { timeout: busyTimeout });
    try {
      prepareHandle(fresh);
    } catch (error) {
      fresh.close();
      throw error;
    }
    handle = fresh;
    return fresh;
  }

  function preparedFor(sql: string): Prepared {
    const found = prepared.get(sql) ?? prepare(opened(), sql);
    prepared.delete(sql);
    prepared.set(sql, found);
    if (prepared.size > mostPrepared) prepared.delete(prepared.keys().next().value ?? "");
    return found;
  }

  function run({ sql, args }: Statement): Rows {
    return preparedFor(sql).run(args.map(toDriver));
  }

  /** Runs it, and after a failure begins anew with the next one. */
  function guarded<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (thrown) {
      throw afterFailure(thrown);
    }
  }

  function afterFailure(thrown: unknown): unknown {
    if (handle?.inTransaction === true) rollBack(handle);
    // After one SQLITE_BUSY the vendor's client acknowledges writes that it never stores, until it is opened again. Of the
    // driver alone that was never seen; opening again is cheap.
    forget();
    return withBaseCode(thrown);
  }

  return {
    execute: async (statement) => guarded(() => run(statement)),
    batch: async (statements) =>
      guarded(() => {
        run(begin);
        const results = statements.map(run);
        run(commit);
        return results;
      }),
    transaction: async (work) => {
      try {
        run(begin);
        await work({
          execute: async (statement) => run(statement),
          script: async (sql) => void opened().exec(sql),
        });
        run(commit);
      } catch (thrown) {
        throw afterFailure(thrown);
      }
    },
    close: forget,
  };
}

const begin: Statement = { sql: "BEGIN IMMEDIATE", args: [] };
const commit: Statement = { sql: "COMMIT", args: [] };

/** What every new connection needs. */
function prepareHandle(handle: Handle): void {
  // The mode is kept in the file; setting it again would take a lock for nothing.
  const [mode] = prepare(handle, "PRAGMA journal_mode").run([]).rows;
  if (mode?.["journal_mode"] !== "wal") prepare(handle, "PRAGMA journal_mode = WAL").run([]);
  // FULL: what was acknowledged survives a power failure, not only a crash.
  handle.exec("PRAGMA synchronous = FULL");
  handle.exec("PRAGMA foreign_keys = ON");
  // Pages. What is written often is copied back once, and whoever is being acknowledged seldom waits for it. 16 MB.
  handle.exec("PRAGMA wal_autocheckpoint = 4000");
  // What is deleted is overwritten, also where the index of words merges its parts: a deleted mail is gone from the file.
  handle.exec("PRAGMA secure_delete = ON");
}

function prepare(handle: Handle, sql: string): Prepared {
  const statement = handle.prepare(sql);
  const columns = statement.columns().map(({ name }) => name);
  // The driver refuses the mode for what returns no rows.
  if (columns.length === 0) {
    return {
      columns,
      run: (args) => ({ rows: [], rowsAffected: statement.run(args).changes }),
    };
  }
  statement.raw(true);
  return {
    columns,
    run: (args) => {
      const rows = statement.all(args).map((values) => toRow(columns, values));
      return { rows, rowsAffected: rows.length };
    },
  };
}

function rollBack(handle: Handle): void {
  try {
    handle.exec("ROLLBACK");
  } catch {
    // The handle is closed next, which ends its transaction.
  }
}

/** The driver takes bytes as a Buffer only. */
function toDriver(value: SqlValue): unknown {
  if (!(value instanceof Uint8Array)) return toVendor(value);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

function toRow(columns: readonly string[], values: unknown): Row {
  const row: Record<string, SqlValue> = {};
  if (!Array.isArray(values)) throw new TypeError("The driver answered with no list.");
  for (const [at, column] of columns.entries()) row[column] = fromVendor(values[at]);
  return row;
}

function fromVendor(value: unknown): SqlValue {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (value instanceof Uint8Array && value.buffer instanceof ArrayBuffer) return wholeBuffer(value);
  throw new TypeError(`The driver answered with a ${typeof value}.`);
}

/** Its own memory, so that it can be handed to another thread without a copy. */
function wholeBuffer(value: Uint8Array): Uint8Array {
  const isWhole = value.byteLength === value.buffer.byteLength;
  return isWhole ? new Uint8Array(value.buffer) : new Uint8Array(value);
}

/** `SQLITE_BUSY` for `SQLITE_BUSY_SNAPSHOT`: SQLite's extended codes are its own, with a second word. */
function withBaseCode(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || !("code" in thrown) || typeof thrown.code !== "string") {
    return thrown;
  }
  const code = /^SQLITE_[A-Z]+/.exec(thrown.code)?.[0] ?? thrown.code;
  return Object.assign(new Error(thrown.message, { cause: thrown }), { code });
}
