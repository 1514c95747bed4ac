import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Client } from "@libsql/client/sqlite3";
import { migrate } from "./migrate.ts";
import type { WorkerOptions } from "./worker-messages.ts";

/** Milliseconds that one statement waits for another process's lock. */
const busyTimeout = 5_000;
/** Milliseconds for opening: long enough for many processes that start, and migrate, at one instant. */
const openWithin = 15_000;

/** Opens, makes and migrates the database: any number of processes may do so at one instant. */
export async function openConnection(options: WorkerOptions): Promise<Client> {
  const { url, authToken } = options;
  const isFile = url.startsWith("file:");
  if (isFile) prepareFile(fileURLToPath(url));
  const client = await connect(url, authToken);
  const deadline = Date.now() + openWithin;
  for (;;) {
    try {
      if (isFile) await switchToWal(client);
      await prepareConnection(client, isFile);
      await migrate(client, options.migrations);
      return client;
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) {
        client.close();
        throw error;
      }
      // Where waiting could be a deadlock (the switch to WAL, above all) SQLite does not wait but refuses at once.
      await sleep(10 + Math.random() * 40);
      client.reconnect();
    }
  }
}

/** What every new connection needs; the driver makes one after each `reconnect`. */
export async function prepareConnection(client: Client, isFile: boolean): Promise<void> {
  if (!isFile) return;
  // FULL: what was acknowledged survives a power failure, not only a crash.
  await client.execute("PRAGMA synchronous = FULL");
  await client.execute("PRAGMA foreign_keys = ON");
  // What is deleted is overwritten, also where the index of words merges its parts: a deleted mail is gone from the file.
  await client.execute("PRAGMA secure_delete = ON");
}

export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "SQLITE_BUSY" || error.code === "SQLITE_LOCKED";
}

/** Only the driver that is needed is loaded: the one for files takes a fifth of the time of all of them. */
async function connect(url: string, authToken: string | undefined): Promise<Client> {
  if (url.startsWith("file:")) {
    const { createClient } = await import("@libsql/client/sqlite3");
    // One connection: a PRAGMA reaches one only, and writes would lock each other out.
    return createClient({ url, concurrency: 1, timeout: busyTimeout });
  }
  const { createClient } = await import("@libsql/client");
  return createClient({ url, ...(authToken !== undefined && { authToken }) });
}

/** The driver makes a readable file, so we make it first. SQLite gives `-wal` and `-shm` the mode of the file itself. */
function prepareFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) {
    try {
      closeSync(openSync(path, "wx", 0o600));
    } catch (error) {
      // Another process was faster, with the same mode.
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  } else if ((stat.mode & 0o077) !== 0) {
    for (const suffix of ["", "-wal", "-shm"]) {
      if (statSync(path + suffix, { throwIfNoEntry: false })) chmodSync(path + suffix, 0o600);
    }
  }
}

async function switchToWal(client: Client): Promise<void> {
  const { rows } = await client.execute("PRAGMA journal_mode");
  // The mode is kept in the file; setting it again would take a lock for nothing.
  if (rows[0]?.["journal_mode"] !== "wal") await client.execute("PRAGMA journal_mode = WAL");
}
