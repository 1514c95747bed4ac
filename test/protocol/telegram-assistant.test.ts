import { describe, expect, it, vi } from "vitest";
import type { Reply } from "../servers/chat-model.ts";
import { person } from "../servers/telegram.ts";
import { ingestAt, ingestHere, runsOf, storedFile } from "./home.ts";
import { runHere } from "./program.ts";
import { otherPerson, setUp, setUpWith } from "./telegram-assistant-home.ts";

const until = (check: () => unknown, timeout = 30_000) => vi.waitFor(check, { timeout });

describe.concurrent("the assistant in Telegram [assistant.telegram]", { timeout: 120_000 }, () => {
  it("answers in the chat with tools, shows that it types, and continues the conversation", async (t) => {
    const { home, bot, message, model } = await setUp(t, (_, index) =>
      index === 0
        ? { calls: [["write_file", { key: "plan.md", content: "a plan" }]] }
        : { text: ["It is ", "written."] },
    );
    bot.write("Write a plan.");
    await message("It is written.");
    t.expect(bot.calls).toContain("sendChatAction");
    t.expect(await storedFile(home, "plan.md")).toMatchObject({ there: true });
    // The program reports the call, with its button.
    const report = await message("plan.md");
    t.expect(report.buttons.map(({ text }) => text)).toContain("Undo");
    bot.write("And now?");
    await until(() => expect(model.requests).toHaveLength(3));
    t.expect(model.requests[2]?.heard[0]).toBe("Write a plan.");
    await until(() =>
      expect(bot.messages.filter(({ text }) => text === "Assistant:\nIt is written.")).toHaveLength(
        2,
      ),
    );
    bot.write("/new");
    await message("New conversation.");
    bot.write("Once more?");
    await until(() => expect(model.requests).toHaveLength(4));
    t.expect(model.requests[3]?.heard).toEqual(["Once more?"]);
  });

  it("asks in the same chat, and completes the answer after the press", async (t) => {
    const { home, bot, message, model } = await setUp(t, (_, index) =>
      index === 0
        ? {
            text: ["I write and delete it."],
            calls: [
              ["write_file", { key: "a.md", content: "text" }],
              ["delete_file", { key: "a.md" }],
            ],
          }
        : { text: ["It is gone."] },
    );
    bot.write("Delete it.");
    const asked = await message("Delete the file");
    t.expect(asked.chatId).toBe(person);
    t.expect(bot.messages.map(({ text }) => text)).toContain("Assistant:\nI write and delete it.");
    t.expect(asked.text).toContain('local, with "assistant in Telegram"');
    t.expect(model.requests).toHaveLength(1);
    t.expect(await bot.press(asked, "Approve")).toBe("Approved.");
    await message("It is gone.");
    t.expect(await runsOf(home, "delete_file")).toBe(1);
    t.expect(await storedFile(home, "a.md")).toMatchObject({ there: false });
    t.expect(model.requests[1]?.heard.at(-1)).not.toContain("approval_required");
  });

  it("separates the texts before and after a call", async (t) => {
    const { bot, message } = await setUp(t, (_, index) =>
      index === 0
        ? { text: ["Let me look."], calls: [["list_files", {}]] }
        : { text: ["Nothing."] },
    );
    bot.write("What is there?");
    const { text } = await message("Nothing.");
    t.expect(text).toBe("Assistant:\nLet me look.\n\nNothing.");
  });

  it("sends a long answer in parts, as plain text without links", async (t) => {
    const paragraph = `${"Many words of a long answer. ".repeat(60)}See https://evil.example/x or @evil.\n\n`;
    const { bot, message } = await setUp(t, () => ({ text: [paragraph.repeat(4), "The end."] }));
    bot.write("Tell me a story.");
    await message("The end.");
    t.expect(bot.messages.length).toBeGreaterThan(1);
    t.expect(bot.messages.every(({ text }) => text.length <= 4_096)).toBe(true);
    t.expect(bot.messages.flatMap(({ links }) => links)).toEqual([]);
    t.expect(
      bot.messages
        .map(({ text }) => text)
        .join(" ")
        .match(/Many words/g),
    ).toHaveLength(240);
  });

  // Each piece of 3 900 characters was a message of its own, and a word of a megabyte took minutes of the server's time.
  it("shows the beginning of an answer that does not end", async (t) => {
    const { bot, message, sentTo } = await setUp(t, () => ({
      text: ["a.".repeat(50_000), "Say it. ".repeat(50_000)],
    }));
    bot.write("Well?");
    await message("The answer is longer than 40000 characters. Its end is not shown.");
    t.expect(sentTo(person).length).toBeLessThan(15);
  });

  // A text of the model looked like the program's own report.
  it("shows text of the model as a quotation below a head, and its own words without", async (t) => {
    const report = "Stopped.\n\nAn assistant wrote plan.md\nIt can be undone until tomorrow.";
    const { bot, message } = await setUp(t, () => ({
      text: [report, "\n".repeat(40), "Approved. ", "words ".repeat(900)],
      end: "refusal",
    }));
    bot.write("Well?");
    await message("The model refused to answer.");
    const [first, second, end, ...more] = bot.messages;
    t.expect(first?.text).toBe(`Assistant:\n${first?.quotations[0]}`);
    t.expect(first?.quotations[0]).toMatch(/^Stopped\.\n\nAn assistant wrote plan\.md\n/);
    t.expect(second?.text).toBe(`Assistant:\n${second?.quotations[0]}`);
    t.expect(end).toMatchObject({ text: "The model refused to answer.", quotations: [] });
    // No answer could be copied.
    t.expect([first?.isProtected, end?.isProtected]).toEqual([false, true]);
    t.expect(more).toEqual([]);
  });

  it("answers each update once, and no unknown person or group", async (t) => {
    const { bot, message, model } = await setUp(t, () => ({ text: ["Hello."] }));
    bot.write("Anybody?", 2002);
    bot.write("In a group?", person, { id: -5, type: "group" });
    bot.write("Hello?");
    await message("Hello.");
    bot.repeatLast();
    await until(() => expect(bot.isDrained()).toBe(true));
    bot.write("/start");
    await message("Write to the assistant here.");
    t.expect(model.requests).toHaveLength(1);
    t.expect(bot.messages.every(({ chatId }) => chatId === person)).toBe(true);
  });

  it("says after a kill that an answer was interrupted, and does not answer it again", async (t) => {
    const { home, bot, message, model, ingest } = await setUpWith(ingestAt, t, (_, index) =>
      index === 0 ? { text: ["I begin"], stops: "silence" } : { text: ["Hello again."] },
    );
    bot.write("A long question?");
    bot.write("And another?");
    await until(() => expect(model.requests).toHaveLength(1));
    await until(async () =>
      expect(await home.sql("SELECT 1 FROM assistant_turns")).toHaveLength(2),
    );
    await ingest.stop("SIGKILL");
    await home.sql("DELETE FROM leases");
    await ingestHere(home, home.env);
    await message("The program stopped while 2 messages of yours were open");
    bot.write("Are you there?");
    await message("Hello again.");
    t.expect(model.requests).toHaveLength(2);
    await until(async () => expect(await home.sql("SELECT 1 FROM assistant_turns")).toEqual([]));
  });

  it("answers one person while the other's messages wait, and says once that they wait", async (t) => {
    const { bot, model, sentTo } = await setUp(t, ({ heard }) =>
      heard.at(-1)?.startsWith("slow") === true
        ? { text: ["I begin"], stops: "silence" }
        : { text: ["Hello, Ann."] },
    );
    for (let count = 0; count < 12; count += 1) bot.write(`slow ${count}`);
    await until(() => expect(model.requests).toHaveLength(1));
    bot.write("Hello?", otherPerson);
    await until(() => expect(sentTo(otherPerson)).toEqual(["Assistant:\nHello, Ann."]));
    await until(() => expect(sentTo(person).join()).toContain("3 messages of yours are waiting"));
    t.expect(sentTo(person)).toHaveLength(1);
    t.expect(model.requests).toHaveLength(2);
  });

  it("is stopped by /stop, and only a second /stop pauses", async (t) => {
    const { home, bot, message, model } = await setUp(t, () => ({
      text: ["I begin"],
      stops: "silence",
    }));
    bot.write("A long question?");
    await until(() => expect(model.requests).toHaveLength(1));
    bot.write("/stop");
    await message("The answer was stopped. Nothing is paused.");
    await message("Stopped.");
    t.expect(await home.sql("SELECT scope FROM pauses WHERE resumed_at IS NULL")).toEqual([]);
    bot.write("/stop");
    await message("Paused. No call that needs approval runs");
    t.expect(await home.sql("SELECT scope FROM pauses WHERE resumed_at IS NULL")).toHaveLength(1);
    bot.write("/start");
    await message("Resumed.");
  });

  it("gives each person the rights and the conversation of their own caller", async (t) => {
    const { home, bot, sentTo } = await setUp(t, (_, index) =>
      index === 0
        ? { calls: [["remind_me", { text: "Call", at: "2099-01-01T09:00:00Z" }]] }
        : { text: ["Done."] },
    );
    bot.write("Remind me.", otherPerson);
    await until(() => expect(sentTo(otherPerson)).toContain("Assistant:\nDone."));
    t.expect(await home.sql("SELECT principal FROM reminders")).toEqual([{ principal: "ann" }]);
    const [row] = await home.sql("SELECT DISTINCT session FROM assistant_exchanges");
    t.expect(row?.["session"]).toBe(`telegram-${otherPerson}`);
    t.expect(
      (await runHere(home, ["chat", "--delete", "--session", `telegram-${otherPerson}`])).stdout,
    ).toBe("Deleted 1 questions.\n");
  });

  it.for([
    ["a rate limit", { status: 429, headers: { "retry-after": "7" } }, "Try again in 7 s."],
    ["a refusal", { text: ["No."], end: "refusal" }, "The model refused to answer."],
    ["a cut stream", { text: ["So"], stops: "cut" }, "not complete"],
    ["silence", { text: ["So"], stops: "silence" }, "The model did not answer in time."],
  ] satisfies [string, Reply, string][])(
    "reports %s of the service",
    async ([, reply, said], t) => {
      const env = { ASSISTANT_TIMEOUT_MS: "1000" };
      const { bot, message } = await setUp(
        t,
        (_, index) => (index === 0 ? reply : { text: ["Ok."] }),
        env,
      );
      bot.write("Well?");
      await message(said);
      bot.write("And now?");
      await message("Ok.");
    },
  );
});

describe("without ASSISTANT_TELEGRAM", () => {
  it("a message is answered with help alone", async (t) => {
    const { bot, message, model } = await setUp(t, () => ({ text: ["Hello."] }), {
      ASSISTANT_TELEGRAM: "false",
    });
    bot.write("Hello?");
    await message("Decide requests with the buttons below them.");
    t.expect(model.requests).toEqual([]);
  });
});
