import { expect, it } from "vitest";
import { newHome } from "./home.ts";
import { runHere } from "./program.ts";

it("doctor names the setting to check for each service that does not answer", async (t) => {
  // Four of them were only "could not be reached", so init did not say which answer was wrong.
  const url = "http://127.0.0.1:1";
  const home = newHome(t, {
    CALDAV_URL: url,
    CALDAV_USERNAME: "ann",
    CALDAV_PASSWORD: "x",
    CALDAV_CALENDAR: "Home",
    TAVILY_API_KEY: "x",
    TAVILY_BASE_URL: url,
    IMAP_HOST: "127.0.0.1",
    IMAP_PORT: "1",
    IMAP_USERNAME: "ann",
    IMAP_PASSWORD: "x",
    INGEST_SENDERS: "ann@example.org",
    SUMMARY_PROVIDER: "openai-compatible",
    SUMMARY_MODEL: "m",
    SUMMARY_BASE_URL: url,
    ASSISTANT_PROVIDER: "anthropic",
    ASSISTANT_MODEL: "m",
    ASSISTANT_API_KEY: "x",
    ASSISTANT_BASE_URL: url,
    TELEGRAM_BOT_TOKEN: "1:abc",
    TELEGRAM_CHAT_ID: "1",
    TELEGRAM_APPROVER_IDS: "1",
    TELEGRAM_API_URL: url,
  });
  const { stdout } = await runHere(home, ["doctor"]);
  const broken = stdout.split("\n").filter((line) => line.includes(": broken."));
  expect(broken.map((line) => /Check ([A-Z_]+)/.exec(line)?.[1] ?? line)).toEqual([
    "CALDAV_URL",
    "TAVILY_BASE_URL",
    "IMAP_HOST",
    "SUMMARY_BASE_URL",
    "ASSISTANT_BASE_URL",
    "TELEGRAM_API_URL",
  ]);
});
