import { execFile } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { pathToFileURL } from "node:url";
import { createClient } from "@libsql/client/sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type Database,
  mainMigrations,
  openDatabase,
} from "../../src/adapters/libsql/driver/database.ts";
import { ToolError } from "../../src/core/tool/tool-error.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

function openAt(path: string): Database {
  const url = pathToFileURL(path).href;
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  onTestFinished(() => database.close());
  return database;
}

describe("closing a database", () => {
  it("with a running statement keeps the process alive until it is closed", async () => {
    // The process ended with code 13, because the statement's response released the thread before its end.
    const path = join(temporaryDirectory(), "close.db");
    const module = new URL("../../dist/adapters/libsql/driver/database.js", import.meta.url).href;
    const code = `
      import { mainMigrations, openDatabase } from ${JSON.stringify(module)};
      const log = { debug() {}, info() {}, warn() {}, error() {} };
      const url = ${JSON.stringify(pathToFileURL(path).href)};
      const database = openDatabase({ url, migrations: mainMigrations, log });
      database.read({ sql: "SELECT 1", args: [] });
      await database.close();
      console.log("closed");`;
    const args = ["--input-type=module", "--eval", code];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toBe("closed\n");
  });
});

const query = (sql: string, ...args: (string | number | Uint8Array | null)[]) => ({ sql, args });
const insert = (name: string) =>
  query("INSERT INTO leases (name, holder, until) VALUES (?, 'h', 0)", name);

async function names(database: Database): Promise<unknown[]> {
  const { rows } = await database.read(query("SELECT name FROM leases ORDER BY name"));
  return rows.map(({ name }) => name);
}

async function failure(promise: Promise<unknown>): Promise<ToolError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ToolError);
  return error as ToolError;
}

describe("a database", () => {
  it("works in a directory whose name has special characters of URLs", async () => {
    const path = join(temporaryDirectory(), "a #b %20?c é", "main file.db");
    const database = openAt(path);
    await database.write([insert("a")]);
    expect(statSync(path).isFile()).toBe(true);
    await database.close();
    expect(await names(openAt(path))).toEqual(["a"]);
  });

  it("is opened again after a failure", async () => {
    const directory = temporaryDirectory();
    const path = join(directory, "main.db");
    const prepared = openAt(join(directory, "prepared.db"));
    await prepared.write([insert("a")]);
    await prepared.close();
    const database = openAt(path);
    await database.write([insert("a")]);
    // Which of the two files the next statement finds tells whether it was.
    for (const suffix of ["", "-wal", "-shm"])
      renameSync(path + suffix, join(directory, `before.db${suffix}`));
    renameSync(join(directory, "prepared.db"), path);
    expect((await failure(database.write([insert("a")]))).kind).toBe("conflict");
    await database.write([insert("b")]);
    expect(await names(openAt(path))).toEqual(["a", "b"]);
  });

  it("touches no file before its first statement", async () => {
    const path = join(temporaryDirectory(), "main.db");
    const database = openAt(path);
    await database.close();
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
  });

  it("returns every kind of value unchanged", async () => {
    const database = openAt(join(temporaryDirectory(), "main.db"));
    const bytes = new Uint8Array([0, 1, 255]);
    const { rows } = await database.read(
      query(
        "SELECT ? AS t, ? AS i, ? AS r, ? AS n, ? AS b, 7 / ? AS half",
        "ü\u{1F600}",
        2 ** 53 - 1,
        0.5,
        null,
        bytes,
        2,
      ),
    );
    expect(rows).toEqual([{ t: "ü\u{1F600}", i: 2 ** 53 - 1, r: 0.5, n: null, b: bytes, half: 3 }]);
  });

  it("marks a NUL in a text instead of losing the rest", async () => {
    const database = openAt(join(temporaryDirectory(), "main.db"));
    const { rows } = await database.read(query("SELECT ? AS t", "a\0b"));
    expect(rows).toEqual([{ t: "a\u{FFFD}b" }]);
  });

  it("writes all statements of a transaction or none", async () => {
    const database = openAt(join(temporaryDirectory(), "main.db"));
    await database.write([insert("a")]);
    const error = await failure(database.write([insert("b"), insert("a"), insert("c")]));
    expect(error).toMatchObject({ kind: "conflict", sideEffects: "none" });
    expect(error.cause).toMatchObject({ code: "SQLITE_CONSTRAINT" });
    expect(await names(database)).toEqual(["a"]);
  });

  it("counts the changed rows, with and without RETURNING", async () => {
    const database = openAt(join(temporaryDirectory(), "main.db"));
    await database.write([insert("a"), insert("b")]);
    const results = await database.write([
      query("UPDATE leases SET until = 1"),
      query("UPDATE leases SET until = 2 RETURNING name"),
      query("UPDATE leases SET until = 3 WHERE name = 'x' RETURNING name"),
    ]);
    expect(results.map(({ rowsAffected }) => rowsAffected)).toEqual([2, 2, 0]);
  });

  it("syncs fully, checks references and waits for locks, also after reconnecting", async () => {
    const database = openAt(join(temporaryDirectory(), "main.db"));
    const settings = async () =>
      Promise.all(
        ["journal_mode", "synchronous", "foreign_keys", "busy_timeout"].map(async (name) =>
          Object.values((await database.read(query(`PRAGMA ${name}`))).rows[0] ?? {}).at(0),
        ),
      );
    expect(await settings()).toEqual(["wal", 2, 1, 5_000]);
    await failure(database.read(query("this is no SQL")));
    expect(await settings()).toEqual(["wal", 2, 1, 5_000]);
  });

  it("fails only the rejected one of several waiting writes", async () => {
    const database = openAt(join(temporaryDirectory(), "main.db"));
    await database.write([insert("a")]);
    const writes = ["b", "a", "c"].map((name) =>
      database.write([insert(name), insert(`${name}2`)]),
    );
    const outcomes = await Promise.allSettled(writes);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await names(database)).toEqual(["a", "b", "b2", "c", "c2"]);
  });

  it("answers simultaneous quick reads in order, and fails only the rejected one", async () => {
    const database = openAt(join(temporaryDirectory(), "quick.db"));
    const written = database.write([insert("first")]);
    const read = (sql: string) => database.read(query(sql), { quick: ["sqlite_schema"] });
    const [found, refused, after] = await Promise.all([
      read("SELECT name FROM leases"),
      failure(read("SELECT nothing FROM nowhere")),
      read("SELECT count(*) AS counted FROM leases"),
    ]);
    await written;
    expect(found.rows).toEqual([{ name: "first" }]);
    expect(refused.kind).toBe("internal");
    expect(after.rows).toEqual([{ counted: 1 }]);
  });

  it("writes deferred statements after a short wait, and before a read", async () => {
    const database = openAt(join(temporaryDirectory(), "main.db"));
    await database.write([insert("a")], { canWait: true });
    const deferred = database.write([insert("b")], { canWait: true });
    expect(await names(database)).toEqual(["a", "b"]);
    await deferred;
  });

  it("lets a read that may lag overtake deferred statements", async () => {
    const database = openAt(join(temporaryDirectory(), "main.db"));
    await database.write([insert("a")]);
    const deferred = database.write([insert("b")], { canWait: true });
    const sql = "SELECT name FROM leases ORDER BY name";
    const { rows } = await database.read({ sql, args: [] }, { mayLag: true });
    expect(rows).toEqual([{ name: "a" }]);
    await deferred;
    expect(await names(database)).toEqual(["a", "b"]);
  });

  it("finishes requests from before close, and rejects later ones", async () => {
    const path = join(temporaryDirectory(), "main.db");
    const database = openAt(path);
    const writes = Array.from({ length: 50 }, (_, at) => database.write([insert(`${at}`)]));
    await database.close();
    await Promise.all(writes);
    expect(await failure(database.write([insert("late")]))).toMatchObject({ kind: "unavailable" });
    expect(await names(openAt(path))).toHaveLength(50);
  });

  it("makes a file private that others could read [store.private]", async () => {
    const path = join(temporaryDirectory(), "main.db");
    const first = openAt(path);
    await first.write([insert("a")]);
    await first.close();
    chmodSync(path, 0o644);
    await openAt(path).write([insert("b")]);
    for (const suffix of ["", "-wal", "-shm"]) {
      expect(statSync(path + suffix).mode & 0o777, suffix).toBe(0o600);
    }
  });
});

describe("an unusable database is reported and left unchanged", () => {
  it("when the file is no database", async () => {
    const path = join(temporaryDirectory(), "main.db");
    writeFileSync(path, "This is a diary, not a database. ".repeat(100));
    const before = readFileSync(path);
    const error = await failure(openAt(path).write([insert("a")]));
    expect(error).toMatchObject({ kind: "not_configured", sideEffects: "none" });
    expect(error.message).toBe(
      "The file main.db is damaged or is not a database. Nothing was changed.",
    );
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("when pages of the file are damaged", async () => {
    const path = join(temporaryDirectory(), "main.db");
    const first = openAt(path);
    await first.write([insert("a")]);
    await first.close();
    const content = readFileSync(path);
    writeFileSync(path, content.fill(0xff, 100));
    const error = await failure(openAt(path).write([insert("b")]));
    expect(error.message).toContain("main.db is damaged");
  });

  it("when a newer version made it [store.newer]", async () => {
    const path = join(temporaryDirectory(), "main.db");
    const newer = openAt(path);
    await newer.write([query("INSERT INTO migrations VALUES ('from the future', 0)"), insert("a")]);
    await newer.close();
    const error = await failure(openAt(path).write([insert("b")]));
    expect(error).toMatchObject({ kind: "not_configured", retryable: false });
    expect(error.message).toBe(
      "The database main.db was created by a newer version of this program. Nothing was changed.",
    );
    // The driver itself does not mind, and finds what the newer version left.
    const client = createClient({ url: pathToFileURL(path).href });
    const { rows } = await client.execute("SELECT name FROM leases");
    client.close();
    expect(rows).toEqual([{ name: "a" }]);
  });

  it("when its directory cannot be made", async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "file"), "");
    const path = join(directory, "file", "data", "main.db");
    const database = openAt(path);
    const errors = await Promise.all([1, 2, 3].map(() => failure(database.write([insert("a")]))));
    for (const error of errors) {
      expect(error).toMatchObject({ kind: "unavailable", retryable: true });
      expect(error.message).not.toContain(directory);
    }
    // The fault may be repaired while the program runs.
    rmSync(join(directory, "file"));
    await database.write([insert("b")]);
    expect(await names(database)).toEqual(["b"]);
  });

  it("when a directory is in its place", async () => {
    const path = join(temporaryDirectory(), "main.db");
    mkdirSync(path);
    const error = await failure(openAt(path).write([insert("a")]));
    expect(error.kind).toBe("unavailable");
    expect(error.message).toContain("The database main.db cannot be opened");
  });

  it("and says it anew each time, however fast one attempt follows the other", async () => {
    const directory = temporaryDirectory();
    const parent = join(directory, "data");
    const path = join(parent, "main.db");
    const database = openAt(path);
    const told: string[] = [];
    for (let round = 0; round < 50; round += 1) {
      writeFileSync(parent, "");
      told.push((await failure(database.write([insert("a")]))).message);
      rmSync(parent);
      mkdirSync(parent);
      writeFileSync(path, "not a database ".repeat(100));
      told.push((await failure(database.write([insert("a")]))).message);
      rmSync(parent, { recursive: true });
    }
    const wrong = told.filter(
      (message, index) => !message.includes(index % 2 === 0 ? "cannot be opened" : "is damaged"),
    );
    expect(wrong).toEqual([]);
    await database.write([insert("b")]);
    expect(await names(database)).toEqual(["b"]);
  });

  it("when there is no space left", async () => {
    const database = openAt(join(temporaryDirectory(), "main.db"));
    await database.write([insert("a")]);
    // SQLite's own limit on the size of a database, which applies to this connection only.
    const { rows } = await database.read(query("PRAGMA page_count"));
    await database.read(query(`PRAGMA max_page_count = ${Number(rows[0]?.["page_count"])}`));
    const large = query("INSERT INTO leases VALUES ('b', ?, 0)", "x".repeat(100_000));
    const error = await failure(database.write([insert("c"), large]));
    expect(error).toMatchObject({ kind: "unavailable", sideEffects: "none" });
    expect(error.message).toContain("no space left on the disk");
    expect(await names(database)).toEqual(["a"]);
    await database.write([large]);
    expect(await names(database)).toEqual(["a", "b"]);
  });

  it("when its server does not answer", async () => {
    const url = "http://127.0.0.1:1";
    const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
    onTestFinished(() => database.close());
    const error = await failure(database.write([insert("a")]));
    expect(error).toMatchObject({ kind: "unavailable" });
    expect(error.message).toContain("127.0.0.1:1 did not answer");
  });
});
