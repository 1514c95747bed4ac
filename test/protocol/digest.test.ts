import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { connect } from "./clients.ts";
import { type Home, ingestAt, ingestHere } from "./home.ts";
import { runHere, runProgram } from "./program.ts";
import { homeWithBot } from "./telegram-home.ts";

const dayMs = 86_400_000;
/** Midnight, so that it is due at every time of a day, and late at almost every. */
const inUtc = { DIGEST_AT: "00:00", INGEST_RECIPIENTS: "@inbox.test" };
const due = { ...inUtc, TZ: "Europe/Berlin" };

async function withMail(home: Home, run = runHere): Promise<void> {
  const path = join(home.dir, "mail.eml");
  const date = new Date().toUTCString();
  const head = `From: Ann <ann@example.org>\r\nTo: me@in.example\r\nDate: ${date}\r\nSubject: The garden\r\n`;
  writeFileSync(path, `${head}\r\nThe roses need water.\r\n`);
  expect((await run(home, ["import", path])).code).toBe(0);
}

describe.concurrent("the daily digest [assistant.digest]", { timeout: 120_000 }, () => {
  it("has new mail, waiting requests and yesterday's calls without approval, once a day", async (t) => {
    const { home, bot, message } = await homeWithBot(t, due);
    await withMail(home, runProgram);
    const client = await connect(home, "v2 legacy", { elicitation: "nothing" });
    await client.call("write_file", { key: "notes.md", content: "text" });
    await client.call("write_file", { key: "today.md", content: "text" });
    await home.sql("UPDATE audit SET at = at - ? WHERE sentence LIKE '%notes.md%'", [dayMs]);
    void client.call("delete_file", { key: "notes.md" }).catch(() => undefined);
    await vi.waitFor(async () => expect(await home.sql("SELECT 1 FROM tickets")).toHaveLength(1), {
      timeout: 20_000,
    });
    await Promise.all([ingestAt(home, home.env), ingestAt(home, home.env)]);
    const { text } = await message(/^Your day\./);
    t.expect(text).toContain("New mail: 1\nfrom: Ann: The garden\nsummary: The roses need water.");
    t.expect(text).toMatch(/Waiting for your approval: 1\nDelete the file "notes\.md"/);
    t.expect(text).toMatch(/Done yesterday without approval: 1\nwrote notes\.md/);
    t.expect(text).not.toContain("today.md");
    await vi.waitFor(
      () => expect(bot.calls.filter((call) => call === "getUpdates").length).toBeGreaterThan(0),
      { timeout: 20_000 },
    );
    t.expect(await home.sql("SELECT chat_id FROM digests")).toHaveLength(1);
    t.expect(bot.messages.filter((each) => each.text.startsWith("Your day."))).toHaveLength(1);
  });

  it("is sent only if it has content, and only after its time", async (t) => {
    const { home, bot } = await homeWithBot(t, due);
    await ingestAt(home, home.env);
    await vi.waitFor(async () => expect(await home.sql("SELECT 1 FROM digests")).toHaveLength(1), {
      timeout: 30_000,
    });
    t.expect(bot.messages).toEqual([]);
    // In this zone it is the first hour of the day.
    const hour = new Date().getUTCHours();
    const TZ = hour <= 12 ? `Etc/GMT+${hour}` : `Etc/GMT-${24 - hour}`;
    const early = await homeWithBot(t, { ...due, DIGEST_AT: "07:00", TZ });
    await withMail(early.home, runProgram);
    await ingestAt(early.home, early.home.env);
    await vi.waitFor(() => expect(early.bot.calls).toContain("getUpdates"), { timeout: 30_000 });
    t.expect(early.bot.messages).toEqual([]);
    t.expect(await early.home.sql("SELECT 1 FROM digests")).toEqual([]);
  });

  // Mail that was sent before one digest and arrived after it was in neither.
  it("has mail that arrived late or was sent long ago, but no old mail of an import", async (t) => {
    const { home, message } = await homeWithBot(t, inUtc);
    await withMail(home);
    await home.sql("UPDATE mail SET date = date - ?", [9 * dayMs]);
    await home.sql("UPDATE mail SET imported_from = NULL");
    const old = join(home.dir, "old.eml");
    writeFileSync(
      old,
      "From: Bob <b@example.org>\r\nDate: Mon, 1 Jan 2024 09:00:00 +0000\r\n\r\nOld.\r\n",
    );
    expect((await runHere(home, ["import", old])).code).toBe(0);
    await ingestHere(home, home.env);
    const { text } = await message(/^Your day\./);
    t.expect(text).toContain("New mail: 1\nfrom: Ann: The garden");
  });

  it("that was certainly not sent is sent again", async (t) => {
    const { home, message } = await homeWithBot(t, inUtc, (method, response, count) => {
      if (method !== "sendMessage" || count > 1) return false;
      response
        .writeHead(429, { "content-type": "application/json" })
        .end(
          '{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":1}}',
        );
      return true;
    });
    await withMail(home);
    await ingestHere(home, home.env);
    await message(/^Your day\./);
  });
});
