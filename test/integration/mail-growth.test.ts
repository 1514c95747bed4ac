import { describe, expect, it } from "vitest";
import { Secret } from "../../src/core/shared/secret.ts";
import { createAcceptMessage } from "../../src/ingest/pipeline/accept-message.ts";
import type { Quarantined } from "../../src/ports/mail/mail-store.ts";
import { firstStep } from "../../src/ingest/pipeline/steps.ts";
import { type HttpIntakeSettings, openHttpIntake } from "../../src/intake/http.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { suiteThatIngests } from "../servers/ingest-world.ts";
import { envelope, greeted, open, start } from "./smtp-intake.ts";

const token = "a-token-of-enough-characters";
const headers = { authorization: `Bearer ${token}`, "content-type": "message/rfc822" };
const hour = { periodMs: 3_600_000, remembered: 10 };

/** Receives mail over HTTP in this process. */
async function receiving(more: Partial<HttpIntakeSettings>) {
  const intake = await openHttpIntake({
    host: "127.0.0.1",
    port: 0,
    token: new Secret(token),
    behindProxy: false,
    maxBytes: 1_000_000,
    keep: () => Promise.resolve({ emailId: "em_x", isNew: true, isQuarantined: false }),
    log: quietLog,
    ...more,
  });
  open.push(intake);
  return async (body: string) => {
    const url = `http://127.0.0.1:${intake.port}/ingest`;
    const response = await fetch(url, { method: "POST", headers, body: Buffer.from(body) });
    const wait = Number(response.headers.get("retry-after"));
    return { status: response.status, wait, text: await response.text() };
  };
}

describe("a flood of mail [mail.growth]", () => {
  const world = suiteThatIngests();

  /** Accepts messages while mail may fill this many bytes, and processes none. */
  function accepting(room: number, quarantine?: Quarantined) {
    return createAcceptMessage({
      objects: world.ingest.stores.objects,
      store: world.ingest.store,
      inboxBytes: 0,
      firstStep,
      roomForMail: () => Promise.resolve(room),
      quarantineOf: () => Promise.resolve(quarantine),
      runner: { wake: () => undefined, reserve: () => undefined },
    });
  }

  async function count(sql: string): Promise<number> {
    const { rows } = await world.ingest.stores.database.read({ sql, args: [] });
    return Number(rows[0]?.["n"]);
  }

  async function objectsOfMail(): Promise<number> {
    const { objects } = await world.ingest.stores.objects.list({
      prefix: "mail/raw/",
      limit: 1_000,
    });
    return objects.length;
  }

  it("with the right token over HTTP ends at the messages of an hour, with the time of the next one", async () => {
    let kept = 0;
    const keep = () => {
      kept += 1;
      return Promise.resolve({ emailId: "em_x", isNew: true, isQuarantined: false });
    };
    const post = await receiving({ keep, arrivals: { ...hour, messages: 3, bytes: 1_000_000 } });
    const answers = [];
    for (let at = 0; at < 40; at += 1) answers.push(await post(`Subject: ${at}\r\n\r\nx\r\n`));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(kept);
    expect(kept).toBe(3);
    const last = answers.at(-1)!;
    expect(last.status).toBe(429);
    expect(last.wait).toBeGreaterThan(1_100);
    expect(last.wait).toBeLessThanOrEqual(1_200);
    expect(last.text).toMatch(/its limit for an hour.*Try again in \d+ s\. Nothing was stored\./);
  });

  it("of simultaneous large messages ends at the hour's bytes", async () => {
    let kept = 0;
    const keep = (message: Uint8Array) => {
      kept += message.length;
      return Promise.resolve({ emailId: "em_x", isNew: true, isQuarantined: false });
    };
    const post = await receiving({ keep, arrivals: { ...hour, messages: 1_000, bytes: 500_000 } });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => post(`Subject: ${at}\r\n\r\n${"y".repeat(99_000)}`)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      202, 202, 202, 202, 202, 429, 429, 429,
    ]);
    expect(kept).toBeLessThanOrEqual(500_000);
  });

  it("charges the share for stored messages alone", async () => {
    let isBroken = true;
    const keep = () =>
      isBroken
        ? Promise.reject(new Error("the database is unavailable"))
        : Promise.resolve({ emailId: "em_x", isNew: true, isQuarantined: false });
    const post = await receiving({ keep, arrivals: { ...hour, messages: 2, bytes: 1_000_000 } });
    for (let at = 0; at < 10; at += 1) expect((await post("Subject: x\r\n\r\ny")).status).toBe(503);
    isBroken = false;
    expect((await post("Subject: x\r\n\r\ny")).status).toBe(202);
  });

  it("from one network over SMTP ends at the hour's messages with a temporary failure", async () => {
    const { kept, intake } = await start({
      arrivals: { ...hour, messages: 2, bytes: 1_000_000 },
    });
    const line = await greeted(intake);
    const replies = [];
    for (let at = 0; at < 5; at += 1) {
      line.write(envelope);
      for (let reply = 0; reply < 3; reply += 1) await line.reply();
      line.write(`Subject: ${at}\r\n\r\nx\r\n.\r\n`);
      replies.push((await line.reply()).slice(0, 3));
    }
    expect(replies).toEqual(["250", "250", "452", "452", "452"]);
    expect(kept).toHaveLength(2);
  });

  it("is refused while the disk has too little space, over HTTP and SMTP, and stores nothing", async () => {
    const before = await count("SELECT count(*) AS n FROM mail");
    const keep = accepting(0 + 50);
    const answer = await (await receiving({ keep }))("Subject: late\r\n\r\nx");
    expect(answer).toMatchObject({ status: 507, wait: 600 });
    expect(answer.text).toMatch(/too little free space\. Nothing was stored\./);
    const { intake } = await start({ keep });
    const line = await greeted(intake);
    line.write(`${envelope}`);
    for (let reply = 0; reply < 3; reply += 1) await line.reply();
    line.write("Subject: later\r\n\r\nx\r\n.\r\n");
    expect(await line.reply()).toMatch(/^452 /);
    expect(await count("SELECT count(*) AS n FROM mail")).toBe(before);
    const room = await receiving({ keep: accepting(0 + 1_000) });
    expect((await room("Subject: in time\r\n\r\nx")).status).toBe(202);
  });

  // Blank lines at its end made 25 MB more of a known message each time, and no deletion ever found them.
  it("of one message with other line ends stores at most a hundred forms, each with its receipt", async () => {
    const before = await objectsOfMail();
    const keep = accepting(Infinity);
    const ids = new Set<string>();
    for (let at = 0; at < 150; at += 1) {
      const form = `Subject: forms\r\n\r\n${"line\n".repeat(at)}${"line\r\n".repeat(150 - at)}`;
      const { emailId } = await keep(Buffer.from(form), { intake: "http" });
      ids.add(emailId);
    }
    expect(ids.size).toBe(1);
    expect((await objectsOfMail()) - before).toBe(100);
    const of = `FROM mail_receipts r JOIN mail USING (email_id) WHERE email_id = '${[...ids][0]}'`;
    expect(
      await count(`SELECT count(DISTINCT coalesce(r.raw_sha256, mail.raw_sha256)) AS n ${of}`),
    ).toBe(100);
  });

  // The receipt of a message in quarantine names its own form, because the row of the message may later name another.
  it("of a message in quarantine keeps the form of each arrival", async () => {
    const held = accepting(Infinity, { reason: "sender", from: "a@b.example", subject: "held" });
    const { emailId } = await held(Buffer.from("Subject: held\n\nline\n"), { intake: "http" });
    for (const end of ["\r\n", "\n"]) {
      const form = `Subject: held${end}${end}line${end}`;
      await accepting(Infinity)(Buffer.from(form), { intake: "http" });
    }
    const forms = "coalesce(r.raw_sha256, mail.raw_sha256)";
    const of = `FROM mail_receipts r JOIN mail USING (email_id) WHERE email_id = '${emailId}'`;
    expect(await count(`SELECT count(*) AS n ${of}`)).toBe(3);
    expect(await count(`SELECT count(DISTINCT ${forms}) AS n ${of}`)).toBe(2);
    expect(await count(`SELECT count(*) AS n ${of} AND r.raw_sha256 IS NULL`)).toBe(1);
  });
});
