import type { Rows, Statement } from "./statement.ts";

/** A database file that belongs to the same installation. */
export interface FileBeside {
  path: string;
  /** Full path of a folder in drizzle-kit's format. */
  migrations: string;
}

/** The start options of a database's thread. */
export interface WorkerOptions {
  /** `file:` with an absolute path, or a libSQL server's `libsql:`, `https:` or `wss:`. */
  url: string;
  authToken: string | undefined;
  /** The time limit for a response of a server. Milliseconds. */
  requestTimeoutMs?: number | undefined;
  /** Full path of a folder in drizzle-kit's format. */
  migrations: string;
  /** See `DatabaseOptions`. */
  pageBytes?: number | undefined;
  /** See `DatabaseOptions`. */
  copyOf?: string | undefined;
  /** See `DatabaseOptions`. */
  beside?: FileBeside | undefined;
}

/** Events that are added together, in this order. */
export interface EventGroup {
  key: Uint8Array;
  keyId: string;
  /**
   * One line per event: its time in milliseconds since 1970, and its text from `auditJson`. Copying one text to the
   * thread is cheaper than copying objects.
   */
  events: string;
}

/**
 * Requests are sent in lists. `read` has exactly one statement. `write` is one transaction. `audit` adds events to the
 * chain and answers with its head.
 */
export interface WorkerRequest {
  id: number;
  mode: "read" | "write" | "audit";
  statements: readonly Statement[];
  /** True for a read of a few rows by an index. */
  isQuick: boolean;
  events?: EventGroup | undefined;
  /** True for a write that waits eight seconds for a lock, even if the last write did not get it. */
  hasFullLockTimeout: boolean;
  /** Nanoseconds of the machine's monotonic clock, which all threads share. */
  askedAt: bigint;
}

/**
 * A message to the thread. It opens one database at a time. `close` is answered with `closed`, and another database may
 * follow. `end` closes the database and ends the thread.
 */
export type WorkerMessage = { open: WorkerOptions } | readonly WorkerRequest[] | "close" | "end";

/** A vendor's error in a form that can be sent between threads. */
export interface Failure {
  /** The code from SQLite, libSQL or Node. Our own are in errors.ts. */
  code: string;
  /** The vendor's own text, for the log only. */
  text: string;
  /** `open`: the statement was not attempted. */
  phase: "open" | WorkerRequest["mode"];
  /** The name of the database, if it is not the one that the thread opens. */
  database?: string;
}

export type WorkerReply = { id: number } & (
  | { results: readonly Rows[]; failure?: undefined }
  | { failure: Failure }
);
