import type { Database } from "../driver/database.ts";

/**
 * Prefix of a row among the migrations, which marks a database that a copy is filling. Every program, also of an older
 * version, takes it for an unknown migration and refuses the database.
 */
const prefix = "unfinished copy of ";

/** Returns the mark of a copy. */
export const copyMark = (source: string): string => prefix + source;

/** Returns the mark of a database that was created for a copy, until the copy has examined the target. */
export const newCopyMark = (source: string): string => `${copyMark(source)} into a new database`;

/** Returns whether a row among the migrations is a mark. */
export const isCopyMark = (hash: string): boolean => hash.startsWith(prefix);

/** Returns whether a database has an unfinished copy of this source. */
export async function hasCopyMark(database: Database, source: string): Promise<boolean> {
  const { rows } = await database.read({
    sql: "SELECT 1 FROM migrations WHERE hash = ?",
    args: [copyMark(source)],
  });
  return rows.length > 0;
}

export async function addCopyMark(database: Database, source: string): Promise<void> {
  await database.write([
    {
      sql: "INSERT INTO migrations (hash, applied_at) VALUES (?, unixepoch() * 1000)",
      args: [copyMark(source)],
    },
    { sql: "DELETE FROM migrations WHERE hash = ?", args: [newCopyMark(source)] },
  ]);
}

export async function removeCopyMark(database: Database, source: string): Promise<void> {
  await database.write([
    {
      sql: "DELETE FROM migrations WHERE hash IN (?, ?)",
      args: [copyMark(source), newCopyMark(source)],
    },
  ]);
}
