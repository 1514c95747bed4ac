import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { transferList } from "../../../core/shared/transfer-list.ts";
import type { Log } from "../../../core/shared/log.ts";
import { packageFile } from "../../../core/shared/program-root.ts";
import { Secret } from "../../../core/shared/secret.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import type { ChainPlace } from "../../../core/audit/audit-chain.ts";
import { toHead } from "../audit/audit-writer.ts";
import { type DatabaseThread, openThread } from "./database-thread.ts";
import { databaseError, threadEnded } from "./errors.ts";
import { createOutbox } from "./outbox.ts";
import { createQuickReads } from "./quick-reads.ts";
import type { Rows, Statement } from "./statement.ts";
import type { EventGroup, Failure, WorkerRequest, WorkerOptions } from "./worker-messages.ts";

/**
 * One libSQL database. A separate thread holds the connection, so that waiting for a lock never blocks timers and
 * sockets. Errors are those of errors.ts, most often `unavailable`. Each says whether the database was changed.
 */
export interface Database {
  /** False for a database server, which has its own log. */
  readonly isFile: boolean;
  /** Reads that the thread was asked for until now. Work in the background gives way while the number grows. */
  readonly reads: number;
  /**
   * Runs one statement. `quick` marks a read of a few rows by an index, which is answered immediately if the database
   * is an open file. It sees all earlier writes of this process to the tables in `quick`. With `mayLag` the result may
   * miss `canWait` writes that are still waiting.
   */
  read(
    statement: Statement,
    options?: { quick?: readonly string[]; mayLag?: boolean },
  ): Promise<Rows>;
  /**
   * Runs the statements atomically, without other statements of this process in between. Durable when it resolves.
   * Waiting writes share a commit and a disk sync. With `canWait` a write waits some milliseconds for others of its
   * kind. Other writes may overtake it, and reads never do.
   * While another program keeps a file locked, a write fails after eight seconds, and later ones after one.
   * With `hasFullLockTimeout` a write always waits the eight seconds.
   */
  write(
    statements: readonly Statement[],
    options?: { canWait?: boolean; hasFullLockTimeout?: boolean },
  ): Promise<readonly Rows[]>;
  /**
   * Adds events to the audit record. Resolves with the position of the last one when they are durable. See
   * audit-writer.ts.
   */
  addEvents(group: EventGroup): Promise<ChainPlace>;
  /** Resolves when all earlier requests are done. Later statements are refused. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `file:` with an absolute path (from `pathToFileURL`), or the URL of a libSQL server. */
  url: string;
  authToken?: Secret | string;
  /** A folder in drizzle-kit's format. */
  migrations: URL | string;
  log: Log;
  /** The page size of a new file, if it differs from SQLite's own. */
  pageBytes?: number;
  /** Opens a database even if it has an unfinished copy of this source. Only the copy itself sets it. */
  copyOf?: string;
  /** The other file of the same installation. If it is of a newer version or of another program, nothing is opened. */
  beside?: { path: string; migrations: URL };
  /** Time limit for a response of a database server. Tests shorten it. Milliseconds. */
  requestTimeoutMs?: number;
}

/** The migrations of the main database. The embedded object store has its own. */
export const mainMigrations = packageFile("drizzle/main/");

/** The database's clock in SQL: milliseconds since 1970, constant within a statement. */
export const databaseClock = "cast(round(unixepoch('subsec') * 1000) as integer)";

/**
 * Builds the condition that a time has passed. A later time than the program ever sets was written while the clock was
 * fast. It counts as passed.
 */
export function passed(column: string, mostAheadMs: number): string {
  return `(${column} IS NOT NULL AND (${column} <= ${databaseClock} OR ${column} > ${databaseClock} + ${mostAheadMs}))`;
}

/** Builds the condition that a lease has expired. Each is shorter than two minutes. */
export const leaseExpired = (column: string): string => passed(column, 10 * 60_000);

/**
 * Empties the write-ahead log. Deleted rows are overwritten in the file, but the log still contains their pages.
 * Concurrent readers may keep some of it until the next checkpoint.
 */
export async function emptyLog(database: Database): Promise<void> {
  if (!database.isFile) return;
  await database.read({ sql: "PRAGMA wal_checkpoint(TRUNCATE)", args: [] }).catch(() => undefined);
}

interface RunOptions {
  canWait?: boolean;
  hasFullLockTimeout?: boolean;
  isQuick?: boolean;
  mayLag?: boolean;
  events?: EventGroup;
}

interface Waiting {
  mode: WorkerRequest["mode"];
  statements: readonly Statement[];
  resolve: (results: readonly Rows[]) => void;
  reject: (error: ToolError) => void;
}

/**
 * Returns immediately. The first statement opens the database, creates a missing file (mode 600) and migrates it. If
 * that fails, the statement reports it, and the next one tries again.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const isRemote = !options.url.startsWith("file:");
  const name = isRemote ? new URL(options.url).host : basename(fileURLToPath(options.url));
  const waiting = new Map<number, Waiting>();
  let thread: DatabaseThread | undefined;
  let closing: Promise<void> | undefined;
  let lastId = 0;
  let reads = 0;
  const quickReads = isRemote ? undefined : createQuickReads(fileURLToPath(options.url));
  const outbox = createOutbox({
    wake: () => {
      thread ??= start();
      thread.ref();
    },
    post: (requests) =>
      thread?.post(
        requests,
        requests.flatMap(({ statements }) => largeBlobsOf(statements)),
      ),
  });

  /** Reads on this thread. Undefined if the other thread has to read. */
  function readNow(statement: Statement, tables: readonly string[]): Rows | undefined {
    if (quickReads?.isReady() !== true) return undefined;
    // A read must see earlier writes.
    for (const { mode, statements } of waiting.values())
      if (
        mode === "write" &&
        statements.some(({ sql }) => tables.some((name) => sql.includes(name)))
      )
        return undefined;
    return quickReads.read(statement);
  }

  function settle(id: number): Waiting | undefined {
    const found = waiting.get(id);
    waiting.delete(id);
    // Only a running statement or a close keeps the process alive, and an idle database does not.
    if (waiting.size === 0 && closing === undefined) thread?.unref();
    return found;
  }

  function failed(failure: Failure): ToolError {
    const error = databaseError(
      failure,
      failure.database ?? name,
      isRemote && failure.database === undefined,
    );
    options.log.warn("a database statement failed", { database: name, ...failure });
    return error;
  }

  function start(): DatabaseThread {
    return openThread(threadOptions(options), {
      replied: (replies) => {
        for (const reply of replies) {
          const found = settle(reply.id);
          // After a failure the thread opens the file again, which may be another one by now.
          quickReads?.allow(reply.failure === undefined);
          if (reply.failure === undefined) found?.resolve(reply.results);
          else found?.reject(failed(reply.failure));
        }
      },
      ended: (reason) => {
        thread = undefined;
        quickReads?.allow(false);
        outbox.drop();
        for (const [id, { mode }] of waiting) {
          settle(id)?.reject(failed({ code: threadEnded, text: reason, phase: mode }));
        }
      },
    });
  }

  function run(
    mode: WorkerRequest["mode"],
    statements: readonly Statement[],
    { canWait, hasFullLockTimeout = false, isQuick = false, mayLag, events }: RunOptions = {},
  ): Promise<readonly Rows[]> {
    if (closing !== undefined) {
      return Promise.reject(
        new ToolError("unavailable", "The server is shutting down. Nothing was done."),
      );
    }
    const request: WorkerRequest = {
      id: ++lastId,
      mode,
      statements: statements.map(copied),
      askedAt: process.hrtime.bigint(),
      isQuick,
      hasFullLockTimeout,
      events,
    };
    return new Promise((resolve, reject) => {
      waiting.set(request.id, { mode, statements, resolve, reject });
      if (canWait === true) {
        outbox.defer(request);
        return;
      }
      if (mode === "read") reads += 1;
      // A read must see earlier writes.
      if (mode !== "write" && mayLag !== true) outbox.sendDeferred();
      outbox.send([request]);
    });
  }

  function close(): Promise<void> {
    quickReads?.close();
    outbox.flush();
    return thread?.close() ?? Promise.resolve();
  }

  return {
    isFile: !isRemote,
    get reads() {
      return reads;
    },
    read: async (statement, { quick, mayLag = false } = {}) => {
      const now = quick && readNow(statement, quick);
      if (now !== undefined) return now;
      const [rows] = await run("read", [statement], { isQuick: quick !== undefined, mayLag });
      return rows ?? { rows: [], rowsAffected: 0 };
    },
    write: (statements, options) => run("write", statements, options),
    addEvents: async (events) => {
      const [added] = await run("audit", [], { events });
      return toHead(added?.rows[0]);
    },
    close: () => (closing ??= close()),
  };
}

function threadOptions({
  url,
  authToken,
  migrations,
  pageBytes,
  copyOf,
  beside,
  requestTimeoutMs,
}: DatabaseOptions): WorkerOptions {
  return {
    url,
    requestTimeoutMs,
    pageBytes,
    copyOf,
    beside: beside && { path: beside.path, migrations: fileURLToPath(beside.migrations) },
    authToken: authToken instanceof Secret ? authToken.reveal() : authToken,
    migrations: migrations instanceof URL ? fileURLToPath(migrations) : migrations,
  };
}

/**
 * Copies bytes once and transfers the copy. Otherwise a small view of a message would copy the whole buffer behind it.
 */
function copied({ sql, args }: Statement): Statement {
  return { sql, args: args.map((arg) => (arg instanceof Uint8Array ? new Uint8Array(arg) : arg)) };
}

function largeBlobsOf(statements: readonly Statement[]): ArrayBuffer[] {
  return statements.flatMap(({ args }) =>
    args.flatMap((arg) => (arg instanceof Uint8Array ? transferList(arg) : [])),
  );
}
