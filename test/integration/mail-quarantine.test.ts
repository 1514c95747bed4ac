import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { suiteWithIngest } from "../servers/ingest-world.ts";
import {
  recipient,
  runCommandHere,
  type Session,
  smtpSession,
  storesAt,
} from "../servers/ingest.ts";

const mail = (head: string, body: string): Buffer =>
  Buffer.from(`${head.replaceAll("\n", "\r\n")}\r\n\r\n${body}\r\n`);

/** The form that Gmail sends: the code in the subject, the text in base64. */
const question = mail(
  `From: Gmail Team <forwarding-noreply@google.com>
To: ${recipient}
Subject: =?UTF-8?Q?=28=23481516234=29_Gmail-Weiterleitungsbest=C3=A4tigung?=
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: base64`,
  Buffer.from(
    "me@gmail.com möchte weiterleiten:\n\nhttps://mail-settings.google.com/mail/vf-%5BANG%5D-x_Y\n\nhttps://evil.example/mail/vf-1\n",
  ).toString("base64"),
);

/** The result that the relay adds after it has checked the envelope's domain. */
const verified = (domain: string): string =>
  `Authentication-Results: mx.in.example; spf=pass smtp.mailfrom=someone@${domain}\n`;

interface Listed {
  emailId: string;
  state: string;
  subject: string;
  reason?: string;
  confirmation?: { provider: string; code?: string; link?: string };
  arrivals?: { intake: string; envelopeFrom?: string }[];
}

describe("mail without a listed sender", () => {
  const world = suiteWithIngest({
    INGEST_SENDERS: "me@gmail.com, @home.example",
    TRUSTED_AUTHSERV_ID: "mx.in.example",
    TRUSTED_RELAYS: "127.0.0.1",
  });
  let session: Session;

  beforeAll(async () => {
    session = await smtpSession(world.ingest.port);
    world.later(() => session.close());
  });

  const total = async (query: string): Promise<number> =>
    (await world.stores.mail.search({ query, limit: 10 })).total;
  const becomes = (query: string) => expect.poll(() => total(query), { interval: 20 });
  const listed = async (...args: string[]): Promise<Listed[]> =>
    (await runCommandHere(world.dataDir, ["mail", ...args, "--json"])).lines.map(
      (line) => JSON.parse(line) as Listed,
    );

  /**
   * Returns a function that lists the tables with rows of this message by its ids. A search cannot find its words in
   * all of them.
   */
  async function rowsOf(emailId: string): Promise<() => Promise<string[]>> {
    const read = async (sql: string, ...args: (string | number)[]) =>
      (await world.stores.database.read({ sql, args })).rows;
    const [ids] = await read(
      "SELECT email_id, mail_id, search_id FROM mail WHERE email_id = ?",
      emailId,
    );
    const places = await read(
      `SELECT t.name AS place, c.name AS id FROM sqlite_master t JOIN pragma_table_info(t.name) c
        WHERE t.type = 'table' AND c.name IN ('email_id', 'mail_id', 'search_id')`,
    );
    return async () => {
      const found: string[] = [];
      for (const { place, id } of places) {
        const value = String(ids?.[String(id)]);
        const rows = await read(`SELECT 1 FROM ${String(place)} WHERE ${String(id)} = ?`, value);
        if (rows.length > 0) found.push(`${String(place)}.${String(id)}`);
      }
      return found;
    };
  }

  const send = (message: Buffer, from?: string) => session.send(message, recipient, from);

  it("is accepted, quarantined and invisible to tools, and searchable after release [mail.quarantine]", async () => {
    expect(await send(mail("From: eve@stranger.example\nSubject: win big", "zebra prize"))).toMatch(
      /^250 /,
    );
    const [held] = await listed("quarantine");
    expect(held).toMatchObject({ state: "quarantined", reason: "sender", subject: "win big" });
    const { emailId } = held!;
    const state = await world.stores.mail.search({ limit: 10 });
    expect({ ...state }).toMatchObject({ total: 0, pending: 0, newest: undefined });
    await expect(world.stores.mail.read(emailId, { offset: 0, length: 1 })).rejects.toMatchObject({
      kind: "not_found",
    });
    expect(await listed("list")).toEqual([]);
    expect(await listed("show", emailId)).toMatchObject([
      { state: "quarantined", text: "zebra prize" },
    ]);
    expect((await runCommandHere(world.dataDir, ["mail", "retry", emailId])).status).toBe(1);
    expect(await listed("release", emailId)).toEqual([{ released: true, emailId }]);
    await becomes("zebra").toBe(1);
    expect((await runCommandHere(world.dataDir, ["mail", "show", emailId])).stdout).toContain(
      "\n\nzebra prize",
    );
    expect(await listed("quarantine")).toEqual([]);
    const again = await runCommandHere(world.dataDir, ["mail", "release", emailId]);
    expect(again).toMatchObject({
      status: 1,
      stderr: `${emailId} is not in quarantine. Nothing was done.\n`,
    });
    // A released message stays released, even if it arrives again.
    await send(mail("From: eve@stranger.example\nSubject: win big", "zebra prize"));
    expect(await listed("quarantine")).toEqual([]);
    expect((await listed("show", emailId))[0]?.arrivals).toHaveLength(2);
  });

  // The command said "Released".
  it("is not called released if another process deleted it meanwhile [mail.quarantine]", async () => {
    await send(mail("From: eve@stranger.example\nSubject: gone", "quokka"));
    const [held] = await listed("quarantine");
    const { emailId } = held!;
    const { database } = world.stores;
    const onStart = `CREATE TRIGGER other_process AFTER INSERT ON audit WHEN new.tool = 'mail release'
      BEGIN DELETE FROM mail_quarantine WHERE email_id = '${emailId}'; END`;
    await database.write([{ sql: onStart, args: [] }]);
    const released = await runCommandHere(world.dataDir, ["mail", "release", emailId]);
    await database.write([{ sql: "DROP TRIGGER other_process", args: [] }]);
    expect(released).toMatchObject({
      status: 1,
      stdout: "",
      stderr: `${emailId} is not in quarantine. Nothing was done.\n`,
    });
    const sql = "SELECT outcome FROM audit WHERE tool = 'mail release' ORDER BY seq DESC LIMIT 1";
    const { rows } = await database.read({ sql, args: [] });
    expect(rows).toMatchObject([{ outcome: "conflict" }]);
  });

  it("leaves quarantine when the same message arrives from a listed sender", async () => {
    const message = mail(
      `${verified("gmail.com")}From: eve@stranger.example\nSubject: twice`,
      "okapi",
    );
    await send(message);
    expect(await listed("quarantine")).toMatchObject([{ subject: "twice" }]);
    await send(message, "me@gmail.com");
    await becomes("okapi").toBe(1);
    expect(await listed("quarantine")).toEqual([]);
  });

  it.each([
    [
      "its verified envelope",
      "me@gmail.com",
      `${verified("gmail.com")}From: x@a.example`,
      "envelope",
    ],
    [
      "Gmail's form of the envelope, verified",
      "me+caf_=me=in.example@gmail.com",
      `${verified("gmail.com")}From: x@b.example`,
      "caf",
    ],
    ["From", undefined, "From: Me <Me@Gmail.com>", "fromheader"],
    ["all of From", undefined, "From: Me <Me@Gmail.com>, Ann <ann@home.example>", "allfrom"],
  ])(
    "is not mail that names a listed sender in %s [mail.senders]",
    async (_where, envelope, head, word) => {
      expect(await send(mail(`${head}\nSubject: named`, word), envelope)).toMatch(/^250 /);
      await becomes(word).toBe(1);
      expect(await listed("quarantine")).toEqual([]);
    },
  );

  it.each([
    ["its envelope, which nothing verifies", "me@gmail.com", "From: x@a.example"],
    [
      "its envelope, of which another domain was verified",
      "me@gmail.com",
      `${verified("evil.example")}From: x@a.example`,
    ],
    [
      "its envelope, which the relay found wrong",
      "me@gmail.com",
      "Authentication-Results: mx.in.example; spf=fail smtp.mailfrom=me@gmail.com\nFrom: x@a.example",
    ],
    ["one of its authors", undefined, "From: x@e.example, me@gmail.com"],
    ["one From of two", undefined, "From: me@gmail.com\nFrom: x@e.example"],
    ["Sender", undefined, "From: x@c.example\nSender: a@home.example"],
    ["Resent-From", undefined, "From: x@d.example\nResent-From: a@home.example"],
    ["another tag", "me+caf_=me=in.example@evil.example", "From: x@e.example"],
    ["a display name", undefined, 'From: "me@gmail.com" <x@f.example>'],
    ["a subdomain", undefined, "From: a@sub.home.example"],
    ["Reply-To", undefined, "From: x@g.example\nReply-To: me@gmail.com"],
  ])(
    "includes mail that names a listed sender only in %s [mail.senders]",
    async (_where, envelope, head) => {
      expect(await send(mail(`${head}\nSubject: unnamed`, "x"), envelope)).toMatch(/^250 /);
      const [held] = await listed("quarantine");
      expect(held).toMatchObject({ subject: "unnamed" });
      expect((await listed("delete", held!.emailId))[0]).toMatchObject({
        deleted: true,
        objects: 1,
      });
      expect(await listed("quarantine")).toEqual([]);
    },
  );

  it("is shown with code and link if Gmail asks for a confirmation [mail.confirmation]", async () => {
    expect(await send(question, "forwarding@google.com")).toMatch(/^250 /);
    const [held] = await listed("quarantine");
    expect(held).toMatchObject({
      reason: "confirmation",
      confirmation: {
        provider: "Gmail",
        code: "481516234",
        link: "https://mail-settings.google.com/mail/vf-%5BANG%5D-x_Y",
      },
    });
    const { stdout } = await runCommandHere(world.dataDir, ["mail", "quarantine"]);
    expect(stdout).toContain("Gmail asks whether mail may be forwarded here.");
    expect(stdout).toContain("enter the code 481516234 there");
    expect(await total("Weiterleitungsbestätigung")).toBe(0);
  });

  it("is gone from disk after deletion, and the audit record has an event [mail.delete]", async () => {
    const boundary = "Content-Type: multipart/mixed; boundary=b";
    const attached = (text: string): string =>
      `--b\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\n${text}\r\n`;
    const parts = (secret: string): string =>
      `--b\r\n\r\n${secret} quixotically\r\n${attached("shared")}${attached(`its ${secret}`)}--b--`;
    const people = `From: A Xylophonist <del@home.example>\nTo: B Xylophonist <${recipient}>`;
    await send(mail(`${people}\nSubject: go\n${boundary}`, parts("xylophonist")));
    await send(mail(`From: del@home.example\nSubject: stay\n${boundary}`, parts("marimbaplayer")));
    await becomes("quixotically").toBe(2);
    const { hits } = await world.stores.mail.search({ query: "xylophonist", limit: 1 });
    const { emailId } = hits[0]!;
    const leased = async (until: string): Promise<void> => {
      const sql = `UPDATE mail SET lease_until = ${until} WHERE email_id = ?`;
      await world.stores.database.write([{ sql, args: [emailId] }]);
    };
    await leased("unixepoch() * 1000 + 60000");
    expect(await runCommandHere(world.dataDir, ["mail", "delete", emailId])).toMatchObject({
      status: 1,
      stderr: `${emailId} is being read at this moment. Nothing was deleted. Try again in a few seconds.\n`,
    });
    await leased("NULL");
    // The message also waits for a summary.
    const model = { SUMMARY_PROVIDER: "anthropic", SUMMARY_MODEL: "any", SUMMARY_API_KEY: "any" };
    const summaries = ["mail", "retry", emailId, "--summaries"];
    expect((await runCommandHere(world.dataDir, summaries, model)).status).toBe(0);
    const rowsLeft = await rowsOf(emailId);
    expect(await rowsLeft()).toEqual(
      expect.arrayContaining([
        "mail_receipts.email_id",
        "mail_summaries.mail_id",
        "mail.search_id",
      ]),
    );
    expect(await listed("delete", emailId)).toEqual([{ deleted: true, emailId, objects: 4 }]);
    expect(await rowsLeft()).toEqual([]);
    expect(await total("xylophonist")).toBe(0);
    expect(await total("quixotically")).toBe(1);
    expect((await listed("list")).map((one) => one.emailId)).not.toContain(emailId);
    expect((await runCommandHere(world.dataDir, ["mail", "show", emailId])).status).toBe(1);
    await world.stores.close();
    world.stores = storesAt(world.dataDir);
    world.later(() => world.stores.close());
    for (const file of ["countersign.db", "countersign.db-wal", "objects.db", "objects.db-wal"]) {
      const bytes = readFileSync(join(world.dataDir, file)).toString("latin1");
      expect(bytes, file).not.toMatch(/xylophonist/i);
    }
    const { rows } = await world.stores.database.read({
      sql: "SELECT type, tool, client, sentence, outcome FROM audit ORDER BY seq DESC LIMIT 4",
      args: [],
    });
    const event = { tool: "mail delete", client: "terminal", sentence: `deleted mail ${emailId}` };
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { type: "finished", ...event, outcome: "ok" },
      { type: "started", ...event, outcome: null },
      // While it was read.
      { type: "finished", ...event, outcome: "failed" },
      { type: "started", ...event, outcome: null },
    ]);
    // The message is treated like any other if it arrives again.
    await send(mail(`${people}\nSubject: go\n${boundary}`, parts("xylophonist")));
    await becomes("xylophonist").toBe(1);
  });

  it("or of a sender, that failed, is listed with the reason and retried [mail.retry]", async () => {
    const { hits } = await world.stores.mail.search({ query: "xylophonist", limit: 1 });
    const { emailId } = hits[0]!;
    await world.stores.database.write([
      {
        sql: "UPDATE mail SET step = 'index', failure = 'the disk was full', search_id = NULL WHERE email_id = ?",
        args: [emailId],
      },
    ]);
    expect(await listed("failed")).toMatchObject([
      { emailId, state: "failed", step: "index", problem: "the disk was full" },
    ]);
    expect(await listed("retry")).toEqual([{ retried: 1 }]);
    await becomes("xylophonist").toBe(1);
    expect(await listed("failed")).toEqual([]);
  });

  it("prints its usage, and reports an invalid id", async () => {
    for (const args of [
      ["mail", "delete"],
      ["mail", "list", "em_x"],
      ["mail", "burn", "em_x"],
    ]) {
      expect(await runCommandHere(world.dataDir, args)).toMatchObject({ status: 2, stdout: "" });
    }
    expect(await runCommandHere(world.dataDir, ["mail", "delete", "em_none"])).toMatchObject({
      status: 1,
      stderr: "There is no message em_none. Nothing was done. `mail list` shows the ids.\n",
    });
  });
});
