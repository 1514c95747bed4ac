import { describe, expect, it } from "vitest";
import { smtpLimits } from "../../src/intake/limits.ts";
import type { SmtpIntake } from "../../src/intake/smtp.ts";
import { type SmtpLine, smtpLine } from "../servers/smtp-line.ts";
import { envelope, greeted, open, start } from "./smtp-intake.ts";

describe("a client that delivers nothing [mail.smtp-shares]", () => {
  it("is disconnected for commands that lead to no message [mail.smtp-shares]", async () => {
    const { intake } = await start();
    for (const command of ["NOOP", "RSET", "HELP", "VRFY me", "EHLO again", "MAIL FROM:<>"]) {
      const line = await greeted(intake);
      line.write(`${command}\r\n`.repeat(200));
      const replies = await line.closed();
      expect(replies.length, command).toBeLessThanOrEqual(50);
      expect(replies.at(-1), command).toMatch(/^421 .*without a message/);
    }
  });

  it("is disconnected for recipients without a sender [mail.smtp-shares]", async () => {
    const { intake } = await start();
    const line = await greeted(intake);
    line.write("RCPT TO:<me@example.org>\r\n".repeat(1_500));
    expect((await line.closed()).at(-1)).toMatch(/^421 .*without a message/);
  });

  it("is distinguished from one that delivers a hundred messages on one connection [mail.smtp-shares]", async () => {
    const { kept, intake } = await start();
    const line = await greeted(intake);
    line.write(`RSET\r\n${envelope}x\r\n.\r\n`.repeat(100));
    line.write("QUIT\r\n");
    expect((await line.closed()).at(-1)).toMatch(/^221 /);
    expect(kept).toHaveLength(100);
  });

  it("is disconnected if it starts no message in time, whatever it sends [mail.smtp-shares]", async () => {
    const limits = { ...smtpLimits, envelopeMs: 1_000, idleCommands: 1_000 };
    const { intake } = await start({ limits });
    const line = await greeted(intake);
    const trickle = setInterval(() => line.write("NOOP\r\n"), 50);
    expect((await line.closed()).at(-1)).toMatch(/^421 Timed out/);
    clearInterval(trickle);
  });
});

describe.skipIf(process.platform !== "linux")("places for deliveries [mail.smtp-shares]", () => {
  const from = async (intake: SmtpIntake, address: string, count: number) => {
    const lines = await Promise.all(
      Array.from({ length: count }, () => smtpLine(intake.port, address)),
    );
    open.push({ close: () => lines.forEach((line) => line.destroy()) });
    return lines;
  };
  const deliver = async (line: SmtpLine, hello = "EHLO client.example") => {
    line.write(`${hello}\r\n${envelope}x\r\n.\r\n`);
    for (let index = 0; index < 4; index += 1) await line.reply();
    return await line.reply();
  };

  // Two addresses held all of them with NOOP, ten minutes each.
  it.each(["smtp", "lmtp"] as const)("are not held by two addresses over %s", async (protocol) => {
    const { kept, intake } = await start({ protocol });
    const held = [
      ...(await from(intake, "127.1.0.1", 25)),
      ...(await from(intake, "127.2.0.1", 25)),
    ];
    const [own] = await from(intake, "127.3.0.1", 1);
    const hello = protocol === "lmtp" ? "LHLO client.example" : "EHLO client.example";
    expect(await deliver(own!, hello)).toMatch(/^250 /);
    expect(kept).toHaveLength(1);
    expect(await held[0]!.reply()).toMatch(/^421 .*try again later/);
  });

  it("are not taken from a running message, and are reserved for known senders", async () => {
    const { intake } = await start({ limits: { ...smtpLimits, connections: 2 } });
    const [relay] = await from(intake, "127.3.0.1", 1);
    expect(await deliver(relay!)).toMatch(/^250 /);
    relay!.write("QUIT\r\n");
    await relay!.closed();
    const busy = [...(await from(intake, "127.1.0.1", 1)), ...(await from(intake, "127.2.0.1", 1))];
    for (const line of busy) {
      line.write(`EHLO client.example\r\n${envelope}`);
      for (let index = 0; index < 4; index += 1) await line.reply();
    }
    const [stranger] = await from(intake, "127.4.0.1", 1);
    await stranger!.closed();
    const [again] = await from(intake, "127.3.0.1", 1);
    expect(await deliver(again!)).toMatch(/^250 /);
    for (const line of busy) {
      line.write("x\r\n.\r\n");
      expect(await line.reply()).toMatch(/^250 /);
    }
  });
});
