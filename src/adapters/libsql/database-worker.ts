import { parentPort, workerData } from "node:worker_threads";
import type { Client, InValue, ResultSet } from "@libsql/client/sqlite3";
import { createAuditWriter } from "./audit-writer.ts";
import type { Row, Rows, SqlValue, Statement } from "./database.ts";
import { isBusy, openConnection, prepareConnection } from "./open-connection.ts";
import type { Failure, Reply, Request, WorkerOptions } from "./worker-messages.ts";

/**
 * How often a statement that met a lock is tried; each try waits up to the connection's busy time-out of 5 s. It is safe:
 * what met a lock has done nothing.
 */
const maxTries = 2;

/** Writes that are committed as one: what a busy moment brings; more would make the first of them wait. */
const mostTogether = 64;
const mostBytesTogether = 4 << 20;

// Set by database.ts, the only one to start this thread.
const options = workerData as WorkerOptions;
const isFile = options.url.startsWith("file:");

let client: Client | undefined;
let openFailure: { error: unknown; at: number } | undefined;
/** True after a failure that may have left the connection in a bad state. */
let isSuspect = false;
/** How long what `canWait` waits for company, and how many of them are enough. */
const patienceMs = 20;
const enoughTogether = 16;

/** What is under way; what waits for its turn. */
let queue: Promise<void> = Promise.resolve();
const waiting: Request[] = [];
let stopWaiting: (() => void) | undefined;

parentPort?.on("message", (message: Request | "close") => {
  if (message === "close") {
    stopWaiting?.();
    queue = queue.then(() => {
      client?.close();
      parentPort?.close();
    });
  } else if (isFile || message.mode !== "read") {
    waiting.push(message);
    if (!isPatient()) stopWaiting?.();
    queue = queue.then(() => answerNext());
  } else {
    // A server can read while it writes; a file has the one connection.
    void queue.then(() => answer([message]));
  }
});

/** Answers the next request; writes that wait one behind the other are committed as one, with one wait for the disk. */
async function answerNext(): Promise<void> {
  if (isPatient()) await company();
  const together = waiting.splice(0, 1);
  let bytes = bytesOf(together[0]);
  for (let next = waiting[0]; together[0]?.mode === "write"; next = waiting[0]) {
    bytes += bytesOf(next);
    if (next?.mode !== "write" || together.length >= mostTogether || bytes > mostBytesTogether)
      break;
    together.push(next);
    waiting.shift();
  }
  if (together.length > 0) await answer(together);
}

function isPatient(): boolean {
  return (
    isFile &&
    waiting.length > 0 &&
    waiting.length < enoughTogether &&
    waiting.every(({ canWait }) => canWait)
  );
}

/** Resolves when somebody comes who cannot wait, or when enough are there, or when the time is over. */
async function company(): Promise<void> {
  await new Promise<void>((resolve) => {
    const limit = setTimeout(resolve, patienceMs);
    stopWaiting = () => {
      clearTimeout(limit);
      resolve();
    };
  });
  stopWaiting = undefined;
}

function bytesOf(request: Request | undefined): number {
  const values = request?.statements.flatMap(({ args }) => args) ?? [];
  return values.reduce<number>(
    (sum, value) => sum + (value instanceof Uint8Array ? value.byteLength : 0),
    0,
  );
}

async function answer(requests: readonly Request[]): Promise<void> {
  for (const reply of await repliesTo(requests)) parentPort?.postMessage(reply, blobsOf(reply));
  // The driver never turns the event loop by itself, and frees its statements' memory only when it turns.
  await new Promise(setImmediate);
}

async function repliesTo(requests: readonly Request[]): Promise<Reply[]> {
  let phase: Failure["phase"] = "open";
  const mode = requests[0]?.mode ?? "read";
  try {
    client ??= await open(Math.min(...requests.map(({ askedAt }) => askedAt)));
    phase = mode;
    const events = requests[0]?.events;
    if (events !== undefined) {
      const results = [await addEvents(events)];
      return requests.map(({ id }) => ({ id, results }));
    }
    const statements = requests.flatMap((request) => request.statements);
    const results = (await run(client, mode, statements)).map(toRows);
    return requests.map(({ id, statements: own }) => ({
      id,
      results: results.splice(0, own.length),
    }));
  } catch (error) {
    // Nothing was changed. Each by itself: one that is refused must not take the others with it.
    if (requests.length > 1 && phase !== "open" && !isBusy(error)) {
      const replies: Reply[] = [];
      for (const request of requests) replies.push(...(await repliesTo([request])));
      return replies;
    }
    return requests.map(({ id }) => ({ id, failure: { ...describe(error), phase } }));
  }
}

const addEvents = createAuditWriter(async (statements) => {
  if (client === undefined) throw new Error("the database is not open");
  return (await run(client, "write", statements)).map(toRows);
});

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
