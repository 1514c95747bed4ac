import { isBusy } from "../driver/connection.ts";
import { openDatabase, type DatabaseOptions } from "../driver/database.ts";
import { openHandle } from "../driver/libsql-driver.ts";

/**
 * Copies a database file while other processes use it. The copy has all transactions that were complete when it began.
 * @param to absolute path of an empty file, which keeps its mode
 */
export async function copyDatabaseFile(options: DatabaseOptions, to: string): Promise<void> {
  const database = openDatabase(options);
  try {
    await database.read({ sql: "VACUUM INTO ?", args: [to] });
  } finally {
    await database.close();
  }
}

/**
 * Locks a database file for this process alone. Writes nothing, and so needs no space on the disk.
 * @returns the function that ends the lock, or undefined if another process has the file open
 */
export function lockDatabaseFile(path: string): (() => void) | undefined {
  const handle = openHandle(path, 0);
  try {
    // In this mode SQLite keeps what processes share in its own memory.
    handle.exec("PRAGMA locking_mode = EXCLUSIVE");
    handle.exec("BEGIN EXCLUSIVE");
    return () => handle.close();
  } catch (error) {
    handle.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}
