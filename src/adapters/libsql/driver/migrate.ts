import { readMigrationFiles } from "drizzle-orm/migrator";
import type { Connection, Within } from "./connection.ts";
import { copyMark, isCopyMark } from "./copy-mark.ts";
import { newerDatabase, unfinishedCopy } from "./errors.ts";

const createTable =
  "CREATE TABLE IF NOT EXISTS migrations (hash TEXT PRIMARY KEY NOT NULL, applied_at INTEGER NOT NULL)";

/**
 * Applies missing migrations atomically under the write lock, so that only one of many starting processes does it. A
 * database with an unknown migration is refused.
 * @param folder absolute path, in drizzle-kit's format
 * @param copyOf the source of the only unfinished copy that is accepted
 */
export async function migrate(
  connection: Connection,
  folder: string,
  copyOf: string | undefined,
): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  const accepted = copyOf === undefined ? undefined : copyMark(copyOf);
  // Usually no migration is missing, and no lock is taken.
  if (missing(migrations, await appliedTo(connection), accepted).length === 0) return;
  await connection.transaction(async (within) => {
    await within.script(createTable);
    for (const { hash, sql } of missing(migrations, await appliedTo(within), accepted)) {
      await within.script(sql.join(""));
      await within.execute({
        sql: "INSERT INTO migrations (hash, applied_at) VALUES (?, unixepoch() * 1000)",
        args: [hash],
      });
    }
  });
}

/** Returns the hashes of the applied migrations. */
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
  accepted: string | undefined,
): Migration[] {
  const hashes = new Set(known.map(({ hash }) => hash));
  const unknown = [...applied].filter((hash) => !hashes.has(hash) && hash !== accepted);
  if (unknown.length > 0) {
    throw Object.assign(new Error(`unknown migrations: ${unknown.join(", ")}`), {
      code: unknown.every(isCopyMark) ? unfinishedCopy : newerDatabase,
    });
  }
  return known.filter(({ hash }) => !applied.has(hash));
}
