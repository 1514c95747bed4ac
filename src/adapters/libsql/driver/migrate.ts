import { readMigrationFiles } from "drizzle-orm/migrator";
import { type Connection, type Within, isOurs, schemaQuery } from "./connection.ts";
import { copyMark, isCopyMark, newCopyMark } from "../whole/copy-mark.ts";
import { newerDatabase, unfinishedCopy } from "./errors.ts";

const createTable =
  "CREATE TABLE IF NOT EXISTS migrations (hash TEXT PRIMARY KEY NOT NULL, applied_at INTEGER NOT NULL)";

/**
 * Applies missing migrations atomically under the write lock, so that only one of many starting processes does it. A
 * database with an unknown migration, or of another program, is refused.
 * @param place.folder absolute path, in drizzle-kit's format
 * @param place.copyOf the source of the only unfinished copy that is accepted
 */
export async function migrate(
  connection: Connection,
  { isFile, folder, copyOf }: { isFile: boolean; folder: string; copyOf: string | undefined },
): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  const accepted = copyOf === undefined ? [] : [copyMark(copyOf), newCopyMark(copyOf)];
  // Usually no migration is missing, and no lock is taken.
  const needed = isFile ? undefined : createdTables(migrations);
  if (missing(migrations, await appliedTo(connection, needed), accepted).length === 0) return;
  await connection.transaction(async (within) => {
    const applied = await appliedTo(within, needed);
    const record = async (hash: string): Promise<void> => {
      await within.execute({
        sql: "INSERT INTO migrations (hash, applied_at) VALUES (?, unixepoch() * 1000)",
        args: [hash],
      });
    };
    await within.script(createTable);
    // From its first moment, no other program takes the database for a new installation.
    if (copyOf !== undefined && applied.size === 0) await record(newCopyMark(copyOf));
    for (const { hash, sql } of missing(migrations, applied, accepted)) {
      await within.script(sql.join(""));
      await record(hash);
    }
  });
}

/**
 * Refuses a database file that has migrations of a newer version, or tables of another program. Changes nothing.
 * @throws an error with a code of errors.ts
 */
export async function refuseUnknownMigrations(
  place: Pick<Within, "execute">,
  folder: string,
): Promise<void> {
  missing(readMigrationFiles({ migrationsFolder: folder }), await appliedTo(place, undefined), []);
}

/** Returns the names of the tables that migrations create, in their order. */
export function createdTables(migrations: readonly { sql: readonly string[] }[]): string[] {
  const text = migrations.flatMap(({ sql }) => sql).join("\n");
  return [...text.matchAll(/CREATE (?:VIRTUAL )?TABLE `(\w+)`/g)].map(([, name = ""]) => name);
}

/** Returns the hashes of the applied migrations. */
async function appliedTo(
  place: Pick<Within, "execute">,
  needed: readonly string[] | undefined,
): Promise<ReadonlySet<string>> {
  if (!isOurs(await place.execute(schemaQuery), needed)) return new Set();
  const { rows } = await place.execute({ sql: "SELECT hash FROM migrations", args: [] });
  return new Set(rows.flatMap(({ hash }) => (typeof hash === "string" ? [hash] : [])));
}

function missing<Migration extends { hash: string }>(
  known: readonly Migration[],
  applied: ReadonlySet<string>,
  accepted: readonly string[],
): Migration[] {
  const hashes = new Set(known.map(({ hash }) => hash));
  const unknown = [...applied].filter((hash) => !hashes.has(hash) && !accepted.includes(hash));
  if (unknown.length > 0) {
    throw Object.assign(new Error(`unknown migrations: ${unknown.join(", ")}`), {
      code: unknown.every(isCopyMark) ? unfinishedCopy : newerDatabase,
    });
  }
  return known.filter(({ hash }) => !applied.has(hash));
}
