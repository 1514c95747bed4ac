import { parentPort, workerData } from "node:worker_threads";
import type { Client, InValue, ResultSet } from "@libsql/client/sqlite3";
import type { Row, Rows, SqlValue, Statement } from "./database.ts";
import { isBusy, openConnection, prepareConnection } from "./open-connection.ts";
import type { Failure, Reply, Request, WorkerOptions } from "./worker-messages.ts";

/**
 * How often a statement that met a lock is tried; each try waits up to the connection's busy time-out of 5 s. It is safe:
 * what met a lock has done nothing.
 */
const maxTries = 2;

// Set by database.ts, the only one to start this thread.
const options = workerData as WorkerOptions;
const isFile = options.url.startsWith("file:");

let client: Client | undefined;
let openFailure: { error: unknown; at: number } | undefined;
/** True after a failure that may have left the connection in a bad state. */
let isSuspect = false;
/** What is under way: statements wait here for their turn. */
let queue: Promise<void> = Promise.resolve();

parentPort?.on("message", (message: Request | "close") => {
  if (message === "close") {
    queue = queue.then(() => {
      client?.close();
      parentPort?.close();
    });
  } else if (isFile || message.mode === "write") {
    queue = queue.then(() => answer(message));
  } else {
    // A server can read while it writes; a file has the one connection.
    void queue.then(() => answer(message));
  }
});

async function answer({ id, mode, statements, askedAt }: Request): Promise<void> {
  let phase: Failure["phase"] = "open";
  let reply: Reply;
  try {
    client ??= await open(askedAt);
    phase = mode;
    reply = { id, results: (await run(client, mode, statements)).map(toRows) };
  } catch (error) {
    reply = { id, failure: { ...describe(error), phase } };
  }
  parentPort?.postMessage(reply, blobsOf(reply));
  // The driver never turns the event loop by itself, and frees its statements' memory only when it turns.
  await new Promise(setImmediate);
}

/** What was asked before the last attempt failed shares its failure: otherwise each would wait anew for the same lock. */
async function open(askedAt: number): Promise<Client> {
  if (openFailure !== undefined && askedAt <= openFailure.at) throw openFailure.error;
  try {
    return await openConnection(options);
  } catch (error) {
    openFailure = { error, at: Date.now() };
    throw error;
  }
}

async function run(
  connected: Client,
  mode: Request["mode"],
  statements: readonly Statement[],
): Promise<ResultSet[]> {
  const prepared = statements.map(({ sql, args }) => ({ sql, args: args.map(toVendor) }));
  for (let tries = 1; ; tries += 1) {
    try {
      if (isSuspect) await reconnect(connected);
      return mode === "write"
        ? await connected.batch(prepared, "write")
        : await Promise.all(prepared.map((statement) => connected.execute(statement)));
    } catch (error) {
      // After one SQLITE_BUSY this driver acknowledges writes that it never stores, until it reconnects.
      if (isFile && describe(error).code !== "SQLITE_CONSTRAINT") isSuspect = true;
      if (!isBusy(error) || tries >= maxTries) throw error;
    }
  }
}

async function reconnect(connected: Client): Promise<void> {
  connected.reconnect();
  await prepareConnection(connected, isFile);
  isSuspect = false;
}

function toVendor(value: SqlValue): InValue {
  if (typeof value === "string") return value.replaceAll("\0", "\u{FFFD}");
  // A plain number would be bound as a floating one: `7 / 2` would be 3.5.
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  return value;
}

function toRows({ columns, rows, rowsAffected }: ResultSet): Rows {
  const plain = rows.map((row): Row => {
    const entries = columns.map((column, at) => [column, fromVendor(row[at])] as const);
    return Object.fromEntries(entries);
  });
  return { rows: plain, rowsAffected: isFile && columns.length > 0 ? rows.length : rowsAffected };
}

function fromVendor(value: ResultSet["rows"][number][number] | undefined): SqlValue {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return typeof value === "bigint" ? Number(value) : (value ?? null);
}

function blobsOf(reply: Reply): ArrayBuffer[] {
  if (reply.failure !== undefined) return [];
  const values = reply.results.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row)));
  return values.flatMap((value) =>
    value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  );
}

function describe(error: unknown): { code: string; text: string } {
  if (!(error instanceof Error)) return { code: "UNKNOWN", text: String(error) };
  return { code: "code" in error ? String(error.code) : "UNKNOWN", text: error.message };
}
