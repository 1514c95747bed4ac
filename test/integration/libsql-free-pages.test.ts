import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import LibsqlDatabase from "libsql";
import { expect, it } from "vitest";
import { mainMigrations, openDatabase } from "../../src/adapters/libsql/driver/database.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

const query = (sql: string) => ({ sql, args: [] });

it("a database file loses its free pages when it is closed, if they are many", async () => {
  const path = join(temporaryDirectory(), "pages.db");
  const open = () =>
    openDatabase({ url: pathToFileURL(path).href, migrations: mainMigrations, log: quietLog });
  const database = open();
  const numbers = "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)";
  await database.write([
    query(`INSERT INTO mail_inbox (mail_id, raw) ${numbers} SELECT i, zeroblob(4000) FROM n`),
    query("DELETE FROM mail_inbox WHERE mail_id > 10"),
  ]);
  const { rows } = await database.read(query("PRAGMA freelist_count"));
  expect(rows[0]?.["freelist_count"]).toBeGreaterThan(400);
  await database.close();
  expect(statSync(path).size).toBeLessThan(1_500_000);
  const again = open();
  const kept = await again.read(
    query("SELECT count(*) AS n, sum(length(raw)) AS bytes FROM mail_inbox"),
  );
  expect(kept.rows).toEqual([{ n: 10, bytes: 40_000 }]);
  await again.close();
});

// A server that writes after each search held the lock when an import closed the file, and the pages stayed.
it("a close removes free pages after another process gave the lock back", async () => {
  const path = join(temporaryDirectory(), "pages.db");
  const url = pathToFileURL(path).href;
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  const numbers = "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)";
  await database.write([
    query(`INSERT INTO mail_inbox (mail_id, raw) ${numbers} SELECT i, zeroblob(4000) FROM n`),
    query("DELETE FROM mail_inbox"),
  ]);
  const other = new LibsqlDatabase(path);
  other.exec("BEGIN IMMEDIATE");
  const closing = database.close();
  // The close begins in its thread while another program starts and ends.
  spawnSync(process.execPath, ["--version"]);
  other.exec("COMMIT");
  other.close();
  await closing;
  const again = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  const { rows } = await again.read(query("PRAGMA freelist_count"));
  expect(rows[0]?.["freelist_count"]).toBeLessThan(10);
  await again.close();
});
