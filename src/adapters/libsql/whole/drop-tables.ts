import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { type Database, mainMigrations } from "../driver/database.ts";
import { createdTables } from "../driver/migrate.ts";

/** Deletes every table that this program creates, in one transaction, and no other table. */
export async function dropTables(database: Database): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: fileURLToPath(mainMigrations) });
  // In reverse order, because a virtual table depends on tables that were created before it.
  const names = createdTables(migrations).toReversed();
  await database.write(
    [...names, "migrations"].map((name) => ({ sql: `DROP TABLE IF EXISTS "${name}"`, args: [] })),
  );
}
