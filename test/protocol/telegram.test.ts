import type { ServerResponse } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { person } from "../servers/telegram.ts";
import { approvalOf } from "./answer.ts";
import { connect } from "./clients.ts";
import { newestTicket, runsOf, storedFile, storedStatus } from "./home.ts";
import { decideAtTerminal, decideHere } from "./program.ts";
import { clientWithFile, homeWithBot } from "./telegram-home.ts";

const longWait = { APPROVAL_WAIT_MS: "30000" };

// Each test has servers of its own, and some wait to become the leader.
describe.concurrent("a request in Telegram", { timeout: 120_000 }, () => {
  it("is sent immediately if the client cannot ask, and a press on Approve completes the waiting call [telegram.push] [telegram.decides]", async (t) => {
    const { home, bot, message } = await homeWithBot(t, longWait);
    const { remove, key } = await clientWithFile(home, { over: "stdio" });
    const began = performance.now();
    const waiting = remove();
    const asked = await message("Delete the file");
    t.expect(performance.now() - began).toBeLessThan(8_000);
    t.expect(asked.buttons.map(({ text }) => text)).toEqual([
      "Approve",
      "Deny",
      "Deny, may ask again",
    ]);
    t.expect(asked.text).toMatch(/^Delete the file "plan\.md", 6 bytes, changed just now\n/);
    for (const part of ['local, with "protocol-test"', "delete_file"])
      t.expect(asked.text).toContain(part);
    const [row] = await home.sql("SELECT 'fingerprint: ' || fingerprint AS line FROM tickets");
    t.expect(asked.text.split("\n")).toContain(row?.["line"]);
    t.expect(asked.links).toEqual([]);

    t.expect(await bot.press(asked, "Approve")).toBe("Approved.");
    t.expect((await waiting).output).toMatchObject({ key, deleted: true });
    await vi.waitFor(
      () => expect(asked.text).toMatch(/\nDone, .*\nApproved by operator in Telegram/),
      30_000,
    );
    t.expect(asked.buttons).toEqual([]);
    t.expect(asked.links).toEqual([]);
    const decided = await home.sql("SELECT outcome FROM audit WHERE type = 'decided'");
    t.expect(decided).toEqual([{ outcome: "approve (telegram, operator)" }]);
    t.expect(await runsOf(home, "delete_file")).toBe(1);
  });

  it("that is denied there ends the waiting call, and nothing happens [telegram.decides]", async (t) => {
    const { home, bot, message } = await homeWithBot(t, longWait);
    const { remove, key } = await clientWithFile(home);
    const waiting = remove();
    const asked = await message("Delete the file");
    t.expect(await bot.press(asked, "Deny")).toBe("Denied. Nothing was done.");
    t.expect((await waiting).error).toMatchObject({ kind: "denied", sideEffects: "none" });
    t.expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
    await vi.waitFor(() => expect(asked.text).toMatch(/\nDenied\. Nothing was done\./), 30_000);
  });

  it("that gets a reply stays open, and a press on Deny sends the reply to the assistant [denial.note] [denial.may-ask-again]", async (t) => {
    const { home, bot, message } = await homeWithBot(t);
    const { client, remove, key } = await clientWithFile(home);
    t.expect((await remove()).error?.kind).toBe("approval_required");
    const asked = await message("reply to this message, then press Deny.");
    bot.reply(asked, "Keep it,\nbut move it to old/");
    await message("Nothing was decided.");
    t.expect((await remove()).error?.kind).toBe("approval_required");
    t.expect(await bot.press(asked, "Deny, may ask again")).toBe(
      "Denied. Nothing was done. Your note is sent to the assistant.",
    );
    const denied = await client.call("delete_file", { key });
    t.expect(denied.error?.kind).toBe("denied");
    t.expect(denied.text).toMatch(
      /^The user says: \[user (\w{12})\] Keep it, but move it to old\/ \[end of user \1\]\. .*You may call the tool again/m,
    );
    await vi.waitFor(
      () => expect(asked.text).toContain('Note to the assistant: "Keep it, but move it to old/"'),
      30_000,
    );
    bot.reply(asked, "Too late");
    await message("Already decided, so your note was not sent.");
  });

  it("that another channel decided shows the outcome, also after a late press [telegram.edited]", async (t) => {
    const { home, bot, message } = await homeWithBot(t);
    const { remove } = await clientWithFile(home);
    const { id } = approvalOf(await remove());
    const asked = await message("Delete the file");
    const approve = asked.buttons[0]!.callback_data;
    await decideHere(home, "deny", id);
    await vi.waitFor(
      () => expect(asked.text).toContain("Denied by operator at the terminal"),
      30_000,
    );
    t.expect(asked.buttons).toEqual([]);
    t.expect(await bot.press(asked, "Approve", { data: approve })).toBe(
      "Already decided. Denied. Nothing was done.",
    );
    t.expect(await storedStatus(home, id)).toBe("denied");
  });

  it("is decided once by simultaneous presses and another channel [telegram.decides] [channels.first-wins]", async (t) => {
    const { home, bot, message } = await homeWithBot(t, longWait);
    const { remove } = await clientWithFile(home);
    const waiting = remove();
    const asked = await message("Delete the file");
    const id = await newestTicket(home);
    const said = await Promise.all([
      bot.press(asked, "Deny"),
      bot.press(asked, "Approve"),
      decideAtTerminal(home, "approve", id).then(({ code }) => String(code)),
    ]);
    await waiting;
    const wins = said.filter((text) =>
      ["Approved.", "Denied. Nothing was done.", "0"].includes(text),
    );
    t.expect(wins).toHaveLength(1);
    const decided = await home.sql("SELECT outcome FROM audit WHERE type = 'decided'");
    t.expect(decided).toHaveLength(1);
  });

  it("is not sent while the client's dialog is open, and is sent after it was declined [telegram.push]", async (t) => {
    const { home, bot, message } = await homeWithBot(t);
    const open = await clientWithFile(home, { elicitation: "nothing" });
    const calling = open.remove().catch(() => undefined);
    await vi.waitFor(() => expect(open.client.dialogs).toHaveLength(1), 30_000);
    // Long enough to become the leader, which takes 10 s after the first call, and to check for requests.
    await vi.waitFor(() => expect(bot.calls).toContain("getUpdates"), 30_000);
    t.expect(bot.messages).toEqual([]);
    // The clock of the database counts: half a minute passes.
    await home.sql("UPDATE tickets SET question_put_at = question_put_at - 30000");
    await message("Delete the file");
    await open.client.close();
    await calling;

    const other = await homeWithBot(t);
    const declining = await clientWithFile(other.home, { elicitation: "decline" });
    t.expect((await declining.remove()).error?.kind).toBe("approval_required");
    await other.message("Delete the file", 8_000);
  });

  it("ignores presses of other people, in a group, or with foreign data [telegram.others]", async (t) => {
    const stranger = 2002;
    const chats = { [person]: "private", [stranger]: "private", [-77]: "group" };
    const { home, bot } = await homeWithBot(
      t,
      { TELEGRAM_CHAT_ID: `${person},-77` },
      undefined,
      chats,
    );
    const { remove } = await clientWithFile(home);
    const { id } = approvalOf(await remove());
    const askedIn = (chat: number) =>
      vi.waitFor(
        () => {
          const found = bot.messages.find(({ chatId }) => chatId === chat);
          expect(found?.text).toContain("Delete the file");
          return found!;
        },
        { timeout: 30_000, interval: 25 },
      );
    const [asked, group] = await Promise.all([askedIn(person), askedIn(-77)]);
    // The data of a button contains no readable text, and no two buttons send the same.
    const sent = [...asked.buttons, ...group.buttons].map(({ callback_data: data }) => data);
    for (const data of sent) t.expect(data).toMatch(/^tg_[a-z2-7]{26}$/);
    t.expect(new Set(sent).size).toBe(6);
    bot.pressUnanswered(asked, "Approve", { from: stranger });
    bot.pressUnanswered(asked, "Approve", { chat: { id: stranger, type: "private" } });
    bot.pressUnanswered(group, "Approve", { chat: { id: -77, type: "group" } });
    bot.pressUnanswered(asked, "Approve", { chat: { id: person, type: "supergroup" } });
    bot.pressUnanswered(group, "Approve", { chat: { id: -77, type: "private" } });
    bot.write("/stop", stranger);
    // A listed person, with what no button of this chat sends.
    for (const data of ["approve", id, group.buttons[0]!.callback_data])
      t.expect(await bot.press(asked, "", { data })).toContain("Nothing was decided");
    t.expect(await storedStatus(home, id)).toBe("pending");
    t.expect(await home.sql("SELECT * FROM pauses")).toEqual([]);
    t.expect(bot.messages.filter(({ chatId }) => chatId === stranger)).toEqual([]);
    const kept = JSON.stringify(await home.sql("SELECT * FROM chat_buttons"));
    for (const { callback_data: data } of asked.buttons) t.expect(kept).not.toContain(data);
  });

  it("ignores presses of others in a listed chat, and of an approver whose chat is not listed [telegram.others]", async (t) => {
    const [reader, alice] = [2002, 3003];
    const { home, bot, message } = await homeWithBot(
      t,
      {
        TELEGRAM_CHAT_ID: `${person},${reader}`,
        TELEGRAM_APPROVER_IDS: `${person},operator:${alice}`,
      },
      undefined,
      { [person]: "private", [reader]: "private", [alice]: "private" },
    );
    const { remove } = await clientWithFile(home);
    const { id } = approvalOf(await remove());
    await message("Delete the file");
    await vi.waitFor(() => expect(bot.messages).toHaveLength(2), 30_000);
    const messageOf = (chat: number) => bot.messages.find(({ chatId }) => chatId === chat)!;
    const [asked, read] = [messageOf(person), messageOf(reader)];
    bot.pressUnanswered(read, "Approve", { from: reader });
    bot.write("/stop", reader);
    bot.pressUnanswered(asked, "Approve", {
      from: alice,
      chat: { id: alice, type: "private" },
    });
    bot.write("/stop", alice);
    // Events come in order: when this is answered the others were dealt with.
    t.expect(await bot.press(asked, "", { data: "none" })).toContain("Nothing was decided");
    t.expect(await storedStatus(home, id)).toBe("pending");
    t.expect(await home.sql("SELECT * FROM pauses")).toEqual([]);
    t.expect(bot.messages).toHaveLength(2);
  });

  it("survives a restart between message and press, and processes a press once [telegram.once]", async (t) => {
    const { home, bot, message } = await homeWithBot(t);
    const { client, remove, key } = await clientWithFile(home);
    await remove();
    const asked = await message("Delete the file");
    await client.close();
    const pressed = bot.press(asked, "Approve");
    const next = await clientWithFile(home);
    // The first request of another client makes its process the leader. The press waited at Telegram.
    t.expect(await next.client.call("delete_file", { key: "other.md" })).toMatchObject({
      isError: true,
    });
    t.expect(await pressed).toBe("Approved.");
    const requests = bot.messages.filter(({ text }) => text.includes("Delete the file"));
    t.expect(requests.filter(({ text }) => text.includes(key))).toHaveLength(1);

    bot.write("/stop");
    await message("Paused");
    bot.write("/start");
    await message("Resumed");
    bot.repeatLast();
    bot.write("/stop");
    await vi.waitFor(
      () => expect(bot.messages.filter(({ text }) => text.startsWith("Paused"))).toHaveLength(2),
      30_000,
    );
    bot.repeatLast();
    await vi.waitFor(() => expect(bot.isDrained()).toBe(true), 30_000);
    t.expect(bot.messages.filter(({ text }) => text.startsWith("Paused"))).toHaveLength(2);
    t.expect(bot.messages.filter(({ text }) => text.startsWith("Resumed"))).toHaveLength(1);
  });

  it("is sent once, and its press is received by the leader alone [telegram.once]", async (t) => {
    const polls = new Set<ServerResponse>();
    let most = 0;
    const { home, bot, message } = await homeWithBot(t, {}, (method, response) => {
      if (method !== "getUpdates") return;
      polls.add(response);
      response.once("close", () => polls.delete(response));
      most = Math.max(most, [...polls].filter(({ writableEnded }) => !writableEnded).length);
    });
    const keys = ["one.md", "two.md"];
    const clients = await Promise.all(keys.map(() => connect(home, "v2 legacy")));
    const both = async (tool: string, more: object) =>
      await Promise.all(keys.map((key, index) => clients[index]!.call(tool, { key, ...more })));
    await both("write_file", { content: "x" });
    for (const answer of await both("delete_file", {})) approvalOf(answer);
    for (const key of keys) {
      const asked = await message(`Delete the file "${key}"`);
      t.expect(await bot.press(asked, "Approve")).toBe("Approved.");
      // The process that asked runs it, whichever it is.
      await vi.waitFor(async () => expect((await storedFile(home, key)).there).toBe(false), 30_000);
    }
    const requests = bot.messages.filter(({ text }) => text.includes("Delete the file"));
    t.expect(requests).toHaveLength(2);
    t.expect(most).toBe(1);
  });

  it("is paused with /stop and resumed with /start, on record [telegram.stop]", async (t) => {
    const { home, bot, message } = await homeWithBot(t);
    const { remove, client, key } = await clientWithFile(home);
    const { id } = approvalOf(await remove());
    const asked = await message("Delete the file");
    bot.write("/stop");
    await message("Paused");
    t.expect((await remove()).error).toMatchObject({ kind: "forbidden", sideEffects: "none" });
    t.expect(await bot.press(asked, "Approve")).toContain("paused");
    t.expect((await client.call("read_file", { key })).isError).toBe(false);
    t.expect(await storedStatus(home, id)).toBe("pending");
    bot.write("/start");
    await message("Resumed");
    t.expect(await bot.press(asked, "Approve")).toBe("Approved.");
    await vi.waitFor(async () => expect((await storedFile(home, key)).there).toBe(false), 30_000);
    const rows = await home.sql("SELECT outcome FROM audit WHERE tool = 'pause' ORDER BY seq");
    t.expect(rows.map(({ outcome }) => outcome)).toEqual([
      "pause (telegram, operator)",
      "resume (telegram, operator)",
    ]);
  });

  it("offers to allow similar ones if there are any, and is not sent if the policy excludes Telegram [telegram.similar]", async (t) => {
    const { home, bot, message } = await homeWithBot(t);
    const open = await clientWithFile(home, { elicitation: "nothing" });
    const calling = open.remove().catch(() => undefined);
    await vi.waitFor(() => expect(open.client.dialogs).toHaveLength(1), 30_000);
    // No tool that is asked for by default has similar calls: the row is given some before it is pushed.
    await home.sql(
      `UPDATE tickets SET similar = '{"key":{"is":"plan.md"}}', question_put_at = question_put_at - 30000`,
    );
    const asked = await message("Delete the file", 30_000);
    t.expect(asked.text).toMatch(
      /similar: For 15 minutes, up to 5 more calls of delete_file by local run without your approval: key/,
    );
    t.expect(asked.links).toEqual([]);
    t.expect(await bot.press(asked, "Approve, and allow similar")).toMatch(
      /^Approved\. Similar calls are allowed until \d+ \w+, \d\d:\d\d \S+\.$/,
    );
    t.expect(await home.sql("SELECT tool, uses, channel, by FROM rules")).toEqual([
      { tool: "delete_file", uses: 5, channel: "telegram", by: "operator" },
    ]);
    await calling;

    const other = open.client.call("delete_file", { key: "other.md" }).catch(() => undefined);
    t.expect(await other).toMatchObject({ isError: true });
    await open.client.call("write_file", { key: "other.md", content: "x" });
    const second = open.client.call("delete_file", { key: "other.md" }).catch(() => undefined);
    await vi.waitFor(() => expect(open.client.dialogs).toHaveLength(2), 30_000);
    await home.sql(
      `UPDATE tickets SET channels = '["page"]', question_put_at = question_put_at - 30000 WHERE status = 'pending'`,
    );
    // Later messages arrive after those that were due before.
    bot.write("/stop");
    await message("Paused");
    const requests = bot.messages.filter(({ text }) => text.includes("Delete the file"));
    t.expect(requests.filter(({ text }) => text.includes("other.md"))).toEqual([]);
    await open.client.close();
    await second;
  });

  it("is sent to the approver of its principal and to no other [telegram.people] [approvers.scope]", async (t) => {
    const { bot, message, home } = await homeWithBot(
      t,
      {
        TELEGRAM_CHAT_ID: `${person},3003`,
        TELEGRAM_APPROVER_IDS: `${person},alice:3003`,
      },
      undefined,
      { [person]: "private", 3003: "private" },
    );
    const { remove } = await clientWithFile(home);
    await remove();
    const asked = await message("Delete the file");
    t.expect(bot.messages.map(({ chatId }) => chatId)).toEqual([person]);
    bot.write("/stop", 3003);
    const told = await message("Paused");
    t.expect(told.chatId).toBe(3003);
    t.expect(await home.sql("SELECT scope FROM pauses")).toEqual([{ scope: "alice" }]);
    t.expect(await bot.press(asked, "Deny")).toBe("Denied. Nothing was done.");
  });
});
