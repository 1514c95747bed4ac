import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@libsql/client/sqlite3";
import LibsqlDatabase from "libsql";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type DatabaseOptions,
  mainMigrations,
  openDatabase,
} from "../../src/adapters/libsql/driver/database.ts";
import { ToolError } from "../../src/core/tool/tool-error.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { startDatabaseServer } from "../servers/database-server.ts";

/** Returns the refusal of a first write, after the database is closed. */
async function refusal(place: Pick<DatabaseOptions, "url" | "authToken">): Promise<ToolError> {
  const database = openDatabase({ ...place, migrations: mainMigrations, log: quietLog });
  const sql = "INSERT INTO leases (name, holder, until) VALUES ('a', 'h', 0)";
  const error: unknown = await database
    .write([{ sql, args: [] }])
    .catch((thrown: unknown) => thrown);
  await database.close();
  if (error instanceof ToolError) return error;
  throw new Error("it was not refused", { cause: error });
}

describe("a database of another program is refused", () => {
  it.each([
    ["with tables of its own", "CREATE TABLE notes (text)"],
    ["with a table of a name of ours", "CREATE TABLE mail (id)"],
    ["with migrations of its own", "CREATE TABLE migrations (id, name)"],
    [
      "in the mode of a log",
      "PRAGMA journal_mode = WAL; CREATE TABLE notes (text); PRAGMA wal_checkpoint(TRUNCATE)",
    ],
  ])("and left unchanged if it is a file %s", async (_, script) => {
    // Our tables were added to such a file, or its reason was "a statement of this program".
    const path = join(temporaryDirectory(), "photos.db");
    const client = createClient({ url: pathToFileURL(path).href });
    await client.executeMultiple(script);
    client.close();
    chmodSync(path, 0o644);
    const before = readFileSync(path);
    const error = await refusal({ url: pathToFileURL(path).href });
    expect(error).toMatchObject({ kind: "not_configured", sideEffects: "none" });
    expect(`${error.message} ${error.hint}`).toBe(
      "The file photos.db is a database of another program. Nothing was changed. Move the file away, or set DATABASE_URL or COUNTERSIGN_DATA_DIR to another place.",
    );
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o644);
  });

  it.each(["CREATE TABLE mail (id)", "CREATE TABLE migrations (id, name)"])(
    "on a server if its tables have our names: %s",
    async (script) => {
      const path = join(temporaryDirectory(), "server.db");
      const other = new LibsqlDatabase(path);
      other.exec(script);
      other.close();
      const at = await startDatabaseServer(path);
      onTestFinished(() => at.close());
      const error = await refusal({ url: at.url, authToken: at.token });
      expect(error).toMatchObject({ kind: "not_configured", sideEffects: "none" });
      expect(`${error.message} ${error.hint}`).toBe(
        `The database on ${new URL(at.url).host} has tables of another program with the same names. Nothing was changed. Set DATABASE_URL to an empty database.`,
      );
    },
  );
});
