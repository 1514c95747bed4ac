import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAuditRecord } from "../../src/adapters/libsql/audit/audit-record.ts";
import { createAuditReader } from "../../src/adapters/libsql/audit/audit-reader.ts";
import { createStoredRequests } from "../../src/adapters/libsql/approvals/stored-requests.ts";
import { mainMigrations, openDatabase } from "../../src/adapters/libsql/driver/database.ts";
import { headFiles } from "../../src/app/audit/head-files.ts";
import { keepHeads } from "../../src/app/audit/keep-heads.ts";
import { checkHeads, verifyAudit } from "../../src/app/audit/verify-audit.ts";
import type { AuditEvent } from "../../src/core/audit/audit.ts";
import { type HeadPlace, headObjects, readHeads, writeHead } from "../../src/stores/audit-heads.ts";
import { removeOldEvents } from "../../src/stores/audit-retention.ts";
import { createFakeObjects } from "../fakes/objects.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

const dayMs = 86_400_000;
const now = new Date();
const daysAgo = (days: number): Date => new Date(now.getTime() - days * dayMs);

/** Creates one database, and installations that write to it, each with a key of its own. */
function world() {
  const directory = temporaryDirectory();
  const url = pathToFileURL(join(directory, "main.db")).href;
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  onTestFinished(() => database.close());
  const auditReader = createAuditReader(database);
  const headPlaces = [headFiles(directory), headObjects(createFakeObjects())] as const;
  const install = (keyId: string) => {
    const key = randomBytes(32);
    const audit = createAuditRecord(database, { key, keyId, log: quietLog });
    const add = async (...days: number[]): Promise<void> => {
      for (const ago of days) await audit.append(event(daysAgo(ago)));
    };
    const clear = (before: Date) => removeOldEvents(auditReader, { before, key, keyId, now });
    return { key, keyId, audit, add, clear };
  };
  const verify = async (...installs: { key: Uint8Array; keyId: string }[]) =>
    await verifyAudit(
      { auditReader, headPlaces, storedRequests: createStoredRequests(database) },
      new Map(installs.map(({ keyId, key }) => [keyId, key])),
    );
  const sql = (text: string) => database.write([{ sql: text, args: [] }]);
  return { auditReader, headPlaces, install, verify, sql };
}

function event(at: Date): AuditEvent {
  return { type: "called", at, callId: "c", principal: "p", client: "c", tool: "t" };
}

async function numbers(place: HeadPlace): Promise<number[]> {
  return (await readHeads(place)).heads.map(({ head }) => head.seq);
}

describe("old events", () => {
  it("are removed from the front only, and leave a checkpoint for the rest [audit.retention]", async () => {
    const { install, verify, auditReader } = world();
    const mine = install("aa");
    // The clock went back once: what is old behind something young stays.
    await mine.add(400, 380, 370, 10, 390, 5);
    expect(await mine.clear(daysAgo(365))).toBe(3);
    expect(await verify(mine)).toMatchObject({
      complete: false,
      events: 3,
      checkpoint: { seq: 3 },
    });
    expect(await mine.clear(daysAgo(365))).toBe(0);
    await mine.add(1);
    expect(await mine.clear(daysAgo(7))).toBe(2);
    expect((await auditReader.checkpoint())?.seq).toBe(5);
    const { breaks, events } = await verify(mine);
    // No head exists yet, although a record of several days should have one.
    expect({ events, whats: breaks.map(({ what }) => what) }).toEqual({
      events: 2,
      whats: [expect.stringContaining("there is no head of the record")],
    });
  });

  it("keep the last one, because the next event is chained to it [audit.retention]", async () => {
    const mine = world().install("aa");
    await mine.add(400, 399);
    expect(await mine.clear(daysAgo(365))).toBe(0);
  });

  it("stay if the chain is broken, as evidence [audit.retention]", async () => {
    const { install, sql } = world();
    const mine = install("aa");
    await mine.add(400, 399, 398, 1);
    await sql("UPDATE audit SET tool = 'x' WHERE seq = 2");
    await expect(mine.clear(daysAgo(365))).rejects.toThrow(/event 2 of .* was changed/);
  });

  it("cannot be removed beyond the checkpoint [audit.retention]", async () => {
    const { install, verify, sql } = world();
    const mine = install("aa");
    await mine.add(400, 399, 2, 1);
    await mine.clear(daysAgo(365));
    await sql("DELETE FROM audit WHERE seq = 3");
    const { breaks } = await verify(mine);
    expect(breaks[0]).toEqual({ seq: 4, what: "event 3 is missing" });
  });
});

describe("an approval request without a row", () => {
  // The cleanup of a process with a fast clock deletes requests that were just asked.
  it("was deleted by hand, unless the clock was fast since [audit.requests]", async () => {
    const { install, verify } = world();
    const mine = install("aa");
    await mine.audit.append({ ...event(now), type: "asked", ticketId: "ap_1" });
    expect(await verify(mine)).toMatchObject({
      complete: false,
      requests: { differences: [{ ticketId: "ap_1", what: "its row is missing" }] },
    });
    await mine.add(-2);
    expect(await verify(mine)).toMatchObject({ complete: true, requests: { differences: [] } });
  });
});

describe("heads", () => {
  it("replace nothing if they are late and older [audit.heads]", async () => {
    const { install, headPlaces, auditReader } = world();
    const mine = install("aa");
    await mine.add(0);
    const early = mine.audit.written();
    await mine.add(0);
    const late = mine.audit.written();
    for (const place of headPlaces) {
      const settings = { ...mine, at: now, reader: auditReader, log: quietLog };
      await writeHead(place, late!, settings);
      await writeHead(place, early!, settings);
      await writeHead(place, late!, settings);
      expect(await numbers(place)).toEqual([2]);
    }
  });

  it("of other installations stay, and their own checkpoint is not trusted [audit.keys]", async () => {
    const { install, headPlaces, auditReader, verify } = world();
    const [mine, other] = [install("aa"), install("bb")];
    const [, objects] = headPlaces;
    for (const one of [mine, other, mine]) {
      await one.add(400);
      const settings = { ...one, at: now, reader: auditReader, log: quietLog };
      await writeHead(objects, one.audit.written()!, settings);
    }
    expect(await numbers(objects)).toEqual([2, 3]);
    await mine.add(1);
    expect(await mine.clear(daysAgo(365))).toBe(3);
    expect(await verify(mine, other)).toMatchObject({ complete: true, head: { seq: 3 } });
    const alone = await verify(other);
    expect(alone.breaks[0]?.what).toContain("was signed with the key aa, which is not available");
  });

  it("are written by a process that adds events, hourly and at the end [audit.heads]", async () => {
    const { install, headPlaces, auditReader } = world();
    const mine = install("aa");
    const [files, objects] = headPlaces;
    let time = now;
    const keeper = keepHeads({
      ...mine,
      places: headPlaces,
      written: () => mine.audit.written(),
      reader: auditReader,
      log: quietLog,
      clock: () => time,
      firstCheckAfterMs: 1,
      checkEveryMs: 5,
    });
    await mine.add(0);
    await expect.poll(() => numbers(objects)).toEqual([1]);
    await mine.add(0);
    time = new Date(now.getTime() + 56 * 60_000);
    await expect.poll(() => numbers(objects)).toEqual([2]);
    await mine.add(0);
    await keeper.close();
    expect([await numbers(files), await numbers(objects)]).toEqual([[3], [3]]);
  });

  it("are written only by a process that adds events [audit.heads]", async () => {
    const { install, headPlaces, auditReader } = world();
    const mine = install("aa");
    const settings = { ...mine, places: headPlaces, reader: auditReader, log: quietLog };
    await keepHeads({ ...settings, written: () => mine.audit.written() }).close();
    expect(await numbers(headPlaces[0])).toEqual([]);
  });

  it("are checked by doctor against the log [audit.heads]", async () => {
    const { install, headPlaces, auditReader, sql } = world();
    const mine = install("aa");
    await mine.add(0, 0);
    const settings = { ...mine, at: now, reader: auditReader, log: quietLog };
    await writeHead(headPlaces[0], mine.audit.written()!, settings);
    const keys = new Map([[mine.keyId, mine.key]]);
    await checkHeads({ auditReader, headPlaces }, keys);
    await sql("DELETE FROM audit WHERE seq = 2");
    await expect(checkHeads({ auditReader, headPlaces }, keys)).rejects.toThrow(
      "The audit record is not complete: event 2 is missing",
    );
  });
});

describe("heads in a bucket that others fill", () => {
  // Only the first thousand objects were listed, so that other names hid every head.
  it("are found behind other names, and only names of heads are read", async () => {
    const objects = createFakeObjects();
    const head = `head-${"1".padStart(15, "0")}-aa.json`;
    for (let at = 0; at < 1_500; at += 1)
      await objects.put(`audit/a${at}`, new Uint8Array(1), { mediaType: "text/plain" });
    await objects.put(`audit/${head}`, Buffer.alloc(100_000, "x"), { mediaType: "text/plain" });
    const [found, ...others] = await headObjects(objects).list();
    expect([found?.name, found?.text.length, others]).toEqual([head, 4_096, []]);
  });
});
