import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { reuseThreads } from "../../src/core/shared/idle-threads.ts";
import {
  type Database,
  mainMigrations,
  openDatabase,
} from "../../src/adapters/libsql/driver/database.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

const query = (sql: string, ...args: string[]) => ({ sql, args });

function openAt(path: string): Database {
  const url = pathToFileURL(path).href;
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  onTestFinished(() => database.close());
  return database;
}

async function names(database: Database): Promise<unknown[]> {
  const { rows } = await database.read(query("SELECT name FROM leases ORDER BY name"));
  return rows.map(({ name }) => name);
}

it("answers from its own file in a thread that had another, also after a failure", async () => {
  onTestFinished(reuseThreads());
  const directory = temporaryDirectory();
  for (let at = 0; at < 40; at += 1) {
    const path = join(directory, `${at}.db`);
    const database = openAt(path);
    expect(await names(database)).toEqual([]);
    const name = `of ${at}`;
    const written = database.write([
      query("INSERT INTO leases (name, holder, until) VALUES (?, 'h', 0)", name),
    ]);
    const refused = database.write([query("no SQL")]);
    await Promise.all([database.close(), written, expect(refused).rejects.toThrow(/Nothing was/)]);

    const broken = openAt(join(path, "in-a-file.db"));
    await expect(names(broken)).rejects.toThrow("cannot be opened");
    await broken.close();

    const again = openAt(path);
    expect(await names(again)).toEqual([name]);
    await again.close();
  }
});

it("closes its file in a thread that is used again", async () => {
  // The driver kept a closed file open until its statements were collected, so `-wal` and `-shm` remained.
  onTestFinished(reuseThreads());
  const directory = temporaryDirectory();
  for (let at = 0; at < 5; at += 1) {
    const database = openAt(join(directory, `${at}.db`));
    const insert = query("INSERT INTO leases (name, holder, until) VALUES ('a', 'h', 0)");
    await database.write([insert]);
    expect(await names(database)).toEqual(["a"]);
    await database.close();
  }
  expect(readdirSync(directory).toSorted()).toEqual(["0.db", "1.db", "2.db", "3.db", "4.db"]);
});
