import { type TestContext, describe, expect, it, vi } from "vitest";
import { person } from "../servers/telegram.ts";
import { connect, connectHere } from "./clients.ts";
import { operatorSecret } from "./home.ts";
import { runProgram } from "./program.ts";
import { homeWithBot } from "./telegram-home.ts";

const key = "notes/a.md";

/** Connects a client whose server is the leader, which reports changes from now on. */
async function told(t: TestContext, env: Record<string, string> = {}) {
  const world = await homeWithBot(t, env);
  const begin = async () => {
    const polls = world.bot.calls.filter((method) => method === "getUpdates").length;
    const open = env["TZ"] === undefined ? connectHere : connect;
    const client = await open(world.home, "v2 pinned", { elicitation: "approve" });
    await client.call("list_files", {});
    await vi.waitFor(
      () =>
        expect(world.bot.calls.filter((method) => method === "getUpdates").length).toBeGreaterThan(
          polls,
        ),
      30_000,
    );
    const write = async (content: string, to = key) =>
      expect((await client.call("write_file", { key: to, content })).isError).toBe(false);
    const content = async () => (await client.call("read_file", { key })).output?.["content"];
    return { client, write, content };
  };
  /** Reports begin with the record at this time. */
  const begun = () =>
    vi.waitFor(
      async () => expect(await world.home.sql("SELECT * FROM chat_progress")).toHaveLength(1),
      30_000,
    );
  return { ...world, begin, begun };
}

describe.concurrent("a change in Telegram", { timeout: 120_000 }, () => {
  it("is reported, and a press on Undo restores the file [telegram.changes] [telegram.undo]", async (t) => {
    const { home, bot, message, begin, begun } = await told(t);
    const { write, content } = await begin();
    await begun();
    await write("first");
    const created = await message(`wrote ${key}`);
    t.expect(created.text).toMatch(
      /^An assistant wrote notes\/a\.md, 5 bytes \("protocol-test"\)\nIt can be undone until \d.+\.$/,
    );
    t.expect(created.links).toEqual([]);
    t.expect(created.buttons.map(({ text }) => text)).toEqual(["Undo"]);

    await write("second");
    const replaced = await message(`replaced ${key}`);
    const again = replaced.buttons[0]!.callback_data;
    t.expect(await bot.press(replaced, "Undo")).toBe(`Undone: restored ${key}.`);
    t.expect(await content()).toBe("first");
    await vi.waitFor(
      () =>
        expect(replaced).toMatchObject({
          text: `An assistant replaced ${key}, 6 bytes ("protocol-test")\nUndone: restored ${key}.`,
          buttons: [],
          links: [],
        }),
      30_000,
    );
    t.expect(await bot.press(replaced, "", { data: again })).toContain("is already undone");

    // The first version was changed again by the later writes.
    t.expect(await bot.press(created, "Undo")).toContain("was changed again since then");
    t.expect(await content()).toBe("first");
    await vi.waitFor(() => expect(created.text).toContain("was changed again since then"), 30_000);
    t.expect(created.buttons).toEqual([]);
    const rows = await home.sql(
      "SELECT client, outcome FROM audit WHERE tool = 'undo' AND type = 'finished'",
    );
    t.expect(rows[0]).toMatchObject({ client: "telegram", outcome: "ok (telegram, operator)" });
    t.expect(bot.messages).toHaveLength(2);
  });

  it("is reported with times of this computer [telegram.changes]", async (t) => {
    const { message, begin, begun } = await told(t, { TZ: "Asia/Tokyo" });
    const { client } = await begin();
    await begun();
    await client.call("remind_me", { text: "the lease", at: "2031-05-06T07:00:00Z" });
    const report = await message("the lease");
    t.expect(report.text).toMatch(/stored a reminder for 6 May 2031, 16:00 \S+: "the lease"/);
  });

  it("is not undone by the press of an unauthorised person [telegram.undo] [telegram.others]", async (t) => {
    const stranger = 2002;
    const { bot, message, begin, begun } = await told(t);
    const { client, write, content } = await begin();
    await begun();
    await write("first");
    const created = await message(`wrote ${key}`);
    bot.pressUnanswered(created, "Undo", { from: stranger });
    bot.pressUnanswered(created, "Undo", { chat: { id: person, type: "supergroup" } });
    bot.pressUnanswered(created, "Undo", { chat: { id: stranger, type: "private" } });
    t.expect(await bot.press(created, "", { data: "undo" })).toContain("Nothing was decided");
    t.expect(await content()).toBe("first");

    // Removals have a button too.
    await client.call("delete_file", { key });
    const deleted = await message(`deleted ${key}`);
    t.expect(await bot.press(deleted, "Undo")).toBe(`Undone: restored ${key}.`);
    t.expect(await content()).toBe("first");
  });

  it("is one of five in a message about many, each with its button [telegram.changes] [telegram.undo]", async (t) => {
    const { home, bot, message, begin, begun } = await told(t);
    const { client, write } = await begin();
    await begun();
    for (let index = 1; index <= 7; index += 1) await write("x", `many/${index}.md`);
    const many = await message("7 changes.");
    t.expect(many.buttons.map(({ text }) => text)).toEqual([
      "Undo 1: many/7.md",
      "Undo 2: many/6.md",
      "Undo 3: many/5.md",
      "Undo 4: many/4.md",
      "Undo 5: many/3.md",
    ]);
    t.expect(many.text).toMatch(/2 more, listed by: .+main\.js activity/);
    t.expect(many.links).toEqual([]);
    t.expect(await bot.press(many, "Undo 2: many/6.md")).toBe("Undone: removed many/6.md.");
    await vi.waitFor(() => expect(many.buttons).toHaveLength(4), 30_000);
    t.expect(many.text).toContain("Undone: removed many/6.md.");

    // At another approval channel: its message says so.
    const { stdout } = await runProgram(home, ["undo", "list", "--json"]);
    const listed = stdout.trim().split("\n");
    const { undo } = JSON.parse(listed.find((line) => line.includes("many/5.md")) ?? "") as {
      undo: { undoId: string };
    };
    const undone = await runProgram(home, ["undo", undo.undoId, "--secret-stdin"], {
      input: `${operatorSecret}\n`,
    });
    t.expect(undone.code).toBe(0);
    await vi.waitFor(
      () => expect(many.text).toContain("Undone at the terminal: removed many/5.md."),
      30_000,
    );
    t.expect(many.buttons).toHaveLength(3);
    // The press uses the buttons of the message as it is now.
    t.expect(await bot.press(many, "Undo 4: many/4.md")).toBe("Undone: removed many/4.md.");
    const { files } = (await client.call("list_files", {})).output as { files: { key: string }[] };
    t.expect(files.map(({ key: left }) => left)).toEqual([
      "many/1.md",
      "many/2.md",
      "many/3.md",
      "many/7.md",
    ]);
    t.expect(bot.messages).toHaveLength(1);
  });

  it("is reported once across a restart, and its button still works [telegram.changes] [telegram.undo]", async (t) => {
    const { bot, message, begin, begun, home } = await told(t);
    const before = await connectHere(home, "v2 pinned", {});
    await before.call("write_file", { key: "old.md", content: "of before" });
    await before.close();
    const first = await begin();
    await begun();
    await first.write("first");
    const created = await message(`wrote ${key}`);
    await first.client.close();
    // No process is the leader now.
    const between = await connectHere(home, "v2 pinned", {});
    await between.call("write_file", { key: "between.md", content: "x" });
    await between.close();
    const pressed = bot.press(created, "Undo");
    const next = await begin();
    t.expect(await pressed).toBe(`Undone: removed ${key}.`);
    await message("wrote between.md", 30_000);
    await next.write("x", "after.md");
    await message("wrote after.md");
    const texts = bot.messages.map(({ text }) => text.split("\n")[0]);
    t.expect(texts).toEqual([
      `An assistant wrote ${key}, 5 bytes ("protocol-test")`,
      'An assistant wrote between.md, 1 byte ("protocol-test")',
      'An assistant wrote after.md, 1 byte ("protocol-test")',
    ]);
  });

  it("and a request cannot be decided by an approver who was reassigned [approvers.scope] [telegram.undo]", async (t) => {
    const { home, bot, message, begin, begun } = await told(t);
    const first = await begin();
    await begun();
    await first.write("first");
    const created = await message(`wrote ${key}`);
    const asking = await connectHere(home, "v2 pinned", {});
    expect((await asking.call("delete_file", { key })).isError).toBe(true);
    const asked = await message("Delete the file");
    await Promise.all([asking.close(), first.client.close()]);

    home.env["TELEGRAM_APPROVER_IDS"] = `alice:${person}`;
    const next = await begin();
    t.expect(await bot.press(created, "Undo")).toContain("Nothing was decided");
    t.expect(await bot.press(asked, "Approve")).toContain("Nothing was decided");
    t.expect(await next.content()).toBe("first");
    const rows = await home.sql("SELECT status FROM tickets");
    t.expect(rows).toEqual([{ status: "pending" }]);
  });

  it("is sent to its approver, and Telegram's failure delays neither call nor notice [telegram.people] [telegram.faults] [approvers.scope]", async (t) => {
    const alice = 3003;
    const { home, bot, message } = await homeWithBot(
      t,
      {
        TELEGRAM_CHAT_ID: `${person},${alice}`,
        TELEGRAM_APPROVER_IDS: `${person},alice:${alice}`,
      },
      (method, response, count) => {
        if (method !== "sendMessage" || count > 1) return false;
        response.writeHead(500).end("Internal Server Error");
        return true;
      },
      { [person]: "private", [alice]: "private" },
    );
    const client = await connectHere(home, "v2 pinned", {});
    await client.call("list_files", {});
    await vi.waitFor(
      async () => expect(await home.sql("SELECT * FROM chat_progress")).toHaveLength(2),
      30_000,
    );
    const began = performance.now();
    await client.call("write_file", { key, content: "first" });
    t.expect(performance.now() - began).toBeLessThan(5_000);
    const wrote = await message(`wrote ${key}`, 30_000);
    t.expect(bot.messages.map(({ chatId }) => chatId)).toEqual([person]);
    // The press is by an approver of another caller: in this person's chat, then in their own.
    bot.pressUnanswered(wrote, "Undo", { from: alice });
    const inOwnChat = { from: alice, chat: { id: alice, type: "private" } };
    t.expect(await bot.press(wrote, "Undo", inOwnChat)).toContain("Nothing was decided");
    t.expect((await client.call("read_file", { key })).output).toMatchObject({ content: "first" });
  });
});
