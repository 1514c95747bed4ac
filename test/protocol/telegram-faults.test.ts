import type { ServerResponse } from "node:http";
import { type TestContext, describe, expect, it, vi } from "vitest";
import { type Misbehave, botToken, person } from "../servers/telegram.ts";
import { approvalOf } from "./answer.ts";
import { storedFile, storedStatus } from "./home.ts";
import { runHere } from "./program.ts";
import { raw2025Here } from "./raw-server.ts";
import { homeWithBot } from "./telegram-home.ts";

const key = "plan.md";

/** Starts a server whose log is read, with a request that only Telegram can show to the person. */
async function asking(t: TestContext, misbehave: Misbehave, env: Record<string, string> = {}) {
  const world = await homeWithBot(t, { LOG_LEVEL: "debug", ...env }, misbehave);
  const server = await raw2025Here(world.home, { elicitation: false });
  await server.answer("write_file", { key, content: "a plan" });
  const began = performance.now();
  const answer = await server.answer("delete_file", { key });
  const tookMs = performance.now() - began;
  const { id } = approvalOf(answer);
  const log = (): string => server.said.stderr;
  return { ...world, server, id, tookMs, log };
}

function say(response: ServerResponse, status: number, value: unknown): true {
  response
    .writeHead(status, { "content-type": "application/json" })
    .end(typeof value === "string" ? value : JSON.stringify(value));
  return true;
}

const refusal = (code: number, description: string, more: object = {}) => ({
  ok: false,
  error_code: code,
  description,
  ...more,
});

describe.concurrent("Telegram that fails", { timeout: 120_000 }, () => {
  it("gets the request again until it accepts it, without delaying calls [telegram.faults]", async (t) => {
    const sends = [
      (response: ServerResponse) => say(response, 502, "<html>Bad Gateway</html>"),
      (response: ServerResponse) =>
        say(response, 429, refusal(429, "Too Many Requests", { parameters: { retry_after: 2 } })),
      (response: ServerResponse) => say(response, 200, { ok: true, result: "junk" }),
      (response: ServerResponse) => (response.destroy(), true as const),
    ];
    const polls = [
      (response: ServerResponse) =>
        say(response, 409, refusal(409, "Conflict: terminated by other")),
      (response: ServerResponse) => say(response, 500, refusal(500, "Internal Server Error")),
      (response: ServerResponse) => say(response, 200, { ok: true, result: { update_id: 1 } }),
    ];
    const sentAt: number[] = [];
    const { bot, message, home, tookMs, log, id } = await asking(t, (method, response, count) => {
      if (method === "sendMessage") sentAt.push(performance.now());
      const misdeed = { sendMessage: sends, getUpdates: polls }[method]?.[count - 1];
      return misdeed?.(response);
    });
    t.expect(tookMs).toBeLessThan(8_000);
    const asked = await message("Delete the file", 60_000);
    // The wait after 429 was as long as the response required.
    t.expect(sentAt[2]! - sentAt[1]!).toBeGreaterThan(1_900);
    t.expect(await bot.press(asked, "Approve")).toBe("Approved.");
    await vi.waitFor(async () => expect((await storedFile(home, key)).there).toBe(false), 30_000);
    await vi.waitFor(
      () => expect(log()).toContain("sending requests to Telegram works again"),
      30_000,
    );
    t.expect(log()).toContain("Another program receives this bot's events");
    t.expect(log()).toContain("hint=Use a bot of its own");
    t.expect(log()).not.toContain(botToken);
    t.expect(
      JSON.stringify(await home.sql("SELECT * FROM tickets WHERE ticket_id = ?", [id])),
    ).not.toContain(botToken);
  });

  it("has malformed events ignored, and a real press still decides [telegram.faults]", async (t) => {
    const chat = { id: person, type: "private" };
    const from = { id: person };
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const malformed = [
      "null",
      "[]",
      "5",
      '"text"',
      "{}",
      '{"update_id": 1.5}',
      '{"update_id": "1"}',
      '{"update_id": 1e400}',
      '{"update_id": 1, "__proto__": {"message": {"text": "/start"}}}',
      `{"update_id": 2, "message": ${deep}}`,
      `{"update_id": 3, "message": {"text": ${deep}}}`,
      ...[
        { update_id: 4, message: { text: { toString: "x" }, from, chat } },
        { update_id: 5, message: { text: "x".repeat(3_000_000), from, chat } },
        { update_id: 6, message: { text: "/start", from: { id: "1001" }, chat } },
        { update_id: 7, message: { text: "\ud800\u202e\u0000", from, chat } },
        { update_id: 8, callback_query: { id: 5, data: "a", from, message: { chat } } },
        { update_id: 9, callback_query: { id: "p", data: ["a"], from, message: { chat } } },
        {
          update_id: 10,
          callback_query: { id: "p", data: "a".repeat(1_000_000), from, message: { chat } },
        },
        { update_id: 11, callback_query: { id: "p", data: "\u0000", from, message: null } },
        {
          update_id: 12,
          message: { text: "1", from, chat, reply_to_message: { message_id: "1" } },
        },
        { update_id: 13, message: { text: "1", from, chat, reply_to_message: { message_id: -1 } } },
      ].map((update) => JSON.stringify(update)),
    ];
    const { bot, message, home, log } = await asking(t, (method, response, count) => {
      if (method !== "getUpdates" || count > 1) return false;
      return say(response, 200, `{"ok": true, "result": [${malformed.join()}]}`);
    });
    const asked = await message("Delete the file", 60_000);
    t.expect((await storedFile(home, key)).there).toBe(true);
    t.expect(await bot.press(asked, "Approve")).toBe("Approved.");
    await vi.waitFor(async () => expect((await storedFile(home, key)).there).toBe(false), 30_000);
    t.expect(log()).not.toMatch(/TypeError|RangeError/);
  });

  it("lets calls and the end of the server proceed when it never answers [telegram.faults]", async (t) => {
    const { bot, tookMs, server, log, home, id } = await asking(t, () => true);
    t.expect(tookMs).toBeLessThan(8_000);
    await vi.waitFor(() => expect(bot.calls).toContain("sendMessage"), 30_000);
    const began = performance.now();
    server.hangUp();
    t.expect(await server.ended).toEqual({ code: 0, signal: null });
    t.expect(performance.now() - began).toBeLessThan(10_000);
    t.expect(log()).not.toContain(botToken);
    t.expect(await storedStatus(home, id)).toBe("pending");
  });

  it("and that rejects the token is reported in the log and by the doctor, without the token [telegram.faults] [secrets.silent]", async (t) => {
    const wrong = "987654321:AAanother-token-that-must-never-be-seen";
    const { log, home } = await asking(t, () => false, { TELEGRAM_BOT_TOKEN: wrong });
    await vi.waitFor(() => expect(log()).toContain("hint=Check TELEGRAM_BOT_TOKEN."), 30_000);
    const { code, stdout, stderr } = await runHere(home, ["doctor"]);
    t.expect(code).toBe(1);
    t.expect(stdout).toContain("Telegram: broken. Telegram refused the bot's token.");
    t.expect(log() + stdout + stderr).not.toContain(wrong.slice(10));
  });

  it("and is unreachable reveals no token, not even in its URL [telegram.faults] [secrets.silent]", async (t) => {
    const { log, home } = await asking(t, () => false, { TELEGRAM_API_URL: "http://127.0.0.1:1" });
    await vi.waitFor(() => expect(log()).toContain("Telegram could not be reached"), 30_000);
    const { stdout, stderr } = await runHere(home, ["doctor", "--json"]);
    t.expect(stdout).toContain("Telegram could not be reached.");
    t.expect(log() + stdout + stderr).not.toContain(botToken);
  });
});

describe.concurrent("the doctor of Telegram", () => {
  it.for([
    [`${person}`, 0, "Telegram: works"],
    [`${person},-77`, 1, "The chat -77 is not a private one."],
    ["3003", 1, "The bot does not know the chat."],
  ] as const)("reports chats %s: exit %i, %s", async ([chats, expected, line], t) => {
    const { home } = await homeWithBot(t, { TELEGRAM_CHAT_ID: chats }, undefined, {
      [person]: "private",
      [-77]: "group",
    });
    const { code, stdout } = await runHere(home, ["doctor"]);
    expect(stdout).toContain(line);
    expect(code).toBe(expected);
  });
});
