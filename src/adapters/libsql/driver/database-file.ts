import { openDatabase, type DatabaseOptions } from "./database.ts";

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
