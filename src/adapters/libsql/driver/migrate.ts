import { readMigrationFiles } from "drizzle-orm/migrator";
import type { Connection, Within } from "./connection.ts";
import { newerDatabase } from "./errors.ts";

const createTable =
  "CREATE TABLE IF NOT EXISTS migrations (hash TEXT PRIMARY KEY NOT NULL, applied_at INTEGER NOT NULL)";

/**
 * Applies what is missing: all of it or nothing, under the write lock, so that of many processes one does it and the others
 * find it done. A database with a migration that we do not know is left alone.
 * @param folder full path, as drizzle-kit writes it
 */
export async function migrate(connection: Connection, folder: string): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  // The usual start finds everything in place and takes no lock.
  if (missing(migrations, await appliedTo(connection)).length === 0) return;
  await connection.transaction(async (within) => {
    await within.script(createTable);
    for (const { hash, sql } of missing(migrations, await appliedTo(within))) {
      await within.script(sql.join(""));
      await within.execute({
        sql: "INSERT INTO migrations (hash, applied_at) VALUES (?, unixepoch() * 1000)",
        args: [hash],
      });
    }
  });
}

/** The hashes of the migrations that were applied. */
async function appliedTo(place: Pick<Within, "execute">): Promise<ReadonlySet<string>> {
  const { rows: tables } = await place.execute({
    sql: "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'",
    args: [],
  });
  if (tables.length === 0) return new Set();
  const { rows } = await place.execute({ sql: "SELECT hash FROM migrations", args: [] });
  return new Set(rows.flatMap(({ hash }) => (typeof hash === "string" ? [hash] : [])));
}

function missing<Migration extends { hash: string }>(
  known: readonly Migration[],
  applied: ReadonlySet<string>,
): Migration[] {
  const hashes = new Set(known.map(({ hash }) => hash));
  const unknown = [...applied].filter((hash) => !hashes.has(hash));
  if (unknown.length > 0) {
    throw Object.assign(new Error(`unknown migrations: ${unknown.join(", ")}`), {
      code: newerDatabase,
    });
  }
  return known.filter(({ hash }) => !applied.has(hash));
}
