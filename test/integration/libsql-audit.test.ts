import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished, vi } from "vitest";
import { createAuditRecord } from "../../src/adapters/libsql/audit/audit-record.ts";
import {
  type Database,
  mainMigrations,
  openDatabase,
} from "../../src/adapters/libsql/driver/database.ts";
import { type AuditEvent, auditJson, auditMac, listed } from "../../src/core/audit/audit.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

const key = randomBytes(32);

function openAt(path: string) {
  const url = pathToFileURL(path).href;
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  onTestFinished(() => database.close());
  return { database, audit: createAuditRecord(database, { key, keyId: "key 1", log: quietLog }) };
}

function event(callId: string, fields: Partial<AuditEvent> = {}): AuditEvent {
  return {
    type: "called",
    at: new Date(),
    callId,
    principal: "p",
    client: "c",
    tool: "t",
    ...fields,
  };
}

/** Numbers of the events whose MAC does not follow from the event before. */
async function brokenLinks(database: Database): Promise<number[]> {
  const audit = createAuditRecord(database, { key, keyId: "key 1", log: quietLog });
  const stored = await audit.readEvents({ after: 0, limit: 1_000 });
  return stored.flatMap((link, at) => {
    const previous = stored[at - 1]?.mac ?? "";
    return link.mac === auditMac(key, previous, link.seq, auditJson(listed(link.event)))
      ? []
      : [link.seq];
  });
}

it("builds a chain that reveals every changed, removed or moved event [audit.chain]", async () => {
  const { database, audit } = openAt(join(temporaryDirectory(), "main.db"));
  for (const callId of ["1", "2", "3", "4", "5", "6"]) await audit.append(event(callId));
  expect(await brokenLinks(database)).toEqual([]);
  await database.write([{ sql: "UPDATE audit SET outcome = 'ok' WHERE seq = 2", args: [] }]);
  expect(await brokenLinks(database)).toEqual([2]);
  await database.write([{ sql: "DELETE FROM audit WHERE seq = 4", args: [] }]);
  expect(await brokenLinks(database)).toEqual([2, 5]);
});

it("continues the chain of an earlier process", async () => {
  const path = join(temporaryDirectory(), "main.db");
  const first = openAt(path);
  await first.audit.append(event("1"));
  await first.database.close();
  const second = openAt(path);
  await second.audit.append(event("2"));
  const stored = await second.audit.readEvents({ after: 0, limit: 10 });
  expect(stored.map(({ seq, keyId, event: { callId } }) => [seq, keyId, callId])).toEqual([
    [1, "key 1", "1"],
    [2, "key 1", "2"],
  ]);
  expect(await brokenLinks(second.database)).toEqual([]);
});

it("chains texts that a database cannot store unchanged", async () => {
  const { database, audit } = openAt(join(temporaryDirectory(), "main.db"));
  await audit.append(event("1", { sentence: "half \uD800 and NUL \0 end", outcome: "" }));
  const [stored] = await audit.readEvents({ after: 0, limit: 10 });
  expect(stored?.event.sentence).toBe("half \u{FFFD} and NUL \u{FFFD} end");
  expect(stored?.event.outcome).toBe("");
  expect(await brokenLinks(database)).toEqual([]);
});

it("stores queued events within 100 ms without a flush [audit.groups]", async () => {
  const { audit } = openAt(join(temporaryDirectory(), "main.db"));
  await audit.append(event("opens the database"));
  // Other tests use the processor meanwhile, so only the fastest of many shows the time of the log itself.
  const limitMs = 150;
  let fastest = Infinity;
  for (let round = 1; fastest >= limitMs && round <= 100; round += 1) {
    const noted = performance.now();
    audit.enqueue(event("noted"));
    await expect
      .poll(() => audit.readEvents({ after: round, limit: 10 }), { interval: 2 })
      .toHaveLength(1);
    fastest = Math.min(fastest, performance.now() - noted);
  }
  expect(fastest).toBeLessThan(limitMs);
});

it("gives later events their own time, and loses none", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { database } = openAt(join(temporaryDirectory(), "main.db"));
  let groups = 0;
  let disk = Promise.resolve();
  const addEvents: Database["addEvents"] = async (group) => {
    groups += 1;
    await disk;
    return await database.addEvents(group);
  };
  const audit = createAuditRecord(
    { ...database, addEvents },
    { key, keyId: "key 1", log: quietLog },
  );
  const stored = async () => (await audit.readEvents({ after: 0, limit: 10 })).length;

  const first = audit.append(event("1"));
  audit.enqueue(event("2"));
  await first;
  expect(groups).toBe(1);
  vi.advanceTimersByTime(50);
  await expect.poll(stored).toBe(2);

  // The timer of the group fires while the disk is slow.
  let release: () => void = () => undefined;
  disk = new Promise((resolve) => (release = resolve));
  const third = audit.append(event("3"));
  audit.enqueue(event("4"));
  vi.advanceTimersByTime(50);
  release();
  await third;
  await expect.poll(stored).toBe(4);
  audit.enqueue(event("5"));
  vi.advanceTimersByTime(50);
  await expect.poll(stored).toBe(5);
  expect(groups).toBe(5);

  // A process flushes before it ends, and also waits for events that are added meanwhile.
  disk = new Promise((resolve) => (release = resolve));
  audit.enqueue(event("6"));
  const flushed = audit.flush();
  audit.enqueue(event("7"));
  release();
  await flushed;
  expect(await stored()).toBe(7);
});

it("reads page by page", async () => {
  const { audit } = openAt(join(temporaryDirectory(), "main.db"));
  for (const callId of ["1", "2", "3", "4", "5"]) audit.enqueue(event(callId));
  await audit.flush();
  const page = await audit.readEvents({ after: 2, limit: 2 });
  expect(page.map(({ seq }) => seq)).toEqual([3, 4]);
});

it("rejects an append while the database is unavailable, and keeps queued events", async () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "in the way"), "");
  const { audit } = openAt(join(directory, "in the way", "main.db"));
  audit.enqueue(event("1"));
  await expect(audit.append(event("2"))).rejects.toMatchObject({ kind: "unavailable" });
  audit.enqueue(event("3"));
  await expect(audit.flush()).rejects.toMatchObject({ kind: "unavailable" });
  rmSync(join(directory, "in the way"));
  // The log may be trying already. Events that join this try fail with it.
  await vi.waitFor(() => audit.append(event("4")), 30_000);
  const stored = await audit.readEvents({ after: 0, limit: 10 });
  expect(stored.map(({ event: { callId } }) => callId)).toEqual(["1", "3", "4"]);
});
