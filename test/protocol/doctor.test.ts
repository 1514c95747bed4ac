import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { ingestAt, newHome } from "./home.ts";
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
        "mail over HTTP: not configured",
        "  Set INGEST_HTTP_* to have it.",
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
      "mail over HTTP not configured",
      "mail from IMAP failed",
      "mail from the bucket not configured",
      "summaries by a model not configured",
      "telegram not configured",
    ]);
    expect(told[4]?.error).toMatchObject({ kind: "unavailable", sideEffects: "none" });
    expect(told[6]?.error).toMatchObject({
      message: "SMTP_TLS_CERT: /nowhere.pem cannot be read.",
    });
    expect(told[8]?.error).toMatchObject({ message: "The IMAP server was not reached." });
    expect(code).toBe(1);
    expect(stdout + stderr).not.toContain(calendar.CALDAV_PASSWORD);
    expect(stdout + stderr).not.toContain(mailbox.IMAP_PASSWORD);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  // It said "ok" of an address where nothing could be received.
  it("tries where mail is to be received, and takes an ingest that listens there for what it is", async (t) => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    t.onTestFinished(() => void server.close());
    const { port: taken } = server.address() as AddressInfo;
    const told = async (env: Record<string, string>) => {
      const home = newHome(t, { INGEST_RECIPIENTS: "me@in.example", ...env });
      const { code, stdout } = await runProgram(home, ["doctor"]);
      return `${code} ${stdout
        .split("\n")
        .filter((line) => /SMTP|HTTP|listens|address/.test(line))
        .join(" ")}`;
    };
    const http = {
      INGEST_HTTP_TOKEN: "a-long-enough-token",
      INGEST_HTTP_PORT: "0",
      SMTP_PORT: "0",
    };
    expect(await told(http)).toBe("0 mail over SMTP: ok mail over HTTP: ok");
    expect(await told({ ...http, SMTP_PORT: `${taken}` })).toMatch(
      new RegExp(
        `^1 mail over SMTP: failed   SMTP_PORT: another program listens at 127.0.0.1:${taken} already`,
      ),
    );
    expect(await told({ ...http, INGEST_HTTP_PORT: `${taken}` })).toMatch(
      /^1 mail over SMTP: ok mail over HTTP: failed {3}INGEST_HTTP_PORT: another program/,
    );
    expect(await told({ ...http, SMTP_HOST: "192.0.2.1" })).toContain(
      "SMTP_HOST: 192.0.2.1 is no address of this machine",
    );
    const ingest = await ingestAt(newHome(t), { ...http, HTTP_HOST: "127.0.0.1" });
    const listening = {
      SMTP_PORT: String(ingest.port),
      INGEST_HTTP_PORT: new URL(ingest.url!).port,
    };
    expect(await told({ ...http, ...listening })).toBe("0 mail over SMTP: ok mail over HTTP: ok");
  });
});
