import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { smtpLimits } from "../../src/intake/limits.ts";
import { makeDirectory } from "../fakes/temporary-directory.ts";
import { makeCertificate } from "../servers/certificate.ts";
import { smtpLine } from "../servers/smtp-line.ts";
import { envelope, greeted, open, sending, start } from "./smtp-intake.ts";

/** A second transaction, which must never count as one. */
const smuggled = `MAIL FROM:<b@example.org>\r\nRCPT TO:<me@in.example>\r\nDATA\r\nSubject: smuggled\r\n\r\n`;

describe("a false end of DATA [mail.smtp-whole]", () => {
  it.each([
    ["LF . LF", "\n.\n"],
    ["LF . CRLF", "\n.\r\n"],
    ["CRLF . LF", "\r\n.\n"],
    ["CR . CR", "\r.\r"],
    ["CR . CRLF", "\r.\r\n"],
    ["CRLF . CR", "\r\n.\r"],
    ["NUL in it", "\r\n.\0\r\n"],
    ["CRLF NUL . CRLF", "\r\n\0.\r\n"],
  ])("is a part of the message: %s", async (_name, end) => {
    const { kept, intake } = await start();
    const line = await sending(intake);
    line.write(`Subject: one\r\n\r\nbefore${end}${smuggled}`);
    line.write("\r\n.\r\n");
    expect(await line.reply()).toMatch(/^250 /);
    line.write("NOOP\r\n");
    expect(await line.reply()).toMatch(/^250 .*OK/);
    expect(kept).toHaveLength(1);
    expect(kept[0]).toContain("Subject: smuggled");
  });

  it("stays a part of the message however it is split into packets", async () => {
    const { kept, intake } = await start();
    const line = await sending(intake);
    for (const byte of `..\r\n.\n${"x".repeat(5)}\r\n..\r\n`) {
      line.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    line.write(".\r\n");
    expect(await line.reply()).toMatch(/^250 /);
    expect(kept).toEqual([".\r\n.\nxxxxx\r\n.\r\n"]);
  });
});

describe("a client that breaks the rules [mail.smtp-bounds]", () => {
  it("may pipeline two messages and further commands", async () => {
    const { kept, intake } = await start();
    const line = await greeted(intake);
    line.write(`${envelope}first\r\n.\r\n${envelope}second\r\n.\r\nQUIT\r\n`);
    const replies = await line.closed();
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(
      "250 250 354 250 250 250 354 250 221".split(" "),
    );
    expect(kept).toEqual(["first\r\n", "second\r\n"]);
  });

  it("may send a line of 10 MB, NUL and binary data, all of which is stored", async () => {
    const { kept, intake } = await start();
    const line = await sending(intake);
    const message = `Subject: x\r\n\r\n${"y".repeat(10_000_000)}\0\xff\xfe`;
    line.write(`${message}\r\n.\r\n`);
    expect(await line.reply()).toMatch(/^250 /);
    expect(kept[0] === `${message}\r\n`).toBe(true);
  });

  it("is disconnected for a command without an end", async () => {
    const { intake } = await start();
    const line = await greeted(intake);
    line.write(`NOOP ${"x".repeat(10_000)}`);
    expect(await line.reply()).toMatch(/^421 /);
    await line.closed();
  });

  it("reaches at most a hundred of a thousand recipients", async () => {
    const { kept, intake } = await start();
    const line = await greeted(intake);
    line.write("MAIL FROM:<a@example.org>\r\n");
    await line.reply();
    const codes: Record<string, number> = {};
    for (let index = 0; index < 1_000; index += 1) {
      line.write(`RCPT TO:<user${index}@in.example>\r\n`);
      const code = (await line.reply()).slice(0, 3);
      codes[code] = (codes[code] ?? 0) + 1;
    }
    expect(codes).toEqual({ 250: 100, 452: 900 });
    line.write("DATA\r\n");
    await line.reply();
    line.write("x\r\n.\r\n");
    expect(await line.reply()).toMatch(/^250 /);
    expect(kept).toHaveLength(1);
  });

  it("is disconnected for probing addresses", async () => {
    const { intake } = await start();
    const line = await greeted(intake);
    line.write("MAIL FROM:<a@example.org>\r\n");
    await line.reply();
    const guesses = Array.from(
      { length: 150 },
      (_, index) => `RCPT TO:<${index}@else.example>\r\n`,
    );
    line.write(guesses.join(""));
    const replies = await line.closed();
    expect(replies).toHaveLength(101);
    expect(replies[99]).toMatch(/^550 /);
    expect(replies[100]).toMatch(/^421 /);
  });

  it("is disconnected if its message takes too long, whatever it trickles", async () => {
    const limits = { ...smtpLimits, messageMs: 2_000 };
    const { kept, intake } = await start({ limits });
    const line = await sending(intake);
    const trickle = setInterval(() => line.write("x"), 50);
    const replies = await line.closed();
    clearInterval(trickle);
    expect(replies.at(-1)).toMatch(/^421 Timed out/);
    expect(kept).toEqual([]);
  });

  it("is disconnected if it trickles commands or stays silent", async () => {
    // One limit for each server. If this process is delayed, a client that trickles also counts as silent.
    const startWith = async (limits: { messageMs?: number; idleMs?: number }) =>
      (await start({ limits: { ...smtpLimits, ...limits } })).intake;
    const busy = await greeted(await startWith({ messageMs: 2_000 }));
    const silent = await greeted(await startWith({ idleMs: 1_000 }));
    const trickle = setInterval(() => busy.write("NOOP\r\n"), 50);
    expect((await silent.closed()).at(-1)).toMatch(/^421 .*Timeout/);
    expect((await busy.closed()).at(-1)).toMatch(/^421 Timed out/);
    clearInterval(trickle);
  });

  it("leaves nothing behind if it disconnects during a message", async () => {
    const { kept, intake } = await start();
    const line = await sending(intake);
    line.write("Subject: half\r\n\r\nand");
    line.destroy();
    const other = await sending(intake);
    other.write("whole\r\n.\r\n");
    expect(await other.reply()).toMatch(/^250 /);
    expect(kept).toEqual(["whole\r\n"]);
  });

  it("shares the memory for large messages with others, and is asked to retry if it is used up", async () => {
    const megabytes = (count: number): string => `${"x".repeat(998)}\r\n`.repeat(count * 1_000);
    const keeping = new EventEmitter();
    const reached = once(keeping, "begun");
    const { intake } = await start({
      maxBytes: 4_000_000,
      limits: { ...smtpLimits, largeMessagesBytes: 4_500_000 },
      keep: (message) => {
        if (message.length < 3_000_000) return Promise.resolve();
        keeping.emit("begun");
        return once(keeping, "end");
      },
    });
    const first = await sending(intake);
    first.write(`${megabytes(3)}.\r\n`);
    await reached;
    const [broken, second] = [await sending(intake), await sending(intake)];
    broken.write(megabytes(1));
    broken.destroy();
    second.write(`${megabytes(2)}.\r\n`);
    expect(await second.reply()).toMatch(/^452 .*try again later/);
    second.write(`${envelope}small\r\n.\r\n`);
    const replies = [];
    for (let index = 0; index < 4; index += 1) replies.push((await second.reply()).slice(0, 3));
    expect(replies).toEqual(["250", "250", "354", "250"]);
    keeping.emit("end");
    expect(await first.reply()).toMatch(/^250 /);
    const again = await sending(intake);
    again.write(`${megabytes(2)}.\r\n`);
    expect(await again.reply()).toMatch(/^250 /);
  });

  it("has 25 connections, and another one after one ends", async () => {
    const { intake } = await start();
    const lines = await Promise.all(Array.from({ length: 25 }, () => greeted(intake)));
    const refused = await smtpLine(intake.port);
    open.push({ close: () => refused.destroy() });
    await refused.closed();
    lines[0]!.write("QUIT\r\n");
    await lines[0]!.closed();
    await expect
      .poll(async () => {
        const line = await greeted(intake);
        line.write("NOOP\r\n");
        return (await line.reply()).slice(0, 3);
      })
      .toBe("250");
  });
});

describe("STARTTLS [mail.starttls]", () => {
  const directory = makeDirectory();
  afterAll(() => directory.remove());
  const files = makeCertificate(directory.path, ["127.0.0.1"]);
  const tls = { cert: readFileSync(files.cert, "utf8"), key: readFileSync(files.key, "utf8") };
  const ca = readFileSync(files.cert);

  it("is offered only with a certificate", async () => {
    const plain = await greeted((await start()).intake);
    plain.write("STARTTLS\r\n");
    expect(await plain.reply()).toMatch(/^5/);
    const line = await greeted((await start({ tls })).intake);
    line.write("STARTTLS\r\n");
    expect(await line.reply()).toMatch(/^220 /);
    const secured = await line.secure(ca);
    secured.write("EHLO client.example\r\n");
    expect(await secured.reply()).toMatch(/^250 /);
    secured.write(`${envelope}encrypted\r\n.\r\n`);
    const replies = [];
    for (let index = 0; index < 4; index += 1) replies.push(await secured.reply());
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(["250", "250", "354", "250"]);
  });

  it("drops commands that were injected before it", async () => {
    const { kept, intake } = await start({ tls });
    const line = await greeted(intake);
    line.write("STARTTLS\r\nMAIL FROM:<evil@example.org>\r\nRCPT TO:<me@in.example>\r\n");
    expect(await line.reply()).toMatch(/^220 /);
    const secured = await line.secure(ca);
    secured.write("DATA\r\nEHLO client.example\r\nDATA\r\n");
    const replies = [await secured.reply(), await secured.reply(), await secured.reply()];
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(["503", "250", "503"]);
    expect(kept).toEqual([]);
  });

  it("presents a renewed certificate to new connections", async () => {
    const { intake } = await start({ tls });
    const renewed = makeCertificate(directory.path, ["127.0.0.1"], "renewed");
    const fingerprint = async (authority: Buffer): Promise<string> => {
      const line = await greeted(intake);
      line.write("STARTTLS\r\n");
      await line.reply();
      return (await line.secure(authority)).fingerprint;
    };
    const before = await fingerprint(ca);
    intake.renewCertificate({
      cert: readFileSync(renewed.cert, "utf8"),
      key: readFileSync(renewed.key, "utf8"),
    });
    expect(await fingerprint(readFileSync(renewed.cert))).not.toBe(before);
  });
});

describe("LMTP", () => {
  it("answers for each recipient, and rejects EHLO", async () => {
    const { kept, intake } = await start({ protocol: "lmtp" });
    const line = await greeted(intake, "LHLO relay.example");
    line.write("EHLO relay.example\r\n");
    expect(await line.reply()).toMatch(/^500 /);
    const recipients = ["a@in.example", "b@else.example", "c@in.example"];
    const to = recipients.map((recipient) => `RCPT TO:<${recipient}>\r\n`).join("");
    line.write(`MAIL FROM:<>\r\n${to}DATA\r\n`);
    const replies: string[] = [];
    for (let index = 0; index < 5; index += 1) replies.push((await line.reply()).slice(0, 3));
    expect(replies).toEqual(["250", "250", "550", "250", "354"]);
    line.write("for two\r\n.\r\nQUIT\r\n");
    expect((await line.closed()).map((reply) => reply.slice(0, 3))).toEqual(["250", "250", "221"]);
    expect(kept).toEqual(["for two\r\n"]);
  });

  // Three were accepted and one was answered, so that the client waited.
  it("answers for a recipient that is named again", async () => {
    const { kept, intake } = await start({ protocol: "lmtp" });
    const line = await greeted(intake, "LHLO relay.example");
    const to = ["a@in.example", "A@IN.example", "a@in.example"];
    line.write(`MAIL FROM:<>\r\n${to.map((one) => `RCPT TO:<${one}>\r\n`).join("")}DATA\r\n`);
    const replies: string[] = [];
    for (let index = 0; index < 5; index += 1) replies.push((await line.reply()).slice(0, 3));
    expect(replies).toEqual(["250", "250", "452", "452", "354"]);
    line.write("x\r\n.\r\nQUIT\r\n");
    expect((await line.closed()).map((reply) => reply.slice(0, 3))).toEqual(["250", "221"]);
    expect(kept).toEqual(["x\r\n"]);
  });

  it("defers each recipient if the message cannot be stored", async () => {
    const keep = () => Promise.reject(new Error("the disk is full"));
    const { intake } = await start({ protocol: "lmtp", keep });
    const line = await greeted(intake, "LHLO relay.example");
    line.write("MAIL FROM:<>\r\nRCPT TO:<a@in.example>\r\nRCPT TO:<b@in.example>\r\nDATA\r\n");
    for (let index = 0; index < 4; index += 1) await line.reply();
    line.write("x\r\n.\r\n");
    expect([await line.reply(), await line.reply()].map((reply) => reply.slice(0, 3))).toEqual([
      "451",
      "451",
    ]);
  });
});
