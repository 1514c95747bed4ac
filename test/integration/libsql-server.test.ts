import { join } from "node:path";
import LibsqlDatabase from "libsql";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type Database,
  mainMigrations,
  openDatabase,
} from "../../src/adapters/libsql/driver/database.ts";
import { ToolError } from "../../src/core/tool/tool-error.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { sqld, startDatabaseServer } from "../servers/database-server.ts";
import type { Fault, HranaServer } from "../servers/hrana.ts";

async function server(): Promise<HranaServer> {
  const path = join(temporaryDirectory(), "server.db");
  const started = await startDatabaseServer(path);
  onTestFinished(() => started.close());
  return started;
}

function openAt(
  { url, token }: HranaServer,
  options: { authToken?: string; requestTimeoutMs?: number } = {},
): Database {
  const database = openDatabase({
    url,
    authToken: token,
    migrations: mainMigrations,
    log: quietLog,
    ...options,
  });
  onTestFinished(() => database.close());
  return database;
}

const query = (sql: string, ...args: (string | number | Uint8Array | null)[]) => ({ sql, args });
const insert = (name: string) =>
  query("INSERT INTO leases (name, holder, until) VALUES (?, 'h', 0)", name);
const arrival = (id: string) =>
  query(
    `INSERT INTO mail_receipts (email_id, position, received_at, intake, bytes)
      SELECT ?1, count(*), 0, 'test', 0 FROM mail_receipts WHERE email_id = ?1`,
    id,
  );

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

/** Lets one pipeline fail, the next one that `when` chooses. */
function failOnce(at: HranaServer, fault: Fault, when = /./): void {
  at.fault = (requests) => {
    if (!when.test(JSON.stringify(requests))) return undefined;
    at.fault = () => undefined;
    return fault;
  };
}

describe("a database on a libSQL server", () => {
  it("returns every kind of value", async () => {
    const at = await server();
    const database = openAt(at);
    const bytes = new Uint8Array([0, 1, 255]);
    const { rows } = await database.read(
      query(
        "SELECT ? AS t, ? AS i, ? AS r, ? AS n, ? AS b, 7 / ? AS half",
        "ü",
        2 ** 53 - 1,
        0.5,
        null,
        bytes,
        2,
      ),
    );
    expect(rows).toEqual([{ t: "ü", i: 2 ** 53 - 1, r: 0.5, n: null, b: bytes, half: 3 }]);
  });

  // Reads do not wait for writes. Each began a migration of its own, and on a busy machine one waited too long for the
  // other.
  it("is migrated once for all requests that come first", async () => {
    const looksOf = ({ pipelines }: HranaServer): number =>
      pipelines.filter((requests) => JSON.stringify(requests).includes("name = 'migrations'"))
        .length;
    const [one, other] = [await server(), await server()];
    await names(openAt(one));
    const database = openAt(other);
    await Promise.all([names(database), database.write([insert("a")]), names(database)]);
    expect(await names(database)).toEqual(["a"]);
    expect(looksOf(other)).toBe(looksOf(one));
  });

  it("writes all statements of a transaction or none, and returns what was changed", async () => {
    const database = openAt(await server());
    await database.write([insert("a")]);
    const error = await failure(database.write([insert("b"), insert("a"), insert("c")]));
    expect(error).toMatchObject({ kind: "conflict", sideEffects: "none" });
    const results = await database.write([
      query("UPDATE leases SET until = 1"),
      query("UPDATE leases SET until = 2 RETURNING name"),
      query("UPDATE leases SET until = 3 WHERE name = 'x' RETURNING name"),
    ]);
    expect(results.map(({ rowsAffected }) => rowsAffected)).toEqual([1, 1, 0]);
    expect(await names(database)).toEqual(["a"]);
  });

  it("says that a token is refused, and which server does not answer", async () => {
    const at = await server();
    const error = await failure(openAt(at, { authToken: "another" }).write([insert("a")]));
    expect(error).toMatchObject({ kind: "auth", sideEffects: "none" });
    const { host } = new URL(at.url);
    expect(error.message).toBe(
      `The database server ${host} refused the token. Nothing was changed.`,
    );
    await at.close();
    expect((await failure(openAt(at).write([insert("a")]))).message).toBe(
      `The database server ${host} did not answer. Nothing was changed.`,
    );
  });
});

/** How long the driver waits for a slow server. Milliseconds. */
const requestTimeoutMs = 3_000;

const faults: readonly { name: string; fault: Fault; isStored: boolean }[] = [
  { name: "answers 503", fault: { kind: "status", status: 503 }, isStored: false },
  { name: "answers 500", fault: { kind: "status", status: 500 }, isStored: false },
  { name: "cuts the line before", fault: { kind: "cut", when: "before" }, isStored: false },
  { name: "cuts the line after", fault: { kind: "cut", when: "after" }, isStored: true },
  { name: "is too slow", fault: { kind: "slow" }, isStored: true },
];

describe("a server that fails in a write", () => {
  it.each(faults)("$name: may have been written, and is not repeated", async (given) => {
    const at = await server();
    await openAt(at).write([arrival("before")]);
    const database = openAt(at, { requestTimeoutMs });
    await database.read(query("SELECT 1"));
    failOnce(at, given.fault, /INSERT INTO mail_receipts/);
    const error = await failure(database.write([arrival("a"), arrival("a")]));
    expect(error).toMatchObject({ kind: "unavailable", sideEffects: "unknown" });
    expect(error.message).toBe(
      `The database server ${new URL(at.url).host} did not answer. It may have been written.`,
    );
    const stored = async () => {
      const sql = "SELECT count(*) AS count FROM mail_receipts WHERE email_id = 'a'";
      return (await database.read(query(sql))).rows[0]?.["count"];
    };
    await expect.poll(stored).toBe(given.isStored ? 2 : 0);
    // The next write finds everything in order.
    await database.write([arrival("after")]);
  });

  it("says after a read that nothing was changed", async () => {
    const at = await server();
    await openAt(at).write([insert("a")]);
    const database = openAt(at, { requestTimeoutMs });
    expect(await names(database)).toEqual(["a"]);
    for (const { fault } of faults) {
      failOnce(at, fault);
      expect(await failure(names(database))).toMatchObject({
        kind: "unavailable",
        sideEffects: "none",
      });
    }
    expect(await names(database)).toEqual(["a"]);
  });

  // The driver read everything into memory.
  it("is refused if its response does not end", async () => {
    const at = await server();
    await openAt(at).write([insert("a")]);
    const database = openAt(at);
    failOnce(at, { kind: "endless" }, /ORDER BY name/);
    const { message } = await failure(names(database));
    expect(message).toMatch(
      /^The response of the database server .+ did not end\. Nothing was changed\.$/,
    );
    failOnce(at, { kind: "endless" }, /INSERT INTO leases/);
    expect(await failure(database.write([insert("b")]))).toMatchObject({ sideEffects: "unknown" });
    expect(await names(database)).toEqual(["a"]);
  });

  it("waits for a lock, and says when it stays locked", async () => {
    const at = await server();
    const database = openAt(at);
    await database.write([insert("a")]);
    failOnce(at, { kind: "busy" });
    await database.write([insert("b")]);
    at.fault = () => ({ kind: "busy" });
    if (sqld !== undefined) {
      // A real server takes a lock away from a stream that keeps it for five seconds.
      await database.write([insert("c")]);
      expect(await names(database)).toEqual(["a", "b", "c"]);
      return;
    }
    const error = await failure(database.write([insert("c")]));
    expect(error).toMatchObject({ kind: "unavailable", sideEffects: "none" });
    expect(error.message).toMatch(/^Another program keeps the database \S+ locked\./);
    at.fault = () => undefined;
    expect(await names(database)).toEqual(["a", "b"]);
  });

  // The test server kept the statement that had met the lock, and then refused to commit.
  it("writes after another program has released its lock", async () => {
    const path = join(temporaryDirectory(), "server.db");
    const at = await startDatabaseServer(path);
    onTestFinished(() => at.close());
    const database = openAt(at);
    await database.write([insert("a")]);
    const other = new LibsqlDatabase(path);
    onTestFinished(() => void other.close());
    other.exec("BEGIN IMMEDIATE");
    const before = at.pipelines.length;
    const writing = database.write([insert("b"), insert("c")]);
    await expect.poll(() => at.pipelines.length).toBeGreaterThan(before);
    other.exec("COMMIT");
    expect(await names(database)).toContain("a");
    await writing;
    expect(await names(database)).toEqual(["a", "b", "c"]);
    const inserts = at.pipelines.slice(before).filter((one) => /INSERT/.test(JSON.stringify(one)));
    expect(inserts).toHaveLength(1);
  });

  it.each([
    { kind: "expired" },
    { kind: "cut", when: "before" },
    { kind: "cut", when: "after" },
    { kind: "status", status: 502 },
    { kind: "busy" },
  ] satisfies Fault[])("is reopened after $kind $when in the migration", async (fault) => {
    const at = await server();
    // The migration is the transaction of several requests.
    failOnce(at, fault, /CREATE TABLE `mail`/);
    const database = openAt(at);
    const [first] = await Promise.allSettled([database.write([insert("a")])]);
    if (first.status === "rejected")
      expect(first.reason).toMatchObject({ sideEffects: "none", kind: "unavailable" });
    await database.write([insert("b")]);
    expect(await names(database)).toEqual(first.status === "rejected" ? ["b"] : ["a", "b"]);
  });

  it("stores every acknowledged write exactly once, whatever fails", async () => {
    const at = await server();
    const database = openAt(at);
    await database.write([insert("first")]);
    let count = 0;
    at.fault = () => {
      count += 1;
      const which = (count * 7) % 20;
      if (which === 3) return { kind: "busy" };
      return which < 3 ? faults[which + 1]!.fault : undefined;
    };
    const ids = Array.from({ length: 120 }, (_, number) => `m${number}`);
    const outcomes = new Map<string, "stored" | "unknown" | "none">();
    for (let from = 0; from < ids.length; from += 6) {
      await Promise.all(
        ids.slice(from, from + 6).map(async (id) => {
          try {
            await database.write([arrival(id)]);
            outcomes.set(id, "stored");
          } catch (error) {
            outcomes.set(id, (error as ToolError).sideEffects === "none" ? "none" : "unknown");
          }
        }),
      );
    }
    at.fault = () => undefined;
    const { rows } = await database.read(
      query("SELECT email_id, count(*) AS count FROM mail_receipts GROUP BY email_id"),
    );
    const stored = new Map(rows.map((row) => [String(row["email_id"]), row["count"]]));
    for (const [id, outcome] of outcomes) {
      if (outcome === "stored") expect(stored.get(id), id).toBe(1);
      else if (outcome === "none") expect(stored.get(id), id).toBeUndefined();
      else expect(stored.get(id) ?? 1, id).toBe(1);
    }
    const kinds = new Set(outcomes.values());
    expect(kinds).toContain("stored");
    expect(kinds).toContain("unknown");
  });
});
