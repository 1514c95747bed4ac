import { type Client, type InValue, type ResultSet, createClient } from "@libsql/client";
import type { WorkerOptions } from "./worker-messages.ts";
import { type Connection, toVendor } from "./connection.ts";
import { endlessResponse } from "./errors.ts";
import type { Row, Rows, SqlValue, Statement } from "./statement.ts";

/** A request without a response fails after this time. The driver itself sets no limit. Milliseconds. */
const defaultTimeoutMs = 20_000;

/**
 * The largest value is a message of 25 MiB in base64. The driver reads a response as a whole and has no limit. Bytes.
 */
const maxResponseBytes = 128 << 20;

/** Connects to a libSQL server, which reads while it writes and needs no recovery after a failure. */
export function createServerConnection({
  url,
  authToken,
  requestTimeoutMs = defaultTimeoutMs,
}: Pick<WorkerOptions, "url" | "authToken" | "requestTimeoutMs">): Connection {
  const client: Client = createClient({
    url,
    ...(authToken !== undefined && { authToken }),
    // HTTP requests need a timeout. A WebSocket detects a broken connection.
    fetch: async (request: Request) =>
      bounded(await fetch(request, { signal: AbortSignal.timeout(requestTimeoutMs) })),
  });
  return {
    execute: async (statement) => toRows(await client.execute(prepared(statement))),
    batch: async (statements) =>
      (await client.batch(statements.map(prepared), "write")).map(toRows),
    transaction: async (work) => {
      const transaction = await client.transaction("write");
      try {
        await work({
          execute: async (statement) => toRows(await transaction.execute(prepared(statement))),
          script: (sql) => transaction.executeMultiple(sql),
        });
        await transaction.commit();
      } finally {
        transaction.close();
      }
    },
    close: () => client.close(),
  };
}

function bounded({ status, statusText, headers, body }: Response): Response {
  let bytes = 0;
  const limited = body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (piece, controller) => {
        bytes += piece.byteLength;
        if (bytes <= maxResponseBytes) return controller.enqueue(piece);
        const error = new Error(`a response of more than ${maxResponseBytes} bytes`);
        controller.error(Object.assign(error, { code: endlessResponse }));
      },
    }),
  );
  return new Response(limited ?? null, { status, statusText, headers });
}

function prepared({ sql, args }: Statement): { sql: string; args: InValue[] } {
  return { sql, args: args.map(toVendor) };
}

function toRows({ columns, rows, rowsAffected }: ResultSet): Rows {
  const plain = rows.map((row): Row => {
    const entries = columns.map((column, at) => [column, fromVendor(row[at])] as const);
    return Object.fromEntries(entries);
  });
  return { rows: plain, rowsAffected };
}

function fromVendor(value: ResultSet["rows"][number][number] | undefined): SqlValue {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return typeof value === "bigint" ? Number(value) : (value ?? null);
}
