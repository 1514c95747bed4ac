import { setTimeout as sleep } from "node:timers/promises";
import { type Connection, isBusy, isOurs, schemaQuery, toVendor } from "./connection.ts";
import { type Handle, openHandle } from "./libsql-driver.ts";
import type { Row, Rows, SqlValue, Statement } from "./statement.ts";

/** Milliseconds that a statement outside a batch waits for another process's lock. */
const busyTimeout = 5_000;
/**
 * Milliseconds between attempts to take the write lock. SQLite's own wait grows to a tenth of a second, in which a busy
 * process takes the lock again. A search during an import waited for several commits.
 */
const lockEvery = 1;
/** Cached prepared statements: more than all of ours without lists of variable length. */
const mostPrepared = 256;

/** SQLite's own page size. */
const defaultPageBytes = 4_096;
/** Bytes of the write-ahead log from which its pages are copied into the file. */
const mostLogBytes = 16_384_000;
/** One in so many pages may stay free, which saves time for later writes. */
const shareOfFreePages = 50;
/** Milliseconds that a close waits for another process's lock to remove them. A server writes after each search. */
const vacuumTimeout = 1_000;
/** Limit on pages that are removed at once, which takes less than a second. */
const mostPagesRemoved = 8_192;

interface Prepared {
  /** The names of the result columns. Empty for a statement that only changes data. */
  columns: readonly string[];
  /** Rows as lists in the order of the columns, or the number of changes. */
  run(args: readonly unknown[]): Rows;
}

/**
 * Opens a database file with the driver itself. The vendor's client would prepare every statement again, which is half
 * the cost of a small statement.
 */
export function createFileConnection(path: string, pageBytes?: number): Connection {
  let handle: Handle | undefined;
  /** The least recently used statement comes first. */
  const prepared = new Map<string, Prepared>();

  function forget(): void {
    prepared.clear();
    const old = handle;
    handle = undefined;
    old?.close();
  }

  function opened(): Handle {
    if (handle !== undefined) return handle;
    const fresh = openHandle(path, busyTimeout);
    try {
      prepareHandle(fresh, pageBytes);
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

  /** Runs `work`. After a failure the connection is opened again. */
  function guarded<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (thrown) {
      throw afterFailure(thrown);
    }
  }

  function afterFailure(thrown: unknown): unknown {
    if (handle?.inTransaction === true) rollBack(handle);
    // After one SQLITE_BUSY the vendor's client acknowledges writes without storing them, until it is opened again. The
    // driver alone was never seen to do so, but opening it again is cheap.
    forget();
    return withBaseCode(thrown);
  }

  /** Begins a transaction when the write lock is free. */
  async function beginWhenFree(withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs;
    opened().exec("PRAGMA busy_timeout = 0");
    for (;;) {
      try {
        run(begin);
        break;
      } catch (thrown) {
        if (!isBusy(withBaseCode(thrown)) || performance.now() > deadline) throw thrown;
      }
      await sleep(lockEvery);
    }
    opened().exec(`PRAGMA busy_timeout = ${busyTimeout}`);
  }

  return {
    execute: async (statement) => guarded(() => run(statement)),
    batch: async (statements, lockWithinMs) => {
      try {
        await beginWhenFree(lockWithinMs);
        const results = statements.map(run);
        run(commit);
        return results;
      } catch (thrown) {
        throw afterFailure(thrown);
      }
    },
    transaction: async (work) => {
      try {
        await beginWhenFree(busyTimeout);
        await work({
          execute: async (statement) => run(statement),
          script: async (sql) => void opened().exec(sql),
        });
        run(commit);
      } catch (thrown) {
        throw afterFailure(thrown);
      }
    },
    close: () => {
      if (handle !== undefined) {
        handle.exec("PRAGMA busy_timeout = 0");
        removeFreePages(handle);
        emptyOwnLog(handle);
      }
      forget();
    },
  };
}

const begin: Statement = { sql: "BEGIN IMMEDIATE", args: [] };
const commit: Statement = { sql: "COMMIT", args: [] };

/** Configures a new connection. The page size applies only to a file that is still empty. */
function prepareHandle(handle: Handle, pageBytes: number = defaultPageBytes): void {
  handle.exec(`PRAGMA page_size = ${pageBytes}`);
  // The mode is stored in the file. Setting it again would take a lock.
  const [mode] = prepare(handle, "PRAGMA journal_mode").run([]).rows;
  if (mode?.["journal_mode"] !== "wal") {
    // Before the first change, because a file of another program must stay as it is.
    isOurs(prepare(handle, schemaQuery.sql).run([]));
    // Only for a file that is still empty, because it would take a lock as well. See `removeFreePages`.
    handle.exec("PRAGMA auto_vacuum = INCREMENTAL");
    prepare(handle, "PRAGMA journal_mode = WAL").run([]);
  }
  // FULL: acknowledged data survives a power failure, not only a crash.
  handle.exec("PRAGMA synchronous = FULL");
  handle.exec("PRAGMA foreign_keys = ON");
  // A larger log merges repeated writes and delays acknowledgements less often.
  handle.exec(`PRAGMA wal_autocheckpoint = ${Math.round(mostLogBytes / pageBytes)}`);
  // Deleted data is overwritten in the file, also when the full-text index merges segments.
  handle.exec("PRAGMA secure_delete = ON");
}

/**
 * Removes the file's free pages if they are many. An import leaves them behind, because its messages
 * are stored in their rows first, and the full-text index merges its parts.
 */
function removeFreePages(handle: Handle): void {
  try {
    const [free = 0, all = 0] = ["freelist_count", "page_count"].map((name) =>
      Number(prepare(handle, `PRAGMA ${name}`).run([]).rows[0]?.[name]),
    );
    if (free <= all / shareOfFreePages) return;
    handle.exec(`PRAGMA busy_timeout = ${vacuumTimeout}`);
    handle.exec(`PRAGMA incremental_vacuum(${mostPagesRemoved})`);
  } catch {
    // Another process writes for longer. It removes them when it closes.
    return;
  } finally {
    handle.exec("PRAGMA busy_timeout = 0");
  }
}

/**
 * Empties the write-ahead log, which has pages of deleted rows, if no other process uses it now. SQLite does so when the
 * last connection closes, but the driver keeps a connection open until its statements are collected as garbage.
 */
function emptyOwnLog(handle: Handle): void {
  try {
    prepare(handle, "PRAGMA wal_checkpoint(TRUNCATE)").run([]);
  } catch {
    // The next connection to the file does it.
    return;
  }
}

/**
 * Prepares a statement.
 * @param options.isOftenEmpty asks for a first row before it reads all, because a list of rows costs much more
 */
export function prepare(
  handle: Handle,
  sql: string,
  { isOftenEmpty = false }: { isOftenEmpty?: boolean } = {},
): Prepared {
  const statement = handle.prepare(sql);
  const columns = statement.columns().map(({ name }) => name);
  // The driver rejects this mode for statements that return no rows.
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
      if (isOftenEmpty && statement.get(args) === undefined) return { rows: [], rowsAffected: 0 };
      const rows = statement.all(args).map((values) => toRow(columns, values));
      return { rows, rowsAffected: rows.length };
    },
  };
}

function rollBack(handle: Handle): void {
  try {
    handle.exec("ROLLBACK");
  } catch {
    // The handle is closed afterwards, which ends its transaction.
  }
}

/** Converts bytes to a Buffer, the only form that the driver accepts. */
export function toDriver(value: SqlValue): unknown {
  if (!(value instanceof Uint8Array)) return toVendor(value);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

function toRow(columns: readonly string[], values: unknown): Row {
  const row: Record<string, SqlValue> = {};
  if (!Array.isArray(values)) throw new TypeError("The driver did not return a list.");
  for (const [at, column] of columns.entries()) row[column] = fromVendor(values[at]);
  return row;
}

function fromVendor(value: unknown): SqlValue {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (value instanceof Uint8Array && value.buffer instanceof ArrayBuffer) return wholeBuffer(value);
  throw new TypeError(`The driver returned a ${typeof value}.`);
}

/** Returns the bytes in a buffer of their own, which can be transferred to another thread. */
function wholeBuffer(value: Uint8Array): Uint8Array {
  const isWhole = value.byteLength === value.buffer.byteLength;
  return isWhole ? new Uint8Array(value.buffer) : new Uint8Array(value);
}

/** Maps SQLite's extended codes to the base code: `SQLITE_BUSY_SNAPSHOT` to `SQLITE_BUSY`. */
function withBaseCode(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || !("code" in thrown) || typeof thrown.code !== "string") {
    return thrown;
  }
  const code = /^SQLITE_[A-Z]+/.exec(thrown.code)?.[0] ?? thrown.code;
  return Object.assign(new Error(thrown.message, { cause: thrown }), { code });
}
