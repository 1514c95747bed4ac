import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MessageChannel, parentPort } from "node:worker_threads";
import { createAuditWriter } from "../audit/audit-writer.ts";
import { type Connection, isBusy } from "./connection.ts";
import type { Rows, Statement } from "./statement.ts";
import { responseWasLost } from "./errors.ts";
import { openConnection } from "./open-connection.ts";
import type {
  Failure,
  WorkerMessage,
  WorkerOptions,
  WorkerReply,
  WorkerRequest,
} from "./worker-messages.ts";

/** Limit on attempts for a statement that meets a lock. A retry is safe, because the failed attempt changed nothing. */
const maxTries = 2;

/**
 * Longest time from a request to the last attempt to take another process's lock. Writes that queue behind a failed one
 * have waited with it. If each waited anew, a call would take minutes, and clients end a call after ten seconds.
 */
const lockWithinMs = 8_000;

/**
 * A shorter limit after a write got no lock, until a write succeeds. Otherwise each write of a call would wait for
 * long.
 */
const lockedWaitMs = 1_000;

/** Shortest wait for a lock, for a write that is late. An import holds the lock for milliseconds. */
const leastLockWaitMs = 250;

/** Writes per commit: enough for a burst, without delaying the first of them. */
const mostTogether = 64;
const mostBytesTogether = 4 << 20;

/**
 * A buffer that is transferred to a closed port is freed immediately. The garbage collector would free written messages
 * too late, because it counts only this thread's own allocations.
 */
const { port1: nowhere } = new MessageChannel();
nowhere.close();

let collector: (() => void) | undefined;

/**
 * Collects garbage. The driver closes a file only when its statements are collected, and until then `-wal` and `-shm`
 * remain.
 */
function collectGarbage(): void {
  if (collector === undefined) {
    setFlagsFromString("--expose-gc");
    collector = runInNewContext("gc") as () => void;
  }
  collector();
}

let served: ReturnType<typeof serve> | undefined;

parentPort?.on("message", (message: WorkerMessage) => {
  if (message === "close" || message === "end") {
    const closing = served?.close() ?? Promise.resolve();
    served = undefined;
    void closing.then(async () => {
      if (message === "end") return parentPort?.close();
      collectGarbage();
      // The driver frees what was collected when the event loop runs.
      await new Promise(setImmediate);
      return parentPort?.postMessage("closed");
    });
  } else if ("open" in message) served = serve(message.open);
  else served?.receive(message);
});

/** Answers the requests to one database until it is closed. */
function serve(options: WorkerOptions) {
  const isFile = options.url.startsWith("file:");
  let connection: Connection | undefined;
  let opening: Promise<Connection> | undefined;
  let openFailure: { error: unknown; at: bigint } | undefined;
  /** When the running requests stop waiting for a lock, by `performance.now()`. A file runs one group at a time. */
  let lockDeadline = 0;
  /** True after a write could not get the lock, until a write succeeds. */
  let isLocked = false;

  /** The running work and the queue. */
  let queue: Promise<void> = Promise.resolve();
  const waiting: WorkerRequest[] = [];

  function receive(requests: readonly WorkerRequest[]): void {
    for (const request of requests) {
      if (isFile || request.mode !== "read") {
        waiting.push(request);
        queue = queue.then(() => answerNext());
      } else {
        // A server can read while it writes. A file has only one connection.
        void queue.then(() => answer([request]));
      }
    }
  }

  /**
   * Answers the next requests. Consecutive writes share one commit and one disk sync, and quick reads share one message.
   */
  async function answerNext(): Promise<void> {
    const [first] = waiting.splice(0, 1);
    if (first === undefined) return;
    const together = [first];
    let bytes = bytesOf(first);
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      bytes += bytesOf(next);
      if (!mayShare(first, next) || together.length >= mostTogether || bytes > mostBytesTogether)
        break;
      together.push(next);
      waiting.shift();
    }
    await answer(together);
  }

  async function answer(requests: readonly WorkerRequest[]): Promise<void> {
    const replies = await repliesTo(requests);
    parentPort?.postMessage(replies, replies.flatMap(blobsOf));
    nowhere.postMessage(
      undefined,
      requests.flatMap(blobsIn).map(({ buffer }) => buffer as ArrayBuffer),
    );
    // The driver is synchronous and frees its statements' memory only when the event loop runs.
    await new Promise(setImmediate);
  }

  async function repliesTo(requests: readonly WorkerRequest[]): Promise<WorkerReply[]> {
    let phase: Failure["phase"] = "open";
    const mode = requests[0]?.mode ?? "read";
    try {
      const opened = connection ?? (await open(requests));
      phase = mode;
      lockDeadline = deadlineOf(requests);
      const events = requests[0]?.events;
      if (events !== undefined) {
        const results = [await addEvents(events)];
        return requests.map(({ id }) => ({ id, results }));
      }
      const statements = requests.flatMap((request) => request.statements);
      const results = await run(opened, mode, statements);
      return requests.map(({ id, statements: own }) => ({
        id,
        results: results.splice(0, own.length),
      }));
    } catch (error) {
      // If the group made no change, each request runs separately, so that one invalid request does not fail the others.
      const isOpen = responseWasLost(describe(error), !isFile);
      if (requests.length > 1 && phase !== "open" && !isBusy(error) && !isOpen) {
        const replies: WorkerReply[] = [];
        for (const request of requests) replies.push(...(await repliesTo([request])));
        return replies;
      }
      return requests.map(({ id }) => ({ id, failure: { ...describe(error), phase } }));
    }
  }

  const addEvents = createAuditWriter((statements) => {
    if (connection === undefined) throw new Error("the database is not open");
    return run(connection, "write", statements);
  });

  /**
   * Opens the database. Requests that arrive meanwhile share the attempt, because two migrations at the same time would
   * wait for each other's lock. Requests that arrived before the last failed attempt get its error, so they do not wait
   * for the same lock again.
   */
  function open(requests: readonly WorkerRequest[]): Promise<Connection> {
    const failed = openFailure;
    if (failed !== undefined && requests.every(({ askedAt }) => askedAt <= failed.at))
      return Promise.reject(failed.error);
    opening ??= openConnection(options)
      .then(
        (opened) => (connection = opened),
        (error: unknown) => {
          openFailure = { error, at: process.hrtime.bigint() };
          throw error;
        },
      )
      .finally(() => (opening = undefined));
    return opening;
  }

  function deadlineOf(requests: readonly WorkerRequest[]): number {
    const now = process.hrtime.bigint();
    const isShort = isLocked && !requests.some(({ hasFullLockTimeout }) => hasFullLockTimeout);
    const askedMs = Math.min(...requests.map(({ askedAt }) => Number(now - askedAt) / 1e6));
    return (
      performance.now() +
      Math.max(leastLockWaitMs, (isShort ? lockedWaitMs : lockWithinMs) - askedMs)
    );
  }

  async function run(
    opened: Connection,
    mode: WorkerRequest["mode"],
    statements: readonly Statement[],
  ): Promise<Rows[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        if (mode !== "write")
          return await Promise.all(statements.map((statement) => opened.execute(statement)));
        const left = Math.max(0, lockDeadline - performance.now());
        const results = await opened.batch(statements, left);
        isLocked = false;
        return results;
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (tries < maxTries) continue;
        isLocked ||= mode === "write";
        throw error;
      }
    }
  }

  function close(): Promise<void> {
    return queue.then(() => connection?.close());
  }

  return { receive, close };
}

function mayShare(first: WorkerRequest, next: WorkerRequest): boolean {
  return first.mode === "write" ? next.mode === "write" : first.isQuick && next.isQuick;
}

function bytesOf(request: WorkerRequest): number {
  return blobsIn(request).reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function blobsIn({ statements }: WorkerRequest): Uint8Array[] {
  return statements.flatMap(({ args }) => args.filter((value) => value instanceof Uint8Array));
}

function blobsOf(reply: WorkerReply): ArrayBuffer[] {
  if (reply.failure !== undefined) return [];
  const values = reply.results.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row)));
  return values.flatMap((value) =>
    value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  );
}

function describe(error: unknown): Omit<Failure, "phase"> {
  if (!(error instanceof Error)) return { code: "UNKNOWN", text: String(error) };
  return {
    code: "code" in error ? String(error.code) : "UNKNOWN",
    text: error.message,
    ...("database" in error && { database: String(error.database) }),
  };
}
