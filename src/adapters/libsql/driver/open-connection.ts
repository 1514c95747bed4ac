import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Connection, isBusy } from "./connection.ts";
import { migrate } from "./migrate.ts";
import type { WorkerOptions } from "./worker-messages.ts";

/** Milliseconds for opening: long enough for many processes that start, and migrate, at one instant. */
const openWithin = 15_000;

/** Opens, makes and migrates the database: any number of processes may do so at one instant. */
export async function openConnection(options: WorkerOptions): Promise<Connection> {
  const connection = await connect(options);
  const deadline = Date.now() + openWithin;
  for (;;) {
    try {
      await migrate(connection, options.migrations);
      return connection;
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) {
        connection.close();
        throw error;
      }
      // Where waiting could be a deadlock (the switch to WAL, above all) SQLite does not wait but refuses at once.
      await sleep(10 + Math.random() * 40);
    }
  }
}

/** Only the driver that is needed is loaded: the one for files takes a fifth of the time of all of them. */
async function connect({ url, authToken }: WorkerOptions): Promise<Connection> {
  if (url.startsWith("file:")) {
    const path = fileURLToPath(url);
    prepareFile(path);
    return (await import("./file-connection.ts")).createFileConnection(path);
  }
  return (await import("./server-connection.ts")).createServerConnection(url, authToken);
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
