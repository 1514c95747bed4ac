import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished, vi } from "vitest";
import {
  type Database,
  mainMigrations,
  openDatabase,
} from "../../src/adapters/libsql/driver/database.ts";
import { createMailAdmin } from "../../src/adapters/libsql/mail/mail-admin.ts";
import { createMailStore } from "../../src/adapters/libsql/mail/mail-store.ts";
import type { Receipt } from "../../src/ports/mail/mail-store.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { openIngestWorld } from "../servers/ingest-world.ts";
import { smtpSession } from "../servers/ingest.ts";

const raw = Buffer.from("Subject: a secret word\r\n\r\nopensesame\r\n");
const receipt: Receipt = { intake: "smtp", rawSha256: "aa", bytes: raw.length };
const mail = { emailId: "em_one", rawSha256: "aa", bytes: raw.length, firstStep: "parse" };
const steps = ["parse"];

function opened(): {
  database: Database;
  store: ReturnType<typeof createMailStore>;
  path: string;
} {
  const path = join(temporaryDirectory(), "countersign.db");
  const database = openDatabase({
    url: pathToFileURL(path).href,
    migrations: mainMigrations,
    log: quietLog,
  });
  onTestFinished(() => database.close());
  return { database, store: createMailStore(database, { hasFarObjects: true }), path };
}

async function countOf(database: Database, table: string): Promise<unknown> {
  const { rows } = await database.read({ sql: `SELECT count(*) AS n FROM ${table}`, args: [] });
  return rows[0]?.["n"];
}

it("a message stays in its row until it is in the object store", async () => {
  const { database, store } = opened();
  // The lease has ended at the next read, so its holder counts as dead.
  const { isNew, claimed } = await store.admit(mail, receipt, { leaseMs: 0, raw });
  expect(isNew).toBe(true);
  expect(Buffer.from(claimed!.inbox!)).toEqual(raw);
  const [again] = await store.claim({ steps, limit: 1, leaseMs: 60_000 });
  expect(Buffer.from(again!.inbox!)).toEqual(raw);
  const next = { kind: "run", step: "parse" } as const;
  expect(await store.advance(claimed!, { leavesInbox: true, next })).toBe(false);
  expect(await countOf(database, "mail_inbox")).toBe(1);
  expect(await store.advance(again!, { leavesInbox: true, next })).toBe(true);
  expect(await countOf(database, "mail_inbox")).toBe(0);
});

it("a message leaves the write-ahead log, also while others arrive without a pause", async (t) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  t.onTestFinished(() => void vi.useRealTimers());
  const { store, path } = opened();
  const log = (): string => readFileSync(`${path}-wal`, "latin1");
  const arrives = async (number: number, content: Uint8Array): Promise<void> => {
    const one = { ...mail, emailId: `em_${number}`, rawSha256: String(number).padStart(2, "0") };
    const { claimed } = await store.admit(one, receipt, { leaseMs: 60_000, raw: content });
    const left = store.advance(claimed!, { leavesInbox: true, next: { kind: "finish" } });
    await vi.advanceTimersByTimeAsync(900);
    await left;
  };
  await arrives(0, raw);
  expect(log()).toContain("opensesame");
  for (let number = 1; number <= 40; number += 1) await arrives(number, Buffer.from("Subject: x"));
  expect(log()).not.toContain("opensesame");
});

it("an existing message gets no addition, not even a receipt", async () => {
  const { database, store } = opened();
  await store.admit(mail, receipt);
  const again = await store.admit(mail, receipt, { leaseMs: 1_000, raw });
  expect(again).toEqual({ isNew: false });
  expect(await countOf(database, "mail_receipts")).toBe(1);
  expect(await countOf(database, "mail_inbox")).toBe(0);
});

it("a message in quarantine leaves it when it is accepted", async () => {
  const { database, store } = opened();
  const quarantine = { reason: "sender", from: "a@example.org", subject: "s" } as const;
  await store.admit(mail, receipt, { quarantine });
  await store.admit(mail, receipt, { leaseMs: 1_000, raw });
  expect(await countOf(database, "mail_quarantine")).toBe(0);
  expect(await countOf(database, "mail_inbox")).toBe(1);
});

it("a deleted message leaves its row completely", async () => {
  const { database, store } = opened();
  await store.admit(mail, receipt, { leaseMs: 0, raw });
  const admin = createMailAdmin(database);
  expect(await admin.forget([mail.emailId])).toEqual({ emailIds: [mail.emailId] });
  expect(await admin.leftovers()).toEqual(["mail/raw/aa"]);
  expect(await admin.neededObjects(["mail/raw/aa"])).toEqual(new Set());
  expect(await countOf(database, "mail_inbox")).toBe(0);
});

it("a searchable message is in the object store, and no longer in its row", async () => {
  const { stores, startHere } = openIngestWorld();
  const ingest = await startHere();
  const session = await smtpSession(ingest.port);
  expect(await session.send(raw)).toMatch(/^250 /);
  session.close();
  await expect.poll(async () => (await stores.mail.search({ limit: 1 })).hits.length).toBe(1);
  expect(await countOf(stores.database, "mail_inbox")).toBe(0);
  const { objects } = await stores.objects.list({ prefix: "mail/raw/", limit: 2 });
  const found = await stores.objects.get(objects[0]!.key);
  expect(Buffer.from(found!.body)).toEqual(raw);
});

it("a message that is sent forever leaves at most a hundred receipts", async () => {
  const { database, store } = opened();
  const quarantine = { reason: "sender", from: "eve@stranger.example", subject: "again" } as const;
  for (let times = 0; times < 105; times += 1) await store.admit(mail, receipt, { quarantine });
  expect(await countOf(database, "mail_receipts")).toBe(100);
  expect(await countOf(database, "mail_quarantine")).toBe(1);
});
