import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type InArgs, type Row, createClient } from "@libsql/client/sqlite3";
import { inject } from "vitest";
import { z } from "zod";
import { removeDirectory } from "../fakes/remove-directory.ts";
import { suiteFinished } from "../fakes/suite-finished.ts";
import { killChild } from "../servers/child.ts";
import { writeSettings } from "../servers/env-file.ts";
import {
  type IngestHere,
  type IngestProcess,
  startIngest,
  startIngestHere,
} from "../servers/ingest.ts";

/** The secret of the approver `operator` in every test's settings. */
export const operatorSecret = "opensesame-operator-secret";

/** How long a call waits for a person in tests that do not say otherwise. Milliseconds. */
const shortWaitMs = "300";

/** A data directory of one test's own, with the settings of a server that uses it. */
export interface Home {
  dir: string;
  /** The environment of its processes: what every test needs. A test's own settings are in `.env`. */
  env: Record<string, string>;
  /** Runs after the test, the latest function first. */
  later(cleanUp: () => unknown): void;
  /** Printed if the test fails. */
  note(text: string): void;
  /** One statement on the database that tickets and audit are in. */
  sql(statement: string, args?: InArgs): Promise<Row[]>;
  /** One statement on the embedded object store. */
  objectSql(statement: string, args?: InArgs): Promise<Row[]>;
}

/**
 * Creates a home.
 * @param own settings for `.env` of the data directory, and other variables of the environment
 */
export function newHome(
  t: {
    onTestFinished(cleanUp: () => unknown): void;
    onTestFailed?(report: () => unknown): void;
  },
  own: Record<string, string> = {},
): Home {
  const dir = mkdtempSync(join(tmpdir(), "countersign-"));
  t.onTestFinished(() => removeDirectory(dir));
  const notes: string[] = [];
  t.onTestFailed?.(() => void (notes.length > 0 && console.error(notes.join("\n"))));
  return {
    dir,
    env: writeSettings(dir, own, {
      COUNTERSIGN_DATA_DIR: dir,
      APPROVAL_WAIT_MS: shortWaitMs,
      APPROVERS: `operator:${operatorSecret}`,
      // Tests make more calls than assistants. Tests of budgets set their own limits.
      TOOL_CALLS_PER_MINUTE: "10000",
      TOOL_CALLS_PER_TURN: "1000",
      HIGH_RISK_CALLS_PER_TURN: "100",
    }),
    note: (text) => void notes.push(text),
    later: (cleanUp) => t.onTestFinished(async () => void (await cleanUp())),
    sql: (statement, args) => query(join(dir, "countersign.db"), statement, args),
    objectSql: (statement, args) => query(join(dir, "objects.db"), statement, args),
  };
}

/** Creates a home for a whole suite, whose tests leave no trace in it. */
export function newSuiteHome(env: Record<string, string> = {}): Home {
  return newHome({ onTestFinished: suiteFinished() }, env);
}

/** Copies the directory of a home, for homes of later tests that begin the same. The copy is removed at the end of the run. */
export function templateOf(home: Home): string {
  const copy = mkdtempSync(join(inject("templates"), "home-"));
  cpSync(home.dir, copy, { recursive: true });
  return copy;
}

/** Starts `countersign ingest` on the home, and kills it after the test. */
export function ingestAt(home: Home, env: NodeJS.ProcessEnv = {}): Promise<IngestProcess> {
  return startIngest(home.dir, env, (child) => home.later(() => killChild(child)));
}

/** Does the same in this process, which takes a fraction of the time. Tests use it if the process is not their subject. */
export async function ingestHere(home: Home, env: NodeJS.ProcessEnv = {}): Promise<IngestHere> {
  const ingest = await startIngestHere(home.dir, env);
  home.later(() => ingest.stop());
  return ingest;
}

async function query(path: string, sql: string, args: InArgs = []): Promise<Row[]> {
  const client = createClient({ url: `file:${path}`, concurrency: 1, timeout: 5_000 });
  try {
    return (await client.execute({ sql, args })).rows;
  } finally {
    client.close();
  }
}

/** Returns the id of the request that was opened last, by this caller if one is named. */
export async function newestTicket(home: Home, principal = "%"): Promise<string> {
  const [row] = await home.sql(
    "SELECT ticket_id FROM tickets WHERE principal LIKE ? ORDER BY seq DESC LIMIT 1",
    [principal],
  );
  return z.string().parse(row?.["ticket_id"]);
}

/** Returns the stored status of a request. */
export async function storedStatus(home: Home, ticketId: string): Promise<unknown> {
  const [row] = await home.sql("SELECT status FROM tickets WHERE ticket_id = ?", [ticketId]);
  return row?.["status"];
}

/**
 * Returns what the store contains of a file, without the server: whether it exists, and the number of its undo copies.
 */
export async function storedFile(
  home: Home,
  key: string,
): Promise<{ there: boolean; undoCopies: number }> {
  const rows = await home.objectSql(
    "SELECT key FROM objects WHERE key LIKE 'files/%' OR key LIKE 'undo/%'",
  );
  const keys = rows.map((row) => z.string().parse(row["key"]));
  return {
    there: keys.includes(`files/${key}`),
    undoCopies: keys.filter((kept) => kept.startsWith("undo/") && kept.endsWith(`/${key}`)).length,
  };
}

/** Returns how often the audit record announced a run of a tool, for this caller if one is named. */
export async function runsOf(home: Home, tool: string, principal = "%"): Promise<number> {
  const rows = await home.sql(
    "SELECT seq FROM audit WHERE type = 'started' AND tool = ? AND principal LIKE ?",
    [tool, principal],
  );
  return rows.length;
}
