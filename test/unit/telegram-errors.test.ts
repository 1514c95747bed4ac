import { GrammyError, HttpError } from "grammy/web";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { telegramError } from "../../src/adapters/telegram/errors.ts";

const token = "123:secret";
const refused = (code: number, description = "no", parameters = {}) =>
  telegramError(
    new GrammyError(
      "Call failed!",
      { ok: false, error_code: code, description, parameters },
      "sendMessage",
      { text: "private words" },
    ),
    token,
    false,
  );

describe("an error of Telegram", () => {
  it.each([
    [401, "Unauthorized", "auth"],
    [403, "Forbidden: bot was blocked by the user", "not_configured"],
    [404, "Not Found", "auth"],
    [400, "Bad Request: chat not found", "not_configured"],
    [400, "Bad Request: message is too long", "invalid_input"],
    [409, "Conflict: terminated by other getUpdates request", "conflict"],
    [429, "Too Many Requests: retry after 7", "rate_limited"],
    [502, "Bad Gateway", "unavailable"],
  ])("%s %s is %s", (code, description, kind) => {
    expect(refused(code, description).kind).toBe(kind);
  });

  it("reports the waiting time, at most an hour", () => {
    expect(refused(429, "", { retry_after: 7 }).retryAfterSeconds).toBe(7);
    expect(refused(429, "", { retry_after: 1e9 }).retryAfterSeconds).toBe(3_600);
    expect(refused(429).retryAfterSeconds).toBe(1);
  });

  it("distinguishes certainly unsent messages from others", () => {
    const failed = (code: string) => {
      const cause = Object.assign(new Error("connect"), { code });
      const thrown = new HttpError(
        "Network request failed!",
        new TypeError("fetch failed", { cause }),
      );
      return telegramError(thrown, token, false).sideEffects;
    };
    expect(failed("ECONNREFUSED")).toBe("none");
    expect(failed("ECONNRESET")).toBe("unknown");
    expect(refused(500).sideEffects).toBe("unknown");
  });

  it("contains neither the token nor the message [secrets.silent]", () => {
    const inner = new TypeError(`Failed to parse URL from http://x/bot${token}/getMe`);
    for (const error of [
      telegramError(new HttpError("Network request failed!", inner), token, false),
      telegramError(new Error(`http://x/bot${encodeURIComponent(token)}/getMe`), token, true),
      refused(400, `about ${token}`),
    ]) {
      const shown = inspect(error, { depth: 10, showHidden: true });
      expect(shown).not.toMatch(/123(:|%3A)secret/);
      expect(shown).not.toContain("private words");
    }
  });
});
