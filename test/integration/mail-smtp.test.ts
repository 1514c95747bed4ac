import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { createTransport, type SendMailOptions } from "nodemailer";
import { describe, expect, it } from "vitest";
import { openSmtpIntake } from "../../src/intake/smtp.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { openIngestWorld, suiteWithIngest } from "../servers/ingest-world.ts";
import { recipient, smtpSession } from "../servers/ingest.ts";
import { makeCertificate } from "../servers/certificate.ts";
import { smtpLine } from "../servers/smtp-line.ts";

const fixture = (name: string): Uint8Array =>
  readFileSync(new URL(`../fixtures/mail/${name}`, import.meta.url));

describe("mail over SMTP", () => {
  const world = suiteWithIngest({ INGEST_MAX_BYTES: "70000" });

  const search = (query: string) => world.stores.mail.search({ query, limit: 10 });
  const found = (query: string) =>
    expect.poll(async () => (await search(query)).hits, { interval: 20 });

  async function send(mail: SendMailOptions): Promise<string> {
    const { port } = world.ingest;
    const transport = createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
    const { response } = await transport.sendMail({
      from: "Ann <ann@example.org>",
      to: recipient,
      ...mail,
    });
    transport.close();
    return response;
  }

  it("is searchable and readable with its attachment after it was acknowledged", async () => {
    const response = await send({
      to: `Me <${recipient}>`,
      cc: "bob@example.org",
      subject: "Läuft der Zug?",
      date: new Date("2026-02-03T04:05:06Z"),
      text: "Hello,\n\nthe train to Köln leaves at nine. Please be there.\n\n-- \nAnn",
      attachments: [{ filename: "ticket.pdf", content: Buffer.from("%PDF-1.4 not really") }],
    });
    expect(response).toMatch(/^250 /);
    await found("koln zug").toHaveLength(1);
    const { hits, total, newest, pending } = await search("koln zug");
    expect({ total, pending }).toEqual({ total: 1, pending: 0 });
    expect(newest!.getTime()).toBeGreaterThan(Date.now() - 60_000);
    const [hit] = hits;
    expect(hit).toMatchObject({
      from: { name: "Ann", address: "ann@example.org", source: "header" },
      subject: "Läuft der Zug?",
      date: new Date("2026-02-03T04:05:06Z"),
      summary: "the train to Köln leaves at nine. Please be there.",
      summarySource: "extract",
      attachmentCount: 1,
    });
    expect(hit!.snippet).toContain("train to Köln");
    const mail = await world.stores.mail.read(hit!.emailId, { offset: 0, length: 1_000 });
    expect(mail).toMatchObject({
      to: [{ name: "Me", address: recipient }],
      cc: [{ address: "bob@example.org" }],
      attachments: [{ name: "ticket.pdf", mediaType: "application/pdf", bytes: 19 }],
    });
    expect(Buffer.from(mail.text.window).toString()).toContain("the train to Köln leaves at nine.");
  });

  it("is stored unchanged under its hash [mail.raw]", async () => {
    const session = await smtpSession(world.ingest.port);
    const raw = "Subject: kept as is\r\n\r\n.a dot\r\nand an \xff\r\n";
    expect(await session.send(Buffer.from(raw, "latin1"))).toMatch(/^250 /);
    session.close();
    await found("kept as is").toHaveLength(1);
    const { objects } = await world.stores.objects.list({ prefix: "mail/raw/", limit: 100 });
    const bodies = await Promise.all(
      objects.map(async ({ key }) =>
        Buffer.from((await world.stores.objects.get(key))!.body).toString("latin1"),
      ),
    );
    expect(bodies).toContain(raw);
  });

  it("that arrives twice, once with a blank line more, is one mail with two receipts [mail.idempotent]", async () => {
    const message = "Subject: only once\r\n\r\nunrepeatable\r\n";
    const forms = [message, `${message}\r\n`];
    const session = await smtpSession(world.ingest.port);
    for (const form of forms) {
      expect(await session.send(Buffer.from(form))).toMatch(/^250 /);
    }
    session.close();
    await found("unrepeatable").toHaveLength(1);
    const [hit] = (await search("unrepeatable")).hits;
    const { rows } = await world.stores.database.read({
      sql: "SELECT intake, envelope_from, envelope_to, lower(hex(coalesce(r.raw_sha256, mail.raw_sha256))) AS raw_sha256 FROM mail_receipts r JOIN mail USING (email_id) WHERE email_id = ? ORDER BY position",
      args: [hit!.emailId],
    });
    const kept = rows.map(async (row) => {
      const object = await world.stores.objects.get(`mail/raw/${String(row["raw_sha256"])}`);
      return object && Buffer.from(object.body).toString("latin1");
    });
    expect(await Promise.all(kept)).toEqual(forms);
    const receipt = {
      intake: "smtp",
      envelope_from: "sender@example.org",
      envelope_to: `["${recipient}"]`,
    };
    expect(rows).toMatchObject([receipt, receipt]);
  });

  it("is refused with 550 for unlisted recipients, and not stored [mail.recipients]", async () => {
    const session = await smtpSession(world.ingest.port);
    expect(await session.send(Buffer.from("Subject: foreign\r\n\r\nx"), "you@in.example")).toMatch(
      /^550 /,
    );
    expect(
      await session.send(Buffer.from("Subject: upper\r\n\r\nuppercased"), "ME@IN.Example"),
    ).toMatch(/^250 /);
    session.close();
    await found("uppercased").toHaveLength(1);
    expect((await search("foreign")).total).toBe(0);
  });

  it("that is too large is refused: immediately if announced, otherwise at its end", async () => {
    const session = await smtpSession(world.ingest.port);
    expect(await session.say("MAIL FROM:<a@example.org> SIZE=70001")).toMatch(/^552 /);
    const tooLarge = Buffer.from(`Subject: giant\r\n\r\n${"giant words\r\n".repeat(6_000)}`);
    expect(await session.send(tooLarge)).toMatch(/^552 /);
    expect(await session.send(Buffer.from("Subject: next\r\n\r\nafterwards"))).toMatch(/^250 /);
    session.close();
    await found("afterwards").toHaveLength(1);
    expect((await search("giant")).total).toBe(0);
  });

  it("in HTML is converted to text with links and without invisible text [mail.readable]", async () => {
    const session = await smtpSession(world.ingest.port);
    expect(await session.send(fixture("html-with-hidden-text.eml"))).toMatch(/^250 /);
    session.close();
    await found("Rechnung").toHaveLength(1);
    const [hit] = (await search("Rechnung")).hits;
    const { text } = await world.stores.mail.read(hit!.emailId, { offset: 0, length: 10_000 });
    const readable = Buffer.from(text.window).toString();
    expect(readable).toContain("Zur Rechnung [https://shop.example/invoice/17]");
    expect(readable).toContain("Lampe | 2 | 40,00 €");
    expect(readable).not.toMatch(/ignore all|tracking|font-family/);
    expect((await search("ignore")).total).toBe(0);
  });
});

it("gets 451 if it cannot be stored [mail.put-off]", async () => {
  const intake = await openSmtpIntake({
    host: "127.0.0.1",
    port: 0,
    protocol: "smtp",
    tls: undefined,
    recipients: ["@in.example"],
    maxBytes: 1_000,
    keep: () => Promise.reject(new Error("the disk is full")),
    log: quietLog,
  });
  const session = await smtpSession(intake.port);
  expect(await session.send(Buffer.from("Subject: x\r\n\r\ny"))).toMatch(/^451 /);
  session.close();
  await intake.close();
});

describe("ingest that cannot start", () => {
  it("names INGEST_RECIPIENTS if it is missing", async () => {
    const start = openIngestWorld().start({
      INGEST_RECIPIENTS: "",
      SMTP_PORT: "",
    });
    await expect(start).rejects.toMatchObject({
      code: 1,
      message: expect.stringMatching(/^INGEST_RECIPIENTS is not set[^\n]*$/) as string,
    });
  });

  it("names SMTP_PORT if the port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const start = openIngestWorld().start({ SMTP_PORT: String(port) });
    await expect(start).rejects.toMatchObject({
      code: 1,
      message: `SMTP_PORT: another program listens at 127.0.0.1:${port} already. No mail was accepted. Stop that program, or set SMTP_PORT to another port.`,
    });
    other.close();
  });

  it("names a certificate that does not match its key", async () => {
    const { dataDir, start } = openIngestWorld();
    const one = makeCertificate(dataDir, ["127.0.0.1"], "one");
    const other = makeCertificate(dataDir, ["127.0.0.1"], "other");
    const started = start({ SMTP_TLS_CERT: one.cert, SMTP_TLS_KEY: other.key });
    await expect(started).rejects.toMatchObject({
      code: 1,
      message: expect.stringMatching(/^SMTP_TLS_CERT, SMTP_TLS_KEY: [^\n]*$/) as string,
    });
  });
});

it("a certificate is renewed at SIGHUP, and an invalid one keeps the old one", async () => {
  const { dataDir, start } = openIngestWorld();
  const { cert, key } = makeCertificate(dataDir, ["127.0.0.1"]);
  const old = readFileSync(cert);
  const ingest = await start({ SMTP_TLS_CERT: cert, SMTP_TLS_KEY: key });
  const says = async (words: string): Promise<void> => {
    ingest.process.kill("SIGHUP");
    await expect.poll(() => ingest.said.join("\n")).toContain(words);
  };
  const fingerprint = async (authority: Buffer): Promise<string> => {
    const line = await smtpLine(ingest.port);
    line.write("EHLO client.example\r\nSTARTTLS\r\n");
    await line.reply();
    await line.reply();
    const secured = await line.secure(authority);
    line.destroy();
    return secured.fingerprint;
  };
  const before = await fingerprint(old);
  writeFileSync(cert, "half a certific");
  await says("was not renewed");
  expect(await fingerprint(old)).toBe(before);
  makeCertificate(dataDir, ["127.0.0.1"]);
  await says("was renewed");
  expect(await fingerprint(readFileSync(cert))).not.toBe(before);
  expect(await ingest.stop("SIGTERM")).toBe(0);
});
