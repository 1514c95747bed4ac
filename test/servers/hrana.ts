import { randomBytes } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import LibsqlDatabase from "libsql";

type Value =
  | { type: "null" }
  | { type: "integer"; value: string }
  | { type: "float"; value: number }
  | { type: "text"; value: string }
  | { type: "blob"; base64: string };

interface Stmt {
  sql?: string;
  sql_id?: number;
  args?: Value[];
}

type Condition =
  | { type: "ok" | "error"; step: number }
  | { type: "not"; cond: Condition }
  | { type: "and" | "or"; conds: Condition[] }
  | { type: "is_autocommit" };

/** A request of a pipeline, as the Hrana 2 and 3 specifications define it. */
export type HranaRequest =
  | { type: "close" | "get_autocommit" }
  | { type: "execute"; stmt: Stmt }
  | { type: "batch"; batch: { steps: { stmt: Stmt; condition?: Condition | null }[] } }
  | { type: "sequence" | "describe"; sql?: string; sql_id?: number }
  | { type: "store_sql"; sql_id: number; sql: string }
  | { type: "close_sql"; sql_id: number };

/** A fault of one pipeline of requests. */
export type Fault =
  | { kind: "status"; status: number }
  /** The connection is cut before anything is done, or after all of it is done. */
  | { kind: "cut"; when: "before" | "after" }
  /** The response does not end. */
  | { kind: "endless" }
  /** The requests are only done when the client has given up. */
  | { kind: "slow" }
  /** The server has forgotten the stream, and rolled back what was open in it. */
  | { kind: "expired" }
  /** Every statement that would write meets another's lock. */
  | { kind: "busy" }
  /** Every request is refused with this code. */
  | { kind: "refused"; code: string };

export interface HranaServer {
  url: string;
  token: string;
  /** Called for each pipeline. Undefined lets it pass. */
  fault: (requests: readonly HranaRequest[]) => Fault | undefined;
  /** Pipelines that came in. */
  readonly pipelines: readonly (readonly HranaRequest[])[];
  close(): Promise<void>;
}

interface Stream {
  /** Another one after a lock was met. */
  handle: LibsqlDatabase.Database;
  reopen: () => LibsqlDatabase.Database;
  texts: Map<number, string>;
  usedAt: number;
}

const sqlError = (message: string, code: string): Error =>
  Object.assign(new Error(message), { code });

/**
 * How long a write waits for another stream's lock, and how long a stream lives without requests. Both are sqld's
 * defaults.
 */
const busyMs = 5_000;
const idleMs = 10_000;

/**
 * Starts a libSQL server as the Hrana specification describes it over HTTP (version 2, JSON): pipelines, streams known
 * by batons, conditions in batches, stored SQL texts. SQLite itself is libSQL's own, one connection for each stream.
 */
export async function startHrana(path: string): Promise<HranaServer> {
  const streams = new Map<string, Stream>();
  const pipelines: (readonly HranaRequest[])[] = [];
  const token = "a-token-of-the-database-server";

  function drop(stream: Stream): void {
    if (stream.handle.inTransaction) stream.handle.exec("ROLLBACK");
    stream.handle.close();
  }

  function open(): Stream {
    const reopen = () => {
      const handle = new LibsqlDatabase(path, { timeout: 0 });
      handle.exec("PRAGMA synchronous = OFF"); // No test needs its writes after a failure of the machine.
      return handle;
    };
    return { handle: reopen(), reopen, texts: new Map(), usedAt: Date.now() };
  }

  const first = new LibsqlDatabase(path);
  first.exec("PRAGMA journal_mode = WAL");
  first.close();
  const idle = setInterval(() => {
    for (const [baton, stream] of streams) {
      if (Date.now() - stream.usedAt < idleMs) continue;
      streams.delete(baton);
      drop(stream);
    }
  }, 1_000).unref();

  const server = createServer((request, response) => {
    void handle(request, response)
      .catch((error: unknown) => response.writeHead(500).end(String(error)))
      .finally(() => turns.emit("turn"));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    if (request.url === "/v2" || request.url === "/health") return void response.end();
    if (request.url !== "/v2/pipeline") return void response.writeHead(404).end();
    if (request.headers.authorization !== `Bearer ${token}`)
      return void response.writeHead(401).end("Unauthorized");
    const { baton = null, requests } = JSON.parse(Buffer.concat(pieces).toString()) as {
      baton?: string | null;
      requests: HranaRequest[];
    };
    pipelines.push(requests);
    const fault = running.fault(requests);
    if (fault?.kind === "status") return void response.writeHead(fault.status).end("fault");
    if (fault?.kind === "cut" && fault.when === "before") return void request.socket.destroy();
    if (fault?.kind === "endless") return await endlessly(response);
    if (fault?.kind === "slow" && !request.socket.destroyed) await once(request.socket, "close");
    const known = baton === null ? undefined : streams.get(baton);
    if (baton !== null) streams.delete(baton);
    if (fault?.kind === "expired" && known !== undefined) drop(known);
    if (baton !== null && (known === undefined || fault?.kind === "expired")) {
      const message = "The stream has expired due to inactivity";
      return void response
        .writeHead(400, { "content-type": "application/json" })
        .end(JSON.stringify({ message, code: "STREAM_EXPIRED" }));
    }
    const stream = known ?? open();
    const results: unknown[] = [];
    let isClosed = false;
    for (const one of requests) {
      try {
        if (fault?.kind === "refused") throw sqlError("refused", fault.code);
        const answer = await answerOf(stream, one, fault?.kind === "busy");
        isClosed ||= one.type === "close";
        results.push({ type: "ok", response: { type: one.type, ...answer } });
      } catch (error) {
        results.push({ type: "error", error: asError(error) });
      }
    }
    if (isClosed) drop(stream);
    if (fault?.kind === "cut") {
      if (!isClosed) drop(stream);
      return void request.socket.destroy();
    }
    stream.usedAt = Date.now();
    const next = isClosed ? null : randomBytes(12).toString("base64url");
    if (next !== null) streams.set(next, stream);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ baton: next, base_url: null, results }));
  }

  const running: HranaServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    fault: () => undefined,
    pipelines,
    close: async () => {
      clearInterval(idle);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const stream of streams.values()) drop(stream);
    },
  };
  return running;
}

/** Sends a response that does not end. */
export async function endlessly(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "application/json" }).write('{"results":[');
  while (!response.destroyed)
    if (!response.write(" ".repeat(1 << 20)))
      await Promise.race([once(response, "drain"), once(response, "close")]);
}

async function answerOf(stream: Stream, request: HranaRequest, isBusy: boolean): Promise<object> {
  const { texts } = stream;
  const textOf = ({ sql, sql_id }: { sql?: string; sql_id?: number }): string => {
    const text = sql ?? (sql_id === undefined ? undefined : texts.get(sql_id));
    if (text === undefined) throw sqlError("SQL text not found", "SQL_NOT_FOUND");
    return text;
  };
  const run = async (stmt: Stmt): Promise<StmtResult> => {
    const sql = textOf(stmt);
    if (isBusy && !/^\s*(?:SELECT|ROLLBACK|PRAGMA)/i.test(sql))
      throw sqlError("SQLite error: database is locked", "SQLITE_BUSY");
    return await patiently(stream, () => execute(stream.handle, sql, stmt.args ?? []));
  };
  switch (request.type) {
    case "execute":
      return { result: await run(request.stmt) };
    case "batch": {
      const results: (StmtResult | null)[] = [];
      const errors: (object | null)[] = [];
      for (const { stmt, condition } of request.batch.steps) {
        results.push(null);
        errors.push(null);
        if (condition && !holds(condition, results, errors, stream.handle)) continue;
        try {
          results[results.length - 1] = await run(stmt);
        } catch (error) {
          errors[errors.length - 1] = asError(error);
        }
      }
      return { result: { step_results: results, step_errors: errors } };
    }
    case "sequence": {
      const sql = textOf(request);
      await patiently(stream, () => stream.handle.exec(sql));
      return {};
    }
    case "store_sql":
      texts.set(request.sql_id, request.sql);
      return {};
    case "close_sql":
      texts.delete(request.sql_id);
      return {};
    case "get_autocommit":
      return { is_autocommit: !stream.handle.inTransaction };
    case "describe":
      throw sqlError("not here", "UNSUPPORTED");
    case "close":
      return {};
  }
}

function holds(
  condition: Condition,
  results: readonly unknown[],
  errors: readonly unknown[],
  handle: LibsqlDatabase.Database,
): boolean {
  const nested = (one: Condition): boolean => holds(one, results, errors, handle);
  switch (condition.type) {
    case "ok":
      return results[condition.step] !== null;
    case "error":
      return errors[condition.step] !== null;
    case "not":
      return !nested(condition.cond);
    case "and":
      return condition.conds.every(nested);
    case "or":
      return condition.conds.some(nested);
    case "is_autocommit":
      return !handle.inTransaction;
  }
}

interface StmtResult {
  cols: { name: string; decltype: string | null }[];
  rows: Value[][];
  affected_row_count: number;
  last_insert_rowid: string | null;
}

function execute(handle: LibsqlDatabase.Database, sql: string, args: Value[]): StmtResult {
  const statement = handle.prepare(sql);
  statement.safeIntegers(true);
  const columns = statement.columns();
  const bound = args.map(fromWire);
  if (columns.length === 0) {
    const { changes } = statement.run(bound);
    return { cols: [], rows: [], affected_row_count: changes, last_insert_rowid: null };
  }
  const rows = statement.raw(true).all(bound) as unknown[][];
  // The driver does not report the number of rows that a statement with RETURNING changed. It is the number of returned
  // rows.
  const isRead = /^\s*(?:SELECT|PRAGMA|WITH)/i.test(sql);
  return {
    cols: columns.map(({ name }) => ({ name, decltype: null })),
    rows: rows.map((row) => row.map(toWire)),
    affected_row_count: isRead ? 0 : rows.length,
    last_insert_rowid: null,
  };
}

/** Tells that a pipeline has ended: a lock may be free. */
const turns = new EventEmitter().setMaxListeners(0);

/** Waits for another stream's lock without blocking this process. */
async function patiently<Result>(stream: Stream, work: () => Result): Promise<Result> {
  const signal = AbortSignal.timeout(busyMs);
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusyError(error)) throw error;
      // A statement that met a lock stays open until it is collected as garbage. A commit is impossible before that.
      if (!stream.handle.inTransaction) {
        stream.handle.close();
        stream.handle = stream.reopen();
      }
      if (signal.aborted) throw error;
      await once(turns, "turn", { signal }).catch(() => undefined);
    }
  }
}

function isBusyError(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}

function fromWire(value: Value): unknown {
  switch (value.type) {
    case "null":
      return null;
    case "integer":
      return BigInt(value.value);
    case "float":
    case "text":
      return value.value;
    case "blob":
      return Buffer.from(value.base64, "base64");
  }
}

function toWire(value: unknown): Value {
  if (value === null || value === undefined) return { type: "null" };
  if (typeof value === "bigint") return { type: "integer", value: String(value) };
  if (typeof value === "number") return { type: "float", value };
  if (typeof value === "string") return { type: "text", value };
  return { type: "blob", base64: Buffer.from(value as Uint8Array).toString("base64") };
}

function asError(error: unknown): { message: string; code: string } {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "UNKNOWN";
  return { message, code: /^[A-Z]+_[A-Z]+/.exec(code)?.[0] ?? code };
}
