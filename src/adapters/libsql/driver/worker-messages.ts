import type { EventGroup } from "../audit/audit-writer.ts";
import type { Rows, Statement } from "./database.ts";

/** What a database's thread is started with. */
export interface WorkerOptions {
  /** `file:` with a full path, or a libSQL server's `libsql:`, `https:` or `wss:`. */
  url: string;
  authToken: string | undefined;
  /** Full path of a folder as drizzle-kit writes it. */
  migrations: string;
}

/** They travel in lists. `read` holds exactly one statement; `write` is one transaction; `audit` adds events to the chain and answers with its head. */
export interface WorkerRequest {
  id: number;
  mode: "read" | "write" | "audit";
  statements: readonly Statement[];
  events?: EventGroup | undefined;
  /** Nanoseconds of the machine's own clock, which is one for all threads and never set back. */
  askedAt: bigint;
}

/** A vendor's error in a form that survives the way between threads. */
export interface Failure {
  /** SQLite's, libSQL's or Node's name for it; ours are in errors.ts. */
  code: string;
  /** The vendor's own words: for the log only. */
  text: string;
  /** `open`: the statement was not even tried. */
  phase: "open" | WorkerRequest["mode"];
}

export type WorkerReply = { id: number } & (
  | { results: readonly Rows[]; failure?: undefined }
  | { failure: Failure }
);
