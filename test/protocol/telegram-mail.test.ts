import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { smtpSession } from "../servers/ingest.ts";
import { botToken } from "../servers/telegram.ts";
import { type Home, ingestHere } from "./home.ts";
import { runHere } from "./program.ts";
import { homeWithBot } from "./telegram-home.ts";

const mail = (subject: string, text: string): Buffer =>
  Buffer.from(
    `From: Ann <ann@mail.example>\r\nTo: me@in.example\r\nSubject: ${subject}\r\nMessage-ID: <${subject.replaceAll(/\W/g, "")}@x>\r\n\r\n${text}\r\n`,
  );

async function ingesting(home: Home) {
  const ingest = await ingestHere(home, home.env);
  const session = await smtpSession(ingest.port);
  home.later(() => session.close());
  return {
    send: async (subject: string, text = "Hello.") =>
      expect(await session.send(mail(subject, text))).toMatch(/^250/),
    stop: async () => {
      session.close();
      await ingest.stop("SIGTERM");
    },
  };
}

describe.concurrent("new mail", { timeout: 120_000 }, () => {
  it("is reported with sender, subject and summary, once, and many in one message [mail.notices]", async (t) => {
    const { home, bot, message } = await homeWithBot(t, { NOTIFY_NEW_MAIL: "true" });
    const first = await ingesting(home);
    await first.send("Invoice 7 https://pay.example/x", "Pay at www.pay.example or /start now.");
    const told = await message("1 new mail.", 40_000);
    for (const part of [
      "from: Ann <ann@mail.example>",
      "subject: Invoice 7 hxxps[:]//pay[.]example/x",
      "summary: Pay at www[.]pay[.]example or /start now.",
    ])
      t.expect(told.text).toContain(part);
    t.expect(told.links).toEqual([]);

    for (let index = 1; index <= 12; index += 1) await first.send(`Number ${index}.`);
    const many = await message("12 new mails.", 60_000);
    t.expect(many.text.match(/subject: /g)).toHaveLength(5);
    t.expect(many.text).toContain("subject: Number 12.");
    t.expect(many.text).toContain("7 more are searchable.");
    await first.stop();

    // The next leader reports nothing again.
    const second = await ingesting(home);
    await second.send("Alone");
    await vi.waitFor(() => expect(bot.messages).toHaveLength(3), 40_000);
    t.expect(bot.messages[2]?.text).toMatch(
      /^1 new mail\.\n\nfrom: .*\nsubject: Alone\nsummary: Hello\.$/,
    );
    await second.stop();
  });

  it("is reported only if NOTIFY_NEW_MAIL is set [mail.notices]", async (t) => {
    const { home, bot, message } = await homeWithBot(t);
    const silent = await ingesting(home);
    await silent.send("Unannounced");
    await vi.waitFor(
      async () => expect(await home.sql("SELECT 1 FROM mail WHERE due_at IS NULL")).toHaveLength(1),
      30_000,
    );
    await silent.stop();
    home.env["NOTIFY_NEW_MAIL"] = "true";
    const telling = await ingesting(home);
    await telling.send("Announced");
    await message("1 new mail.", 40_000);
    t.expect(bot.messages.map(({ text }) => text).join("\n")).not.toContain("Unannounced");
    await telling.stop();
  });

  it("is counted if imported or in quarantine, and a deferred notice is sent later [mail.notices]", async (t) => {
    const { home, bot, message } = await homeWithBot(
      t,
      { NOTIFY_NEW_MAIL: "true", INGEST_SENDERS: "owner@mail.example" },
      (method, response, count) => {
        if (method !== "sendMessage" || count > 1) return false;
        const parameters = { retry_after: 1 };
        const refusal = {
          ok: false,
          error_code: 429,
          description: "Too Many Requests",
          parameters,
        };
        response.writeHead(429).end(JSON.stringify(refusal));
        return true;
      },
    );
    const folder = join(home.dir, "old");
    mkdirSync(folder);
    for (let index = 1; index <= 20; index += 1)
      writeFileSync(join(folder, `${index}.eml`), mail(`Old ${index}`, "Long ago."));
    const ingest = await ingesting(home);
    await ingest.send("A stranger's subject");
    t.expect((await runHere(home, ["import", folder])).stdout).toContain("20 stored");
    await message("20 mails imported.", 60_000);
    await message("1 mail in quarantine.", 60_000);
    const texts = bot.messages.map(({ text }) => text).join("\n");
    t.expect(texts).not.toContain("subject");
    t.expect(texts.match(/imported|in quarantine/g)).toHaveLength(2);
    const { stdout } = await runHere(home, ["mail", "quarantine"]);
    t.expect(stdout).toContain("A stranger's subject");
    t.expect(texts).not.toContain(botToken);
    await ingest.stop();
  });
});
