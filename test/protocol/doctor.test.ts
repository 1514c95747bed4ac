import { describe, expect, it } from "vitest";
import { newHome } from "./home.ts";
import { runProgram } from "./program.ts";

const calendar = {
  CALDAV_USERNAME: "alice",
  CALDAV_PASSWORD: "doctor-canary-secret",
  CALDAV_CALENDAR: "Assistant",
};

const mailbox = {
  IMAP_HOST: "127.0.0.1",
  IMAP_PORT: "1",
  IMAP_USERNAME: "alice",
  IMAP_PASSWORD: "imap-canary-secret",
  INGEST_RECIPIENTS: "me@in.example",
  SMTP_TLS_CERT: "/nowhere.pem",
  SMTP_TLS_KEY: "/nowhere.key",
};

describe.concurrent("the doctor", () => {
  it("says of each connection that it works, or which settings would bring it", async (t) => {
    const { code, stdout } = await runProgram(newHome(t), ["doctor"]);
    expect(stdout).toBe(
      [
        "database: ok",
        "files: ok",
        "policy file: not configured",
        "  Set POLICY_FILE to have it.",
        "record: ok",
        "calendar: not configured",
        "  Set CALDAV_* to have it.",
        "web search: not configured",
        "  Set TAVILY_API_KEY to have it.",
        "mail over SMTP: not configured",
        "  Set INGEST_RECIPIENTS to have it.",
        "mail from IMAP: not configured",
        "  Set IMAP_* to have it.",
        "mail from the bucket: not configured",
        "  Set INGEST_BUCKET_PREFIX to have it.",
        "summaries by a model: not configured",
        "  Set SUMMARY_* to have it.",
        "telegram: not configured",
        "  Set TELEGRAM_* to have it.",
        "",
      ].join("\n"),
    );
    expect(code).toBe(0);
  });

  it("says in plain words what fails, and tells no secret", async (t) => {
    // Nobody listens at port 1.
    const home = newHome(t, { ...calendar, CALDAV_URL: "http://127.0.0.1:1/", ...mailbox });
    const { code, stdout, stderr } = await runProgram(home, ["doctor", "--json"]);
    const told = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { name: string; state: string; error?: object });
    expect(told.map(({ name, state }) => `${name} ${state}`)).toEqual([
      "database ok",
      "files ok",
      "policy file not configured",
      "record ok",
      "calendar failed",
      "web search not configured",
      "mail over SMTP failed",
      "mail from IMAP failed",
      "mail from the bucket not configured",
      "summaries by a model not configured",
      "telegram not configured",
    ]);
    expect(told[4]?.error).toMatchObject({ kind: "unavailable", sideEffects: "none" });
    expect(told[6]?.error).toMatchObject({
      message: "SMTP_TLS_CERT: /nowhere.pem cannot be read.",
    });
    expect(told[7]?.error).toMatchObject({ message: "The IMAP server was not reached." });
    expect(code).toBe(1);
    expect(stdout + stderr).not.toContain(calendar.CALDAV_PASSWORD);
    expect(stdout + stderr).not.toContain(mailbox.IMAP_PASSWORD);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
