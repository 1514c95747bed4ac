import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@libsql/client/sqlite3";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { imapMailbox } from "../../src/adapters/imap/mailbox.ts";
import { Secret } from "../../src/core/shared/secret.ts";
import { type Dovecot, password, startDovecot } from "../servers/dovecot.ts";
import { type BreakingLine, startBreakingLine } from "../servers/breaking-line.ts";
import { type IngestWorld, openIngestWorld } from "../servers/ingest-world.ts";
import { runCommandHere } from "../servers/ingest.ts";

const isHere = !inject("missingServers").includes("dovecot");

const mail = (subject: string, more = "", body = subject): string =>
  `${more}From: ann@example.org\r\nSubject: ${subject}\r\n\r\n${body}\r\n`;

interface World extends IngestWorld {
  /** Subjects of what can be found. */
  subjects: () => Promise<string[]>;
  /** How often each message came. */
  receipts: () => Promise<number[]>;
}

/** Creates a data directory for one test, whose ingest fetches this account's mail. */
function makeWorld(dovecot: Dovecot, user: string, env: NodeJS.ProcessEnv = {}): World {
  const world = openIngestWorld({
    IMAP_HOST: "127.0.0.1",
    IMAP_PORT: String(dovecot.port),
    IMAP_USERNAME: user,
    IMAP_PASSWORD: password,
    ...env,
  });
  const { stores } = world;
  return {
    ...world,
    subjects: async () => {
      const { hits } = await stores.mail.search({ limit: 50 });
      return hits.map(({ subject }) => subject).toSorted();
    },
    receipts: async () => {
      const sql = "SELECT count(*) AS times FROM mail_receipts GROUP BY email_id";
      const { rows } = await stores.database.read({ sql, args: [] });
      return rows.map((row) => Number(row["times"]));
    },
  };
}

const soon = { timeout: 30_000, interval: 50 };

describe.skipIf(!isHere)("mail of an IMAP account", () => {
  let dovecot: Dovecot;

  beforeAll(async () => {
    dovecot = await startDovecot();
  });

  afterAll(async () => {
    await dovecot.stop();
  });

  const processed = (user: string) => dovecot.messages(user, ".Countersign.Processed").length;
  const isEmptied = (user: string, count: number) =>
    expect.poll(() => [dovecot.messages(user).length, processed(user)], soon).toEqual([0, count]);

  it("is fetched from inbox and junk, found, and moved, and later mail is fetched immediately [mail.imap]", async () => {
    dovecot.deliver("first", mail("waiting"));
    dovecot.deliver("first", mail("taken for junk"), ".Spam");
    const world = makeWorld(dovecot, "first");
    const ingest = await world.startHere();
    await expect.poll(world.subjects, soon).toEqual(["taken for junk", "waiting"]);
    await isEmptied("first", 2);
    expect(dovecot.messages("first", ".Spam")).toEqual([]);
    dovecot.deliver("first", mail("pushed"));
    // The limit is far below the minute after which ingest polls anyway.
    await expect.poll(world.subjects, soon).toContain("pushed");
    await isEmptied("first", 3);
    expect(await ingest.stop("SIGTERM")).toBe(0);
    const again = await world.startHere();
    dovecot.deliver("first", mail("after a restart"));
    await isEmptied("first", 4);
    expect(await again.stop("SIGTERM")).toBe(0);
    expect(await world.receipts()).toEqual([1, 1, 1, 1]);
    const { hits } = await world.stores.mail.search({ query: "pushed", limit: 1 });
    expect(
      (await runCommandHere(world.dataDir, ["mail", "show", hits[0]!.emailId])).stdout,
    ).toMatch(/by imap INBOX \d+$/m);
  });

  it("is stored byte by byte, even with 24 MB", async () => {
    const large = mail("large", "", "0123456789abcde\r\n".repeat(1_500_000));
    dovecot.deliver("large", large);
    const odd = Buffer.from("Subject: odd\r\n\r\n.\r\na bare \r and \xff\r\nno end", "latin1");
    dovecot.deliver("large", odd);
    const world = makeWorld(dovecot, "large");
    const ingest = await world.startHere();
    await isEmptied("large", 2);
    await expect.poll(world.subjects, soon).toHaveLength(2);
    const { objects } = await world.stores.objects.list({ prefix: "mail/raw/", limit: 10 });
    const bodies = await Promise.all(
      objects.map(async ({ key }) => Buffer.from((await world.stores.objects.get(key))!.body)),
    );
    const [small, big] = bodies.toSorted((one, other) => one.length - other.length);
    expect(objects).toHaveLength(2);
    expect(small!.toString("latin1")).toBe(odd.toString("latin1"));
    expect(big!.equals(Buffer.from(large))).toBe(true);
    expect(await ingest.stop("SIGTERM")).toBe(0);
  });

  // The rejected message was visible only in its folder and in the log. A person who listed the mail never learned that
  // one was missing.
  it("is moved to a folder of its own and listed as failed if it is too large [mail.imap]", async () => {
    const giant = mail("=?utf-8?Q?Die_gro=C3=9Fe?=", "", "x".repeat(80_000));
    dovecot.deliver("oversize", giant);
    dovecot.deliver("oversize", mail("small"));
    const world = makeWorld(dovecot, "oversize", { INGEST_MAX_BYTES: "70000" });
    const ingest = await world.startHere();
    await expect.poll(world.subjects, soon).toEqual(["small"]);
    await isEmptied("oversize", 1);
    const rejected = () => dovecot.messages("oversize", ".Countersign.Rejected").length;
    expect(rejected()).toBe(1);
    const failed = async (): Promise<Record<string, unknown>[]> =>
      (await runCommandHere(world.dataDir, ["mail", "failed", "--json"])).lines.map(
        (line) => JSON.parse(line) as Record<string, unknown>,
      );
    const bytes = Buffer.byteLength(giant);
    const [note, ...others] = await failed();
    expect(others).toEqual([]);
    expect(note).toEqual({
      emailId: expect.stringMatching(/^rf_[a-z2-7]{26}$/) as unknown,
      state: "rejected",
      receivedAt: expect.any(String) as unknown,
      bytes,
      from: "ann@example.org",
      subject: "Die große",
      attempts: 0,
      problem: `it has ${bytes} bytes; INGEST_MAX_BYTES allows 70000 bytes`,
      source: "INBOX of oversize at 127.0.0.1",
      location: "Countersign/Rejected",
    });
    // A message that was moved back without a change is reported again, as one message.
    dovecot.deliver("oversize", giant);
    await expect.poll(rejected, soon).toBe(2);
    expect(await failed()).toEqual([note]);
    expect(await ingest.stop("SIGTERM")).toBe(0);
    await world.startHere({ INGEST_MAX_BYTES: "90000" });
    dovecot.deliver("oversize", giant);
    await expect.poll(world.subjects, soon).toEqual(["Die große", "small"]);
    await isEmptied("oversize", 2);
    expect(await failed()).toEqual([]);
  });

  it("of an unlisted sender goes to quarantine, with Return-Path and From as its sender", async () => {
    dovecot.deliver("strange", mail("known by its path", "Return-Path: <me@home.example>\r\n"));
    dovecot.deliver("strange", mail("by a stranger"));
    const world = makeWorld(dovecot, "strange", { INGEST_SENDERS: "@home.example" });
    await world.startHere();
    await expect.poll(world.subjects, soon).toEqual(["known by its path"]);
    await isEmptied("strange", 2);
    expect((await runCommandHere(world.dataDir, ["mail", "quarantine"])).stdout).toContain(
      "by a stranger",
    );
  });

  it("arrives whole and once over a connection that breaks during a message", async () => {
    const line: BreakingLine = await startBreakingLine(dovecot.port);
    onTestFinished(() => line.close());
    for (const name of ["one", "two", "three"])
      dovecot.deliver("broken", mail(name, "", `${name} words\r\n`.repeat(100_000)));
    line.breakAfter(700_000);
    const world = makeWorld(dovecot, "broken", { IMAP_PORT: String(line.port) });
    await world.startHere();
    await expect.poll(world.subjects, soon).toEqual(["one", "three", "two"]);
    await isEmptied("broken", 3);
    expect(line.connections).toBeGreaterThan(1);
    expect(await world.receipts()).toEqual([1, 1, 1]);
  });

  it(
    "is fetched by one of two processes, and by the other after the first is killed [mail.leader]",
    { timeout: 120_000 },
    async () => {
      const world = makeWorld(dovecot, "twice");
      const [first] = [await world.start(), await world.start()];
      const names = Array.from({ length: 30 }, (_, index) => `number ${index}`);
      for (const name of names.slice(0, 15)) dovecot.deliver("twice", mail(name));
      await isEmptied("twice", 15);
      expect(await world.receipts()).toEqual(Array(15).fill(1));
      for (const name of names.slice(15)) dovecot.deliver("twice", mail(name));
      await first.stop("SIGKILL");
      await expect
        .poll(world.subjects, { timeout: 50_000, interval: 100 })
        .toEqual(names.toSorted());
      await isEmptied("twice", 30);
      // The one that was in hand may have been kept and not yet moved.
      const receipts = await world.receipts();
      expect(receipts.filter((times) => times > 1).length).toBeLessThanOrEqual(1);
    },
  );

  it("waits after a wrong password, which is logged once and never in clear", async () => {
    dovecot.deliver("locked", mail("behind a lock"));
    const world = makeWorld(dovecot, "locked", { IMAP_PASSWORD: "wrong-canary" });
    const { said } = await world.startHere();
    await expect.poll(() => said.join("\n"), soon).toContain("refused the account");
    expect(said.join("\n")).toContain("Correct IMAP_USERNAME and IMAP_PASSWORD");
    expect(said.join("\n")).not.toContain("wrong-canary");
    expect(dovecot.messages("locked")).toHaveLength(1);
  });

  it(
    "stays in the mailbox while it cannot be stored, and arrives once later [mail.put-off]",
    { timeout: 150_000 },
    async () => {
      const world = makeWorld(dovecot, "patient");
      const ingest = await world.startHere();
      dovecot.deliver("patient", mail("before"));
      await isEmptied("patient", 1);
      // The remaining work on this message would wait for the lock before anything else.
      await expect.poll(world.subjects, soon).toEqual(["before"]);
      const url = pathToFileURL(join(world.dataDir, "countersign.db")).href;
      const other = createClient({ url, timeout: 5_000 });
      const lock = await other.transaction("write");
      dovecot.deliver("patient", mail("during"));
      // Ingest also loses the lease without the database. Either may be noticed first.
      await expect
        .poll(() => ingest.said.join("\n"), { ...soon, timeout: 60_000 })
        .toMatch(/fetching mail from .* failed|could not request the leader's lease/);
      expect(dovecot.messages("patient")).toHaveLength(1);
      await lock.rollback();
      other.close();
      await expect.poll(world.subjects, { ...soon, timeout: 50_000 }).toEqual(["before", "during"]);
      await isEmptied("patient", 2);
      expect(await world.receipts()).toEqual([1, 1]);
    },
  );

  it("arrives over TLS at port 993, and an untrusted server gets no password", async () => {
    const settings = { IMAP_HOST: dovecot.tlsHost, IMAP_PORT: "993" };
    dovecot.deliver("secret", mail("encrypted"));
    const world = makeWorld(dovecot, "secret", settings);
    const ingest = await world.startHere();
    await expect.poll(() => ingest.said.join("\n"), soon).toContain("is not trusted");
    await ingest.stop("SIGTERM");
    await world.startHere({ NODE_EXTRA_CA_CERTS: dovecot.caFile });
    await expect.poll(world.subjects, soon).toEqual(["encrypted"]);
  });

  const place = (user: string, more: object = {}) =>
    imapMailbox({
      host: "127.0.0.1",
      port: dovecot.port,
      tls: "none",
      username: user,
      password: new Secret(password),
      mailbox: "INBOX",
      maxBytes: 100_000,
      ...more,
    });
  const never = new AbortController().signal;

  it("is not confused with another message in a recreated folder", async () => {
    dovecot.deliver("anew", mail("the first"), ".Shared");
    const shared = place("anew", { mailbox: "Shared" });
    const [source, other] = [await shared.open(never), await shared.open(never)];
    const [first] = await source.waiting(new Set());
    dovecot.removeFolder("anew", ".Shared");
    dovecot.deliver("anew", mail("another"), ".Shared");
    const read = await source.read(first!, 100_000).catch(() => undefined);
    expect(Buffer.from(read ?? []).toString()).not.toContain("another");
    const [another] = await other.waiting(new Set());
    expect(another!.id).not.toBe(first!.id);
    await Promise.all([source.close(), other.close()]);
  });

  it("is not confused with another message if the folder is recreated during a fetch", async () => {
    dovecot.deliver("again", mail("the first"), ".Spam");
    const source = await place("again").open(never);
    const [first] = await source.waiting(new Set());
    // The inbox is polled last and stays open.
    expect(await source.waiting(new Set([first!.id]))).toEqual([]);
    dovecot.removeFolder("again", ".Spam");
    dovecot.deliver("again", mail("another"), ".Spam");
    expect(await source.read(first!, 100_000)).toBeUndefined();
    await source.markProcessed(first!);
    expect(dovecot.messages("again", ".Spam")).toHaveLength(1);
    const [another] = await source.waiting(new Set([first!.id]));
    expect(Buffer.from((await source.read(another!, 100_000))!).toString()).toContain("another");
    await source.close();
  });

  it("requires STARTTLS on another machine, and an existing folder", async () => {
    await expect(place("anyone", { tls: "starttls" }).check()).rejects.toMatchObject({
      message: "The certificate of the IMAP server is not trusted. No password was sent.",
    });
    await expect(place("anyone", { mailbox: "Nowhere" }).check()).rejects.toMatchObject({
      kind: "not_configured",
      hint: "Correct IMAP_MAILBOX.",
    });
    await expect(place("anyone").check()).resolves.toBeUndefined();
  });
});

it.skipIf(!isHere)(
  "is copied and expunged where the server cannot move, also where nothing comes over SMTP [mail.imap]",
  async () => {
    const dovecot = await startDovecot(["MOVE", "UIDPLUS", "IDLE"]);
    onTestFinished(() => dovecot.stop());
    dovecot.deliver("old", mail("from an old server"));
    const world = makeWorld(dovecot, "old");
    const { said } = await world.startHere({ INGEST_RECIPIENTS: "", SMTP_PORT: "" });
    expect(said).toContain("INGEST_RECIPIENTS is not set: no mail is accepted over SMTP.");
    await expect.poll(world.subjects, soon).toEqual(["from an old server"]);
    await expect
      .poll(
        () => [dovecot.messages("old"), dovecot.messages("old", ".Countersign.Processed")],
        soon,
      )
      .toEqual([[], [mail("from an old server")]]);
  },
);
