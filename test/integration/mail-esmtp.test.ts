import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { openIngestWorld, suiteWithIngest } from "../servers/ingest-world.ts";
import { recipient, runCommandHere, smtpSession } from "../servers/ingest.ts";
import { smtpLine } from "../servers/smtp-line.ts";

describe("what ingest offers over SMTP", () => {
  const world = suiteWithIngest({
    INGEST_MAX_BYTES: "70000",
    // One address as people write it, and one in its form for DNS.
    INGEST_RECIPIENTS: `${recipient},jörg@BÜCHER.example,me@xn--mnchen-3ya.example`,
    INGEST_SENDERS: "grün@bücher.example,@xn--mnchen-3ya.example",
  });

  const becomes = (query: string) =>
    expect.poll(async () => (await world.stores.mail.search({ query, limit: 1 })).total, {
      interval: 20,
    });

  it("is announced after EHLO: the largest size, pipelining, 8BITMIME and SMTPUTF8 [mail.esmtp]", async () => {
    const session = await smtpSession(world.ingest.port);
    expect(session.offers).toEqual(
      expect.arrayContaining(["SIZE 70000", "PIPELINING", "8BITMIME", "SMTPUTF8"]),
    );
    expect(session.offers.join()).not.toMatch(/AUTH|STARTTLS/);
    session.close();
  });

  it("works: addresses and headers in UTF-8, and an eight-bit body, stored unchanged [mail.esmtp]", async () => {
    const session = await smtpSession(world.ingest.port);
    const mailFrom = "MAIL FROM:<grün@bücher.example> BODY=8BITMIME SMTPUTF8";
    expect(await session.say(mailFrom)).toMatch(/^250 /);
    expect(await session.say("RCPT TO:<Jörg@bücher.example>")).toMatch(/^250 /);
    expect(await session.say("DATA")).toMatch(/^354 /);
    const message = "From: Jörg <grün@bücher.example>\r\nSubject: Grüße 你好\r\n\r\nSchlüssel\r\n";
    expect(await session.say(`${message}.`)).toMatch(/^250 /);
    await becomes("Schlüssel").toBe(1);
    session.close();
    const { hits } = await world.stores.mail.search({ query: "你好", limit: 1 });
    expect(hits).toMatchObject([
      { from: { name: "Jörg", address: "grün@bücher.example" }, subject: "Grüße 你好" },
    ]);
    const { rows } = await world.stores.database.read({
      sql: "SELECT envelope_from, envelope_to, lower(hex(coalesce(r.raw_sha256, mail.raw_sha256))) AS raw_sha256 FROM mail_receipts r JOIN mail USING (email_id) WHERE email_id = ?",
      args: [hits[0]!.emailId],
    });
    expect(rows).toMatchObject([
      { envelope_from: "grün@bücher.example", envelope_to: '["Jörg@bücher.example"]' },
    ]);
    const raw = await world.stores.objects.get(`mail/raw/${String(rows[0]!["raw_sha256"])}`);
    expect(Buffer.from(raw!.body).toString()).toBe(message);
  });

  // A relay takes such mail and, refused for its sender's address, sends it back: it never comes again.
  it.each(["jiro..san.@docomo.example", "a@my_host.example"])(
    "accepts mail from an invalid address, as relays do: %s [mail.esmtp]",
    async (sender) => {
      const session = await smtpSession(world.ingest.port);
      const message = Buffer.from(`From: a@münchen.example\r\nSubject: ${sender}\r\n\r\nx\r\n`);
      expect(await session.send(message, recipient, sender)).toMatch(/^250 /);
      session.close();
    },
  );

  // Mail to the setting's very own words was refused with 550: the library hands on each domain as Unicode.
  it.each([
    ["bücher.example", "jörg@bücher.example", "grün@bücher.example"],
    ["xn--bcher-kva.example", "jörg@XN--bcher-kva.example", "grün@xn--bcher-kva.example"],
    ["xn--mnchen-3ya.example", "me@xn--mnchen-3ya.example", "a@xn--mnchen-3ya.example"],
    ["münchen.example", "me@MÜNCHEN.example", "a@münchen.example"],
    ["bücher.example, taken apart", "jo\u0308rg@bu\u0308cher.example", "gru\u0308n@bücher.example"],
  ])(
    "recognises an address in both forms of its domain: %s [mail.esmtp]",
    async (domain, to, sender) => {
      const session = await smtpSession(world.ingest.port);
      const known = `From: ${sender}\r\nSubject: known ${domain}\r\n\r\nby its author\r\n`;
      expect(await session.send(Buffer.from(known), to)).toMatch(/^250 /);
      const other = `From: x@stranger.example\r\nSubject: known ${domain}\r\n\r\nby its path\r\n`;
      expect(await session.send(Buffer.from(other), to, sender)).toMatch(/^250 /);
      session.close();
      await becomes(`subject:"known ${domain}"`).toBe(1);
      // The path alone proves nothing, because no SPF record authorizes a peer of this machine.
      const held = (await runCommandHere(world.dataDir, ["mail", "quarantine", "--json"])).lines;
      expect(held.filter((line) => line.includes(`"known ${domain}"`))).toHaveLength(1);
    },
  );
});

describe.skipIf(process.platform !== "linux")("against a flood [mail.smtp-bounds]", () => {
  const rssMegabytes = (pid: number): number =>
    Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;

  const flooded = () => openIngestWorld({ INGEST_MAX_BYTES: "70000" }).start();

  it("discards an oversized message on arrival, without memory", async () => {
    const ingest = await flooded();
    const before = rssMegabytes(ingest.process.pid!);
    const socket = connect(ingest.port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    // A client that sends before the greeting is rejected.
    await once(socket, "data");
    const lastReply = new Promise<string>((resolve) => {
      let said = "";
      socket.on("data", (data) => {
        said += data.toString();
        const refusal = /^552 .*$/m.exec(said)?.[0];
        if (refusal !== undefined) resolve(refusal);
      });
    });
    socket.write(
      `EHLO client.example\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<${recipient}>\r\nDATA\r\n`,
    );
    const piece = Buffer.from(`${"giant words ".repeat(80)}\r\n`.repeat(1_000));
    for (let megabytes = 0; megabytes < 200; megabytes += piece.length / 1e6)
      await new Promise((resolve) => socket.write(piece, resolve));
    socket.write("\r\n.\r\n");
    expect(await lastReply).toContain("70000 bytes at most");
    expect(rssMegabytes(ingest.process.pid!) - before).toBeLessThan(100);
  });

  it("limits connections to 25 per address and 50 in total, and closes those of the largest user", async () => {
    const ingest = await flooded();
    const from = async (address: string, count: number) => {
      const lines = Array.from({ length: count }, () => smtpLine(ingest.port, address));
      return await Promise.all(lines);
    };
    const held = [...(await from("127.0.1.1", 25)), ...(await from("127.0.2.1", 25))];
    onTestFinished(() => held.forEach((line) => line.destroy()));
    const [another] = await from("127.0.2.1", 1);
    await another!.closed();
    const [newcomer] = await from("127.0.3.1", 1);
    newcomer!.write("NOOP\r\n");
    expect(await newcomer!.reply()).toMatch(/^250 /);
    const answers = await Promise.all(
      held.map(async (line) => {
        line.write("NOOP\r\n");
        return (await line.reply()).slice(0, 3);
      }),
    );
    expect(answers.filter((code) => code === "250")).toHaveLength(49);
    held.at(-1)!.write("QUIT\r\n");
    await held.at(-1)!.closed();
  });
});
