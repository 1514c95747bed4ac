import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Connection, isBusy } from "./connection.ts";
import { foreignDatabase, newerDatabase, unfinishedCopy } from "./errors.ts";
import { migrate, refuseUnknownMigrations } from "./migrate.ts";
import type { Rows, Statement } from "./statement.ts";
import type { FileBeside, WorkerOptions } from "./worker-messages.ts";

/** Milliseconds for opening: enough for many processes that start and migrate at once. */
const openWithin = 15_000;
/** Milliseconds that a look at a file waits for another process's lock. */
const busyTimeout = 5_000;

/** Opens, creates and migrates the database. Any number of processes may do so at once. */
export async function openConnection(options: WorkerOptions): Promise<Connection> {
  const { url, migrations: folder, copyOf } = options;
  const file = url.startsWith("file:") ? fileURLToPath(url) : undefined;
  const connection = await connect(options, file);
  const deadline = Date.now() + openWithin;
  for (;;) {
    try {
      if (options.beside !== undefined) await refuseUnknown(options.beside);
      await migrate(connection, { isFile: file !== undefined, folder, copyOf });
      // A file of another program keeps its mode.
      if (file !== undefined) makePrivate(file);
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
async function connect(options: WorkerOptions, file: string | undefined): Promise<Connection> {
  if (file !== undefined) {
    createFile(file);
    return (await import("./file-connection.ts")).createFileConnection(file, options.pageBytes);
  }
  return (await import("./server-connection.ts")).createServerConnection(options);
}

/**
 * Creates the file before the driver does, because the driver would make it readable to others. SQLite gives `-wal` and
 * `-shm` the same mode.
 */
function createFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    // Another process created it first, with the same mode.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

/** Takes access to a file of this program from other users. */
function makePrivate(path: string): void {
  if (((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) === 0) return;
  for (const suffix of ["", "-wal", "-shm"]) {
    if (statSync(path + suffix, { throwIfNoEntry: false })) chmodSync(path + suffix, 0o600);
  }
}

/**
 * Refuses a file of a newer version or of another program, before the database beside it is used. Otherwise a command
 * would store half of its work.
 * @throws an error with a code of errors.ts and the name of the file. Other faults are reported when the file is used
 */
async function refuseUnknown({ path, migrations: folder }: FileBeside): Promise<void> {
  // A missing or empty file is created when it is used.
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  const [{ prepare }, { openHandle }] = await Promise.all([
    import("./file-connection.ts"),
    import("./libsql-driver.ts"),
  ]);
  const handle = openHandle(path, busyTimeout);
  try {
    const execute = async ({ sql }: Statement): Promise<Rows> => prepare(handle, sql).run([]);
    await refuseUnknownMigrations({ execute }, folder);
  } catch (error) {
    if (hasOwnCode(error)) throw Object.assign(error, { database: basename(path) });
  } finally {
    handle.close();
  }
}

function hasOwnCode(error: unknown): error is Error {
  const codes: unknown[] = [newerDatabase, foreignDatabase, unfinishedCopy];
  return error instanceof Error && "code" in error && codes.includes(error.code);
}
