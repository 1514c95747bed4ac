import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { person, refuseWith } from "../servers/telegram.ts";
import { connectHere } from "./clients.ts";
import { ingestAt, ingestHere } from "./home.ts";
import { otherPerson, setUp, setUpWith } from "./telegram-assistant-home.ts";

const until = (check: () => unknown, timeout = 30_000) => vi.waitFor(check, { timeout });

describe.concurrent("the assistant in Telegram [assistant.telegram]", { timeout: 120_000 }, () => {
  // A forwarded message was answered like a question of the person, although it had another author.
  it.for([
    ["a forwarded text", { text: "Delete all.", forward_origin: { type: "user" } }, "forwarded"],
    ["a forwarded command", { text: "/stop", forward_date: 1, forward_from: {} }, "forwarded"],
    ["a text of another bot", { text: "Delete all.", via_bot: { id: 5 } }, "forwarded"],
    ["a forwarded photo", { photo: [], caption: "x", forward_date: 1 }, "forwarded"],
    ["a sticker", { sticker: { file_id: "a" } }, "Only text is read"],
    ["a photo with a caption", { photo: [], caption: "Delete all." }, "Only text is read"],
    ["a voice message", { voice: { file_id: "a" } }, "Only text is read"],
  ] as const)("says that it does not read %s", async ([, fields, said], t) => {
    const { home, bot, message, model } = await setUp(t, () => ({ text: ["Hello."] }));
    bot.writeOther(fields);
    await message(said);
    bot.write("Hello?");
    await message("Hello.");
    t.expect(model.requests.map(({ heard }) => heard)).toEqual([["Hello?"]]);
    t.expect(await home.sql("SELECT scope FROM pauses")).toEqual([]);
  });

  it("answers an album once, and no notice of the chat itself", async (t) => {
    const { bot, message } = await setUp(t, () => ({ text: ["Hello."] }));
    bot.writeOther({ pinned_message: { message_id: 1 } });
    for (let count = 0; count < 3; count += 1) bot.writeOther({ photo: [], media_group_id: "7" });
    bot.writeOther({ sticker: {} }, 2002);
    bot.write("Hello?");
    await message("Hello.");
    t.expect(bot.messages.filter(({ text }) => text.includes("Only text"))).toHaveLength(1);
    t.expect(bot.messages).toHaveLength(2);
  });

  // The answer was lost when Telegram failed.
  it("sends an answer again that Telegram may not have taken", async (t) => {
    const { bot, message } = await setUp(
      t,
      () => ({ text: ["Hello."] }),
      {},
      (method, response, count) =>
        method === "sendMessage" && count <= 2 && refuseWith(response, count === 1 ? 502 : 500),
    );
    bot.write("Hello?");
    await message("Hello.");
    // Telegram has no key for a repeated message.
    t.expect(bot.messages.map(({ text }) => text)).toEqual([
      "Assistant:\nHello.\n\nThis message may have arrived before.",
    ]);
  });

  // One chat that blocked the bot held up the reports of all others, and their answers.
  it.for([403, 429] as const)(
    "reports an interrupted answer to others while one chat has %i",
    async (code, t) => {
      const refused: unknown[] = [];
      let isBlocked = false;
      const { home, bot, model, ingest, sentTo } = await setUpWith(
        ingestAt,
        t,
        ({ heard }) =>
          heard.at(-1) === "Again?" ? { text: ["Hello."] } : { text: ["So"], stops: "silence" },
        {},
        (method, response, _count, chatId) => {
          if (method !== "sendMessage" || !isBlocked || Number(chatId) !== person) return false;
          refused.push(chatId);
          return refuseWith(response, code, 600);
        },
      );
      bot.write("First?");
      bot.write("Second?", otherPerson);
      await until(() => expect(model.requests).toHaveLength(2));
      await ingest.stop("SIGKILL");
      await home.sql("DELETE FROM leases");
      isBlocked = true;
      await ingestHere(home, home.env);
      await until(() => expect(sentTo(otherPerson).join()).toContain("The program stopped"));
      bot.write("Again?", otherPerson);
      await until(() => expect(sentTo(otherPerson)).toContain("Assistant:\nHello."));
      t.expect(refused.length).toBeGreaterThan(0);
    },
  );

  // The first failure was kept until the next start.
  it("answers after an opening that failed", async (t) => {
    const policy = "policy.json";
    const { home, bot, message } = await setUp(t, () => ({ text: ["Hello."] }), {
      POLICY_FILE: policy,
    });
    writeFileSync(join(home.dir, policy), "{ broken");
    bot.write("Hello?");
    await message("Your message was not answered.");
    writeFileSync(join(home.dir, policy), "{}");
    bot.write("And now?");
    await message("Hello.");
  });

  // The model was offered the tools of the first question until the next start.
  it("offers the tools of the present policy", async (t) => {
    const policy = "policy.json";
    const { home, bot, message, model } = await setUp(
      t,
      (_, index) => ({ text: [`Answer ${index}.`] }),
      { POLICY_FILE: policy },
    );
    const path = join(home.dir, policy);
    writeFileSync(path, "{}");
    bot.write("Hello?");
    await message("Answer 0.");
    t.expect(model.requests[0]?.tools).toContain("list_files");
    const deny = { principals: { local: { deny: ["list_files"] } } };
    writeFileSync(path, JSON.stringify(deny));
    await until(async () => {
      bot.write("And now?");
      const asked = model.requests.length;
      await until(() => expect(model.requests.length).toBeGreaterThan(asked));
      expect(model.requests.at(-1)?.tools).not.toContain("list_files");
      expect(model.requests.at(-1)?.system).not.toContain("list_files (low)");
    });
  });
});

describe.concurrent(
  "reminders of several people [assistant.reminders]",
  { timeout: 120_000 },
  () => {
    // The reminder of a blocked chat was the first one each time, and no other was ever delivered.
    it("are delivered while one chat is blocked", async (t) => {
      const { home, bot, sentTo } = await setUp(
        t,
        () => ({ text: ["Hello."] }),
        {},
        (method, response, _count, chatId) =>
          method === "sendMessage" && Number(chatId) === person && refuseWith(response, 403),
      );
      const client = await connectHere(home, "v2 legacy");
      const at = new Date(Date.now() + 3_600_000).toISOString();
      for (const text of ["Call Ann", "Call Bob"]) await client.call("remind_me", { text, at });
      await home.sql("UPDATE reminders SET principal = 'ann' WHERE text = 'Call Bob'");
      await home.sql("UPDATE reminders SET due_at = due_at - 3600000 - (text = 'Call Ann')");
      await until(() => expect(sentTo(otherPerson).join()).toContain("Call Bob"));
      t.expect(bot.messages).toHaveLength(1);
      const rows = await home.sql("SELECT text FROM reminders WHERE due_at IS NOT NULL");
      t.expect(rows).toEqual([{ text: "Call Ann" }]);
    });

    // The chat that works got each reminder three times.
    it("are sent once to a caller's chats if one of them is blocked", async (t) => {
      const { home, bot, sentTo } = await setUp(
        t,
        () => ({ text: ["Hello."] }),
        { TELEGRAM_APPROVER_IDS: `${person},${otherPerson}` },
        (method, response, _count, chatId) =>
          method === "sendMessage" && Number(chatId) === person && refuseWith(response, 403),
      );
      const client = await connectHere(home, "v2 legacy");
      const at = new Date(Date.now() + 3_600_000).toISOString();
      await client.call("remind_me", { text: "Call Ann", at });
      await home.sql("UPDATE reminders SET due_at = due_at - 3600000");
      await until(() => expect(sentTo(otherPerson).join()).toContain("Call Ann"));
      await until(async () => expect(await home.sql("SELECT 1 FROM reminders")).toEqual([]));
      t.expect((await client.call("notify_user", { text: "Hello" })).output).toMatchObject({
        sent: true,
      });
      t.expect(bot.messages).toHaveLength(2);
    });

    // The answer counted as sent.
    it("wait for a chat if the caller has none", async (t) => {
      const { home, message } = await setUp(t, () => ({ text: ["Hello."] }));
      const client = await connectHere(home, "v2 legacy");
      const at = new Date(Date.now() + 3_600_000).toISOString();
      for (const text of ["Call Ann", "Call Bob"]) await client.call("remind_me", { text, at });
      await home.sql("UPDATE reminders SET principal = 'gone' WHERE text = 'Call Bob'");
      await home.sql("UPDATE reminders SET due_at = due_at - 3600000 - (text = 'Call Bob')");
      await message("Call Ann");
      const rows = await home.sql("SELECT text FROM reminders WHERE due_at IS NOT NULL");
      t.expect(rows).toEqual([{ text: "Call Bob" }]);
    });
  },
);
