import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Connection, isBusy } from "./connection.ts";
import { migrate } from "./migrate.ts";
import type { WorkerOptions } from "./worker-messages.ts";

/** Milliseconds for opening: enough for many processes that start and migrate at once. */
const openWithin = 15_000;

/** Opens, creates and migrates the database. Any number of processes may do so at once. */
export async function openConnection(options: WorkerOptions): Promise<Connection> {
  const connection = await connect(options);
  const deadline = Date.now() + openWithin;
  for (;;) {
    try {
      await migrate(connection, options.migrations, options.copyOf);
      return connection;
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) {
        connection.close();
        throw error;
      }
      // SQLite refuses immediately if waiting could be a deadlock, as in the switch to WAL.
      await sleep(10 + Math.random() * 40);
    }
  }
}

/** Loads only the required driver. The one for files loads in a fifth of the time of both. */
async function connect(options: WorkerOptions): Promise<Connection> {
  const { url } = options;
  if (url.startsWith("file:")) {
    const path = fileURLToPath(url);
    prepareFile(path);
    return (await import("./file-connection.ts")).createFileConnection(path, options.pageBytes);
  }
  return (await import("./server-connection.ts")).createServerConnection(options);
}

/**
 * Creates the file before the driver does, because the driver would make it readable to others. SQLite gives `-wal` and
 * `-shm` the same mode.
 */
function prepareFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) {
    try {
      closeSync(openSync(path, "wx", 0o600));
    } catch (error) {
      // Another process created it first, with the same mode.
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  } else if ((stat.mode & 0o077) !== 0) {
    for (const suffix of ["", "-wal", "-shm"]) {
      if (statSync(path + suffix, { throwIfNoEntry: false })) chmodSync(path + suffix, 0o600);
    }
  }
}
