import type { Database } from "./database.ts";

/**
 * A row among the migrations while a copy fills the database. Every other program takes it for an unknown migration and
 * refuses the database, older versions too.
 */
const prefix = "unfinished copy of ";

export const copyMark = (source: string): string => prefix + source;

export const isCopyMark = (hash: string): boolean => hash.startsWith(prefix);

export async function isMarked(database: Database, source: string): Promise<boolean> {
  const { rows } = await database.read({
    sql: "SELECT 1 FROM migrations WHERE hash = ?",
    args: [copyMark(source)],
  });
  return rows.length > 0;
}

export async function mark(database: Database, source: string): Promise<void> {
  await database.write([
    {
      sql: "INSERT INTO migrations (hash, applied_at) VALUES (?, unixepoch() * 1000)",
      args: [copyMark(source)],
    },
  ]);
}

export async function unmark(database: Database, source: string): Promise<void> {
  await database.write([
    { sql: "DELETE FROM migrations WHERE hash = ?", args: [copyMark(source)] },
  ]);
}
