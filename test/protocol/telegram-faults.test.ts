import type { ServerResponse } from "node:http";
import { type TestContext, describe, expect, it, vi } from "vitest";
import { type Misbehave, botToken, person } from "../servers/telegram.ts";
import { approvalOf } from "./answer.ts";
import { storedFile, storedStatus } from "./home.ts";
import { runProgram } from "./program.ts";
import { raw2025 } from "./raw-server.ts";
import { homeWithBot } from "./telegram-door.ts";

const key = "plan.md";

/** A server whose log is read, with a request that only Telegram can bring to the person. */
async function asking(t: TestContext, misbehave: Misbehave, env: Record<string, string> = {}) {
  const world = await homeWithBot(t, { LOG_LEVEL: "debug", ...env }, misbehave);
  const server = await raw2025(world.home, { elicitation: false });
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
  it("delays no call and is told again until it has taken the request [telegram.faults]", async (t) => {
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
    // After 429 it waited as long as it was told to.
    t.expect(sentAt[2]! - sentAt[1]!).toBeGreaterThan(1_900);
    t.expect(await bot.press(asked, "Approve")).toBe("Approved.");
    await vi.waitFor(async () => expect((await storedFile(home, key)).there).toBe(false), 30_000);
    await vi.waitFor(() => expect(log()).toContain("Telegram can be reached again"), 30_000);
    t.expect(log()).toContain("Another program receives this bot's events");
    t.expect(log()).toContain("hint=Use a bot of its own");
    t.expect(log()).not.toContain(botToken);
    t.expect(
      JSON.stringify(await home.sql("SELECT * FROM tickets WHERE ticket_id = ?", [id])),
    ).not.toContain(botToken);
  });

  it("delays no call where it never answers, nor the end of the server [telegram.faults]", async (t) => {
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

  it("or refuses the token is told of in the log and by the doctor, without the token [telegram.faults] [secrets.silent]", async (t) => {
    const wrong = "987654321:AAanother-token-that-must-never-be-seen";
    const { log, home } = await asking(t, () => false, { TELEGRAM_BOT_TOKEN: wrong });
    await vi.waitFor(() => expect(log()).toContain("hint=Check TELEGRAM_BOT_TOKEN."), 30_000);
    const { code, stdout, stderr } = await runProgram(home, ["doctor"]);
    t.expect(code).toBe(1);
    t.expect(stdout).toContain("telegram: failed\n  Telegram refused the bot's token.");
    t.expect(log() + stdout + stderr).not.toContain(wrong.slice(10));
  });

  it("or that nothing listens for is as quiet about the token, in its address too [telegram.faults] [secrets.silent]", async (t) => {
    const { log, home } = await asking(t, () => false, { TELEGRAM_API_URL: "http://127.0.0.1:1" });
    await vi.waitFor(() => expect(log()).toContain("Telegram could not be reached"), 30_000);
    const { stdout, stderr } = await runProgram(home, ["doctor", "--json"]);
    t.expect(stdout).toContain("Telegram could not be reached.");
    t.expect(log() + stdout + stderr).not.toContain(botToken);
  });
});

describe.concurrent("the doctor of Telegram", () => {
  it.for([
    [`${person}`, 0, "telegram: ok"],
    [`${person},-77`, 1, "The chat -77 is not a private one."],
    ["3003", 1, "The bot does not know the chat."],
  ] as const)("says of chats %s: exit %i, %s", async ([chats, expected, line], t) => {
    const { home } = await homeWithBot(t, { TELEGRAM_CHAT_ID: chats }, undefined, {
      [person]: "private",
      [-77]: "group",
    });
    const { code, stdout } = await runProgram(home, ["doctor"]);
    expect(stdout).toContain(line);
    expect(code).toBe(expected);
  });
});
