import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@libsql/client/sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { mainMigrations, openDatabase } from "../../src/adapters/libsql/driver/database.ts";
import { openQuickReader } from "../../src/adapters/libsql/driver/quick-reader.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

const insert = (name: string) => ({
  sql: "INSERT INTO leases (name, holder, until) VALUES (?, 'h', 0)",
  args: [name],
});

/** Opens a database and answers one quick read, after which it reads in this thread. */
async function opened() {
  const path = join(temporaryDirectory(), "quick.db");
  const url = pathToFileURL(path).href;
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  onTestFinished(() => database.close());
  const names = async (quick: readonly string[]): Promise<unknown[]> => {
    const sql = "SELECT name FROM leases ORDER BY name";
    const { rows } = await database.read({ sql, args: [] }, { quick });
    return rows.map(({ name }) => name);
  };
  await database.write([insert("a")]);
  expect(await names([])).toEqual(["a"]);
  await new Promise(setImmediate);
  const other = createClient({ url });
  onTestFinished(() => other.close());
  return { path, database, names, other };
}

describe("a quick read", () => {
  it("waits for no write of another table, even if another process has the lock", async () => {
    const { database, names, other } = await opened();
    const lock = await other.transaction("write");
    const written = database.write([insert("b")]);
    expect(await names([])).toEqual(["a"]);
    await lock.rollback();
    await written;
    expect(await names([])).toEqual(["a", "b"]);
  });

  it("sees the earlier writes to its table", async () => {
    const { database, names } = await opened();
    const written = [
      database.write([insert("b")]),
      database.write([insert("c")], { canWait: true }),
    ];
    expect(await names(["leases"])).toEqual(["a", "b", "c"]);
    await Promise.all(written);
    expect(await names(["leases"])).toEqual(["a", "b", "c"]);
  });

  it("sees what another process has just written", async () => {
    const { names, other } = await opened();
    await other.execute(insert("b"));
    expect(await names(["leases"])).toEqual(["a", "b"]);
  });

  it("finds a row of another process, although it found none before", async () => {
    const { database, other } = await opened();
    const find = async (name: string) => {
      const statement = { sql: "SELECT name FROM leases WHERE name = ?", args: [name] };
      return (await database.read(statement, { quick: ["leases"] })).rows.length;
    };
    expect([await find("b"), await find("b")]).toEqual([0, 0]);
    await other.execute(insert("b"));
    expect(await find("b")).toBe(1);
    await other.execute("DELETE FROM leases WHERE name = 'b'");
    expect(await find("b")).toBe(0);
    await database.write([insert("b")]);
    expect(await find("b")).toBe(1);
  });

  it("leaves nothing in the log after the database is closed", async () => {
    const { path, database, names, other } = await opened();
    await names([]);
    other.close();
    await database.close();
    expect(existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0).toBe(0);
  });

  it("cannot change the file", async () => {
    const { path } = await opened();
    const reader = openQuickReader(path);
    onTestFinished(() => reader.close());
    expect(() => reader.read(insert("b"))).toThrow("readonly");
  });
});
