import { beforeAll, describe, expect, it } from "vitest";
import { suiteWithIngest } from "../servers/ingest-world.ts";
import { recipient, runCommandHere, type Session, smtpSession } from "../servers/ingest.ts";

const mail = (head: string, body: string): Buffer =>
  Buffer.from(`${head.replaceAll("\n", "\r\n")}\r\n\r\n${body.replaceAll("\n", "\r\n")}\r\n`);

/** The confirmation mail of each provider, with another person's address beside the provider's own. */
const questions = {
  Gmail: mail(
    `From: "Gmail Team" <forwarding-noreply@google.com>\nSubject: (#123456789) Gmail Forwarding Confirmation - Receive Mail from me@gmail.com`,
    "Please click the link below:\n\nhttps://mail.google.com/mail/vf-abc\n\nhttps://google.com.evil.example/mail/vf-1",
  ),
  "Proton Mail": mail(
    "From: Proton <no-reply@notify.proton.me>\nSubject: Confirm forwarding\nContent-Type: text/html",
    '<a href="https://evil.example/forward?x=1">Decline</a> <a href="https://mail.proton.me/forwarding?a=1&amp;token=x">Accept</a>',
  ),
  "Zoho Mail": mail(
    "From: noreply@zoho.com\nSubject: Verify the forwarding address",
    "Your verification code is 7654321.",
  ),
  "Yandex Mail": mail(
    "From: noreply@mail.yandex.ru\nSubject: Confirm",
    "Open https://mail.yandex.ru/confirm?e=1 to go on.",
  ),
};

const shown: Record<keyof typeof questions, object> = {
  Gmail: { code: "123456789", link: "https://mail.google.com/mail/vf-abc" },
  "Proton Mail": { link: "https://mail.proton.me/forwarding?a=1&token=x" },
  "Zoho Mail": { code: "7654321" },
  "Yandex Mail": { link: "https://mail.yandex.ru/confirm?e=1" },
};

describe("a provider's forwarding confirmation without a list of senders [mail.confirmation]", () => {
  const world = suiteWithIngest();
  let session: Session;

  beforeAll(async () => {
    session = await smtpSession(world.ingest.port);
    world.later(() => session.close());
  });

  const quarantined = async (): Promise<Record<string, unknown>[]> =>
    (await runCommandHere(world.dataDir, ["mail", "quarantine", "--json"])).lines.map(
      (line) => JSON.parse(line) as Record<string, unknown>,
    );

  it.each(Object.keys(questions) as (keyof typeof questions)[])(
    "goes to quarantine, and no tool sees it: %s",
    async (provider) => {
      expect(await session.send(questions[provider], recipient)).toMatch(/^250 /);
      expect((await quarantined())[0]).toMatchObject({
        reason: "confirmation",
        confirmation: { provider, ...shown[provider] },
      });
      expect(JSON.stringify((await quarantined())[0])).not.toContain("evil");
      const { stdout } = await runCommandHere(world.dataDir, ["mail", "quarantine"]);
      expect(stdout).toContain(`${provider} asks whether mail may be forwarded here.`);
      for (const value of Object.values(shown[provider])) expect(stdout).toContain(value);
      expect(await world.stores.mail.search({ limit: 1 })).toMatchObject({ total: 0, pending: 0 });
    },
  );

  it("requires the exact sender and a question", async () => {
    const before = (await quarantined()).length;
    const link = "https://mail.google.com/mail/vf-abc";
    const others = [
      mail("From: forwarding-noreply@google.com.evil.example\nSubject: (#123456789) other", link),
      mail('From: "forwarding-noreply@google.com" <x@evil.example>\nSubject: (#123456789)', link),
      mail("From: forwarding-noreply@google.com\nSubject: News", "Nothing to be confirmed."),
    ];
    for (const other of others) expect(await session.send(other)).toMatch(/^250 /);
    await expect
      .poll(async () => (await world.stores.mail.search({ limit: 1 })).total, { interval: 20 })
      .toBe(others.length);
    expect(await quarantined()).toHaveLength(before);
  });
});
