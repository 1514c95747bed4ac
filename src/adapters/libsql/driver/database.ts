import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { transferList } from "../../../core/shared/transfer-list.ts";
import type { Log } from "../../../core/shared/log.ts";
import { Secret } from "../../../core/shared/secret.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import type { ChainPlace } from "../../../core/audit/audit-chain.ts";
import { type EventGroup, toHead } from "../audit/audit-writer.ts";
import { databaseError, threadEnded } from "./errors.ts";
import type { Failure, WorkerReply, WorkerRequest, WorkerOptions } from "./worker-messages.ts";

/** Integers up to 2^53. In a text, NUL becomes U+FFFD: the driver would cut the text there. */
export type SqlValue = null | string | number | Uint8Array;

/** `?` in the SQL takes the arguments in order. */
export interface Statement {
  sql: string;
  args: readonly SqlValue[];
}

export type Row = Readonly<Record<string, SqlValue>>;

export interface Rows {
  rows: readonly Row[];
  /** For a statement with RETURNING: how many rows it returned. */
  rowsAffected: number;
}

/**
 * One libSQL database. A thread of its own holds the one connection, so that waiting for a lock never stops timers and
 * sockets. Errors are those of errors.ts, most of all `unavailable`: each says whether anything was changed.
 */
export interface Database {
  read(statement: Statement): Promise<Rows>;
  /**
   * All of them or none, and nothing else of this process gets in between; durable when it resolves. What waits is committed
   * together, so that the disk is waited for once. What `canWait` waits some milliseconds for company of its kind: other
   * writes overtake it, reads do not.
   */
  write(
    statements: readonly Statement[],
    options?: { canWait?: boolean },
  ): Promise<readonly Rows[]>;
  /** Adds the events to the audit log; resolves with the place of the last when they are durable. See audit-writer.ts. */
  addEvents(group: EventGroup): Promise<ChainPlace>;
  /** Resolves when everything that was asked before is done. Later statements are refused. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `file:` with a full path (`pathToFileURL` makes it), or a libSQL server's address. */
  url: string;
  authToken?: Secret | string;
  /** A folder as drizzle-kit writes it. */
  migrations: URL | string;
  log: Log;
}

/** The migrations of the database that everything but the embedded objects shares. */
export const mainMigrations = new URL("../../../../drizzle/main/", import.meta.url);

/** The database's clock in SQL: milliseconds since 1970, one value within a statement. */
export const databaseClock = "cast(round(unixepoch('subsec') * 1000) as integer)";

/**
 * What was deleted is overwritten in the file, but the log still holds its pages as they were. Readers of this moment may keep
 * some; the next checkpoint takes them.
 */
export async function emptyLog(database: Database): Promise<void> {
  await database.read({ sql: "PRAGMA wal_checkpoint(TRUNCATE)", args: [] }).catch(() => undefined);
}

/** How long what `canWait` waits for company, in milliseconds, and how many of them are enough. */
const patienceMs = 20;
const enoughTogether = 64;

interface Waiting {
  mode: WorkerRequest["mode"];
  resolve: (results: readonly Rows[]) => void;
  reject: (error: ToolError) => void;
}

/**
 * Returns at once and touches nothing: the first statement opens the database, makes its file where there is none (mode 600)
 * and migrates it. Where that fails each statement says so, and the next one tries again.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const isRemote = !options.url.startsWith("file:");
  const name = isRemote ? new URL(options.url).host : basename(fileURLToPath(options.url));
  const waiting = new Map<number, Waiting>();
  /** What waits for company. */
  let patient: WorkerRequest[] = [];
  let patience: ReturnType<typeof setTimeout> | undefined;
  let worker: Worker | undefined;
  let closing: Promise<void> | undefined;
  let lastId = 0;

  function settle(id: number): Waiting | undefined {
    const found = waiting.get(id);
    waiting.delete(id);
    // An idle database keeps no process alive; a statement under way does.
    if (waiting.size === 0) worker?.unref();
    return found;
  }

  function failed(failure: Failure): ToolError {
    const error = databaseError(failure, name, isRemote);
    options.log.warn("a database statement failed", { database: name, ...failure });
    return error;
  }

  function start(): Worker {
    const started = startThread(threadOptions(options));
    started.on("message", (replies: readonly WorkerReply[]) => {
      for (const reply of replies) {
        const found = settle(reply.id);
        if (reply.failure === undefined) found?.resolve(reply.results);
        else found?.reject(failed(reply.failure));
      }
    });
    let reason = "it ended";
    started.on("error", (error) => (reason = String(error)));
    started.on("exit", () => {
      if (worker === started) worker = undefined;
      for (const [id, { mode }] of waiting) {
        settle(id)?.reject(failed({ code: threadEnded, text: reason, phase: mode }));
      }
    });
    started.unref();
    return started;
  }

  function run(
    mode: WorkerRequest["mode"],
    statements: readonly Statement[],
    { canWait = false, events }: { canWait?: boolean; events?: EventGroup } = {},
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
      events,
    };
    return new Promise((resolve, reject) => {
      waiting.set(request.id, { mode, resolve, reject });
      if (canWait) {
        patient.push(request);
        patience ??= setTimeout(sendPatient, patienceMs);
        if (patient.length >= enoughTogether) sendPatient();
        return;
      }
      // Whoever reads expects to find what was written before.
      if (mode !== "write") sendPatient();
      send([request]);
    });
  }

  function sendPatient(): void {
    clearTimeout(patience);
    patience = undefined;
    const requests = patient;
    patient = [];
    if (requests.length > 0) send(requests);
  }

  function send(requests: readonly WorkerRequest[]): void {
    worker ??= start();
    worker.ref();
    worker.postMessage(
      requests,
      requests.flatMap(({ statements }) => largeBlobsOf(statements)),
    );
  }

  function close(): Promise<void> {
    sendPatient();
    const running = worker;
    if (running === undefined) return Promise.resolve();
    running.ref();
    return new Promise((resolve) => {
      running.once("exit", () => resolve());
      running.postMessage("close");
    });
  }

  return {
    read: async (statement) => {
      const [rows] = await run("read", [statement]);
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

function threadOptions({ url, authToken, migrations }: DatabaseOptions): WorkerOptions {
  return {
    url,
    authToken: authToken instanceof Secret ? authToken.reveal() : authToken,
    migrations: migrations instanceof URL ? fileURLToPath(migrations) : migrations,
  };
}

function startThread(workerData: WorkerOptions): Worker {
  if (import.meta.url.endsWith(".js")) {
    const entry = new URL("./database-worker.js", import.meta.url);
    // Not what the process was started with: loaders and debuggers are of no use to this thread.
    return new Worker(entry, { workerData, execArgv: [] });
  }
  // From source (tests, tsx): Node 20 cannot read TypeScript, and a thread does not inherit who reads it for this one.
  const entry = new URL("./database-worker.ts", import.meta.url).href;
  const loader = import.meta.resolve("tsx/esm/api");
  const code = `import(${JSON.stringify(loader)}).then(({ register }) => (register(), import(${JSON.stringify(entry)})))`;
  return new Worker(code, { eval: true, workerData });
}

/** Bytes are copied once and then handed over: a message would copy the whole buffer behind each small view. */
function copied({ sql, args }: Statement): Statement {
  return { sql, args: args.map((arg) => (arg instanceof Uint8Array ? new Uint8Array(arg) : arg)) };
}

function largeBlobsOf(statements: readonly Statement[]): ArrayBuffer[] {
  return statements.flatMap(({ args }) =>
    args.flatMap((arg) => (arg instanceof Uint8Array ? transferList(arg) : [])),
  );
}
