import { EventEmitter, once } from "node:events";
import { appendFileSync, renameSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newHome } from "./home.ts";
import { runHere, runProgram } from "./program.ts";
import { raw2025Here } from "./raw-server.ts";

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

it("doctor says that install.key was replaced", async (t) => {
  // A new key was made without a word. Doctor said "audit record: works", and only audit verify failed.
  const home = newHome(t);
  const server = await raw2025Here(home, { elicitation: false });
  await server.answer("write_file", { key: "note.md", content: "x" });
  server.hangUp();
  expect((await server.ended).code).toBe(0);
  const key = join(home.dir, "install.key");
  renameSync(key, `${key}.lost`);
  const said =
    /^audit record: works\. (\d+) of \1 events were signed with another install\.key, so changes to them are not noticed\. If that key was lost, put it back from a backup\.$/m;
  expect((await runProgram(home, ["doctor"])).stdout).toMatch(said);
  renameSync(`${key}.lost`, key);
  expect((await runProgram(home, ["doctor"])).stdout).toMatch(/^audit record: works$/m);
});

it("doctor says how to change a browser command that does not exist", async (t) => {
  const home = newHome(t);
  appendFileSync(join(home.dir, ".env"), "\nAPPROVAL_OPEN=/nowhere\n", { mode: 0o600 });
  const { code, stdout } = await runProgram(home, ["doctor"]);
  expect(code).toBe(1);
  expect(stdout).toContain(
    `The command /nowhere of APPROVAL_OPEN cannot be started on this machine. No browser opens for approval requests. Run: \${EDITOR:-vi} ${join(home.dir, ".env")}\n`,
  );
  const env = { APPROVAL_OPEN: "/nowhere" };
  expect((await runProgram(home, ["doctor"], { env })).stdout).toContain(
    " Run: unset APPROVAL_OPEN\n",
  );
});

it.for(["libsql://", "libsql:", "file:///", "file:folder/"])(
  "refuses DATABASE_URL=%s before anything is opened",
  async (DATABASE_URL, t) => {
    // "The database server  did not answer."
    const { code, stdout } = await runHere(newHome(t, { DATABASE_URL }), ["doctor"]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining("settings: broken. DATABASE_URL must be"),
    ]);
  },
);

it("doctor tries all services at the same time", async (t) => {
  // The services were tried one after the other, which took three minutes if none answered.
  const asked = new Set<string>();
  const all = new EventEmitter();
  const server = createServer(({ url: path = "" }, response) => {
    asked.add(/search|model/.exec(path)?.[0] ?? "calendar");
    const answer = (): void => void response.writeHead(500).end();
    if (asked.size < 3) all.once("asked", answer);
    else {
      all.emit("asked");
      answer();
    }
  });
  t.onTestFinished(() => server.close().closeAllConnections());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const home = newHome(t, {
    CALDAV_URL: `${url}/calendar/`,
    CALDAV_USERNAME: "ann",
    CALDAV_PASSWORD: "x",
    CALDAV_CALENDAR: "Home",
    TAVILY_API_KEY: "x",
    TAVILY_BASE_URL: `${url}/search`,
    SUMMARY_PROVIDER: "openai-compatible",
    SUMMARY_MODEL: "m",
    SUMMARY_BASE_URL: `${url}/model`,
  });
  const { stdout } = await runProgram(home, ["doctor"]);
  expect(asked).toEqual(new Set(["calendar", "search", "model"]));
  expect(stdout).toMatch(/^calendar: broken.*\nweb search: broken/m);
  expect(stdout).not.toContain("in time");
}, 200_000);

it("doctor says that the configured server did not tell the time", async (t) => {
  // The sentence was: no server is configured.
  const home = newHome(t, {
    CALDAV_URL: "http://127.0.0.1:1",
    CALDAV_USERNAME: "ann",
    CALDAV_PASSWORD: "x",
    CALDAV_CALENDAR: "Home",
  });
  expect((await runProgram(home, ["doctor"])).stdout).toMatch(
    /^clock: .*, not compared, because 127\.0\.0\.1:1 did not say its time$/m,
  );
});
