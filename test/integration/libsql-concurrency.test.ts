import { randomBytes } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { createAuditRecord } from "../../src/adapters/libsql/audit/audit-record.ts";
import {
  type Database,
  mainMigrations,
  openDatabase,
} from "../../src/adapters/libsql/driver/database.ts";
import { createTickets } from "../../src/adapters/libsql/approvals/tickets.ts";
import { auditJson, auditMac, listed } from "../../src/core/audit/audit.ts";
import { approve, minute, request } from "../contract/ticket-fixtures.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { startChildren } from "./libsql-processes.ts";
import { sealRequest } from "../fakes/request-seal.ts";

function openAt(url: string): Database {
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  onTestFinished(() => database.close());
  return database;
}

const urlIn = (directory: string): string => pathToFileURL(join(directory, "main.db")).href;

async function count(database: Database, sql: string): Promise<unknown> {
  return (await database.read({ sql: `SELECT count(*) AS n FROM ${sql}`, args: [] })).rows[0]?.[
    "n"
  ];
}

it("stores every write that it acknowledges to four concurrent processes [store.acknowledged]", async () => {
  const url = urlIn(temporaryDirectory());
  const children = startChildren(4);
  await Promise.all(children.map((child, at) => child.tell("start", { url, name: `start ${at}` })));
  const answers = await Promise.all(
    children.map((child, at) => child.tell("write", { name: `child ${at}`, count: 200 })),
  );
  const acknowledged = answers.map((answer) => Number(answer["acknowledged"]));
  await Promise.all(children.map((child) => child.tell("stop")));
  expect(acknowledged).toEqual([200, 200, 200, 200]);
  expect(await count(openAt(url), "leases")).toBe(804);
});

it("keeps acknowledged writes of a killed process, and stays usable", async () => {
  const url = urlIn(temporaryDirectory());
  const [killed, other] = startChildren(2);
  await killed?.tell("start", { url, name: "before" });
  void killed?.tell("write", { name: "killed", count: 1_000_000 });
  await other?.tell("start", { url, name: "other" });
  await other?.tell("write", { name: "other", count: 20 });
  killed?.kill();
  await killed?.ended;
  await other?.tell("write", { name: "after", count: 20 });
  const database = openAt(url);
  expect(await count(database, "leases WHERE name IN ('before', 'other')")).toBe(2);
  expect(await count(database, "leases WHERE name LIKE 'other %' OR name LIKE 'after %'")).toBe(40);
  // Written one after the other: none is missing before the last.
  const killedRows = await count(database, "leases WHERE name LIKE 'killed %'");
  expect(await count(database, `leases WHERE name = 'killed ${Number(killedRows) - 1}'`)).toBe(1);
});

it(
  "opens an empty directory for eight processes at the same time, twenty times [store.start-together]",
  { timeout: 180_000 },
  async () => {
    const directory = temporaryDirectory();
    const children = startChildren(8);
    for (let round = 0; round < 20; round += 1) {
      const inside = join(directory, `round ${round}`);
      const url = urlIn(inside);
      await Promise.all(
        children.map((child, at) => child.tell("start", { url, name: `child ${at}` })),
      );
      // The children have no umask: without our care the files would be readable for all.
      for (const file of readdirSync(inside)) {
        expect(statSync(join(inside, file)).mode & 0o777, file).toBe(0o600);
      }
      expect(readdirSync(inside).toSorted()).toEqual(["main.db", "main.db-shm", "main.db-wal"]);
      expect(await children[0]?.tell("count")).toMatchObject({ rows: 8 });
      await Promise.all(children.map((child) => child.tell("stop")));
    }
  },
);

it("lets one of eight processes claim an approved ticket", async () => {
  const url = urlIn(temporaryDirectory());
  const tickets = createTickets(openAt(url), sealRequest);
  const children = startChildren(8);
  await Promise.all(children.map((child, at) => child.tell("start", { url, name: `child ${at}` })));
  for (let round = 0; round < 10; round += 1) {
    const { ticketId } = request();
    await tickets.open(request({ ticketId }), minute);
    await tickets.decide(ticketId, approve, minute);
    const answers = await Promise.all(children.map((child) => child.tell("claim", { ticketId })));
    expect(answers.filter(({ claimed }) => claimed === true)).toHaveLength(1);
    expect((await tickets.find(ticketId))?.status).toBe("running");
  }
});

it("chains the events of four processes without gaps, losses or disorder", async () => {
  const url = urlIn(temporaryDirectory());
  const database = openAt(url);
  const key = randomBytes(32);
  const children = startChildren(4);
  await Promise.all(children.map((child, at) => child.tell("start", { url, name: `child ${at}` })));
  const told = children.map((child) =>
    child.tell("audit", { key: key.toString("hex"), count: 90 }),
  );
  const pids = (await Promise.all(told)).map(({ pid }) => String(pid));

  const audit = createAuditRecord(database, { key, keyId: "k", log: quietLog });
  const stored = await audit.readEvents({ after: 0, limit: 1_000 });
  expect(stored.map(({ seq }) => seq)).toEqual(Array.from({ length: 360 }, (_, at) => at + 1));
  let previous = "";
  for (const { seq, mac, event } of stored) {
    expect(mac, `event ${seq}`).toBe(auditMac(key, previous, seq, auditJson(listed(event))));
    previous = mac;
  }
  for (const pid of pids) {
    const own = stored.map(({ event }) => event.callId).filter((id) => id.startsWith(`${pid} `));
    expect(own).toEqual(Array.from({ length: 90 }, (_, at) => `${pid} ${at}`));
  }
});

it("waits for a lock held elsewhere for two seconds while timers keep ticking [store.lock]", async () => {
  const url = urlIn(temporaryDirectory());
  const database = openAt(url);
  const [holder] = startChildren(1);
  await database.read({ sql: "SELECT 1", args: [] });
  await holder?.tell("hold", { url });

  let isWritten = false;
  const written = database
    .write([{ sql: "INSERT INTO leases (name, holder, until) VALUES ('a', 'b', 0)", args: [] }])
    .then(() => (isWritten = true));
  let longestGap = 0;
  await new Promise<void>((resolve) => {
    const began = performance.now();
    let last = began;
    const timer = setInterval(() => {
      longestGap = Math.max(longestGap, performance.now() - last);
      last = performance.now();
      // Counts time and not ticks, because with late ticks the write would give up before the last.
      if (last - began < 2_000) return;
      clearInterval(timer);
      resolve();
    }, 20);
  });
  // A late tick comes from the load of other tests. A blocked thread would take as long as the lock.
  expect(longestGap).toBeLessThan(1_500);
  expect(isWritten).toBe(false);
  await holder?.tell("release");
  await written;
  expect(await count(database, "leases WHERE name = 'a'")).toBe(1);
});

it("gets the lock soon beside a process that writes without a pause", async () => {
  // The write did not get the lock for ten seconds and failed, because SQLite checks the lock ten times a second.
  const url = urlIn(temporaryDirectory());
  const database = openAt(url);
  const [busy] = startChildren(1);
  await busy?.tell("start", { url, name: "start" });
  await busy?.tell("writeWithoutPause", { name: "counter" });
  const counter = "SELECT until FROM leases WHERE name = 'counter'";
  const passed: number[] = [];
  for (let round = 0; round < 60; round += 1) {
    const before = await database.read({ sql: counter, args: [] });
    const [, during] = await database.write([
      { sql: "INSERT INTO leases (name, holder, until) VALUES (?, 'b', 0)", args: [`${round}`] },
      { sql: counter, args: [] },
    ]);
    passed.push(Number(during?.rows[0]?.["until"]) - Number(before.rows[0]?.["until"]));
  }
  busy?.kill();
  await busy?.ended;
  passed.sort((one, other) => one - other);
  expect(passed[54], `commits that passed: ${passed.join(" ")}`).toBeLessThan(10);
});

it("survives a lock of ten seconds", async () => {
  const url = urlIn(temporaryDirectory());
  const database = openAt(url);
  const unopened = urlIn(temporaryDirectory());
  const [holder, other] = startChildren(2);
  await database.read({ sql: "SELECT 1", args: [] });
  await holder?.tell("hold", { url });
  await other?.tell("hold", { url: unopened });
  const insert = (to: Database, name: string) =>
    to.write([
      { sql: "INSERT INTO leases (name, holder, until) VALUES (?, 'b', 0)", args: [name] },
    ]);

  // Opening waits longer than a statement, because it happens before any acknowledgement.
  const opened = insert(openAt(unopened), "opened");
  await expect(insert(database, "locked out")).rejects.toMatchObject({
    kind: "unavailable",
    sideEffects: "none",
    retryable: true,
  });
  await other?.tell("release");
  await expect(opened).resolves.toHaveLength(1);

  // The vendor's client acknowledges these and stores none of them.
  await holder?.tell("release");
  for (let at = 0; at < 20; at += 1) await insert(database, `after ${at}`);
  const reader = openAt(url);
  expect(await count(reader, "leases WHERE name LIKE 'after %'")).toBe(20);
  expect(await count(reader, "leases WHERE name = 'locked out'")).toBe(0);
});

it("finishes earlier requests before a process ends, and keeps no process alive", async () => {
  const url = urlIn(temporaryDirectory());
  const [child] = startChildren(1);
  void child?.tell("writeAndLeave", { url, name: "last words" });
  expect(await child?.ended).toBe(0);
  expect(await count(openAt(url), "leases WHERE name = 'last words'")).toBe(1);
});
