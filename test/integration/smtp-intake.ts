import { afterEach, expect } from "vitest";
import { type SmtpIntake, type SmtpSettings, openSmtpIntake } from "../../src/intake/smtp.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { type SmtpLine, smtpLine } from "../servers/smtp-line.ts";

/** Resources that a test has opened. They are closed after it, the latest first. */
export const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

/** Receives mail in this process, and keeps it in a list. */
export async function start(more: Partial<SmtpSettings> = {}) {
  const kept: string[] = [];
  const intake: SmtpIntake = await openSmtpIntake({
    host: "127.0.0.1",
    port: 0,
    protocol: "smtp",
    tls: undefined,
    recipients: ["@in.example"],
    maxBytes: 20_000_000,
    keep: (message) => {
      kept.push(Buffer.from(message).toString("latin1"));
      return Promise.resolve();
    },
    log: quietLog,
    ...more,
  });
  open.push(intake);
  return { kept, intake };
}

/** Sends a line after the greetings of server and client. */
export async function greeted(
  intake: SmtpIntake,
  hello = "EHLO client.example",
): Promise<SmtpLine> {
  const line = await smtpLine(intake.port);
  open.push({ close: () => line.destroy() });
  line.write(`${hello}\r\n`);
  await line.reply();
  return line;
}

export const envelope = "MAIL FROM:<a@example.org>\r\nRCPT TO:<me@in.example>\r\nDATA\r\n";

/** Breaks off in the middle of DATA. */
export async function sending(intake: SmtpIntake): Promise<SmtpLine> {
  const line = await greeted(intake);
  line.write(envelope);
  expect([await line.reply(), await line.reply(), await line.reply()].at(-1)).toMatch(/^354 /);
  return line;
}
