import { EventEmitter, once } from "node:events";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newHome } from "./home.ts";
import { canBeNobody, nobody, skipLoudly } from "./nobody.ts";
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

it("doctor checks the stores without a usable install.key", async (t) => {
  // Doctor ended with one sentence, and said nothing about the database, the mail or the clock.
  const home = newHome(t);
  expect((await runProgram(home, ["doctor"])).code).toBe(0);
  const key = join(home.dir, "install.key");
  writeFileSync(key, "");
  const { code, stdout, stderr } = await runProgram(home, ["doctor"]);
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout).toContain(
    `keys: broken. ${key} is damaged. Restore it from a backup. If you remove it instead, a new chain of the audit record starts. The audit record, the calendar and upstream servers were not tried.\n`,
  );
  expect(stdout).toMatch(/^database: works\nfiles: works$/m);
  expect(stdout).toMatch(/^mail: 0 messages[^]*^sizes: [^]*^versions: [^]*^clock: [^]*^settings/m);
  expect(stdout).not.toMatch(/^(?:audit record|calendar|tool list)/m);

  rmSync(key);
  mkdirSync(key, { mode: 0o700 });
  const other = await runProgram(home, ["doctor"]);
  expect(other.stdout).toContain(`keys: broken. ${key} is a directory. The audit record`);
});

it("doctor reports settings that cannot be read, and its versions", async (t) => {
  // Doctor ended with an error message, without any other line.
  const home = newHome(t);
  const file = join(home.dir, ".env");
  writeFileSync(file, Buffer.from("LOG_LEVEL=debug", "utf16le"));
  const { code, stdout, stderr } = await runProgram(home, ["doctor"]);
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout).toMatch(/^versions: countersign \S+, node \S+ \w+ \S+ \w+$/m);
  expect(stdout).toContain(
    `settings: broken. ${file} is not UTF-8 text; save it as UTF-8. No connection was tried.\n`,
  );
});

it("doctor finds files that their own user cannot use, and --fix repairs them", async (t) => {
  // Doctor said "database: works" for a read-only database, in which no mail could be stored.
  if (!canBeNobody) skipLoudly(t, "it needs root, and a program that `nobody` can read");
  const home = newHome(t, { LOG_LEVEL: "warn" });
  execFileSync("chown", ["--recursive", String(nobody), home.dir]);
  const run = (...args: string[]) => runProgram(home, args, { uid: nobody });
  expect((await run("doctor")).code).toBe(0);
  const at = (name: string): string => join(home.dir, name);
  for (const name of ["countersign.db", "objects.db", "install.key"]) chmodSync(at(name), 0o400);
  chmodSync(at(".env"), 0o200);
  const found = await run("doctor");
  expect(found.code).toBe(1);
  expect(found.stdout.split("\n").filter((line) => line.includes("by you"))).toEqual([
    `${at(".env")}: cannot be read by you (200). Run: chmod 600 ${at(".env")}`,
    `${at("countersign.db")}: cannot be written by you (400). Run: chmod 600 ${at("countersign.db")}`,
    `${at("objects.db")}: cannot be written by you (400). Run: chmod 600 ${at("objects.db")}`,
  ]);
  expect(found.stdout).toContain(`settings: broken. ${at(".env")} cannot be read by this user.`);
  expect((await run("doctor", "--fix")).code).toBe(0);
  chmodSync(home.dir, 0);
  chownSync(home.dir, nobody, nobody);
  const closed = await run("doctor");
  expect([closed.code, closed.stderr]).toEqual([
    1,
    expect.stringContaining(`names ${home.dir}, which this user may not write to.`),
  ]);
  expect(closed.stdout).toContain(`${home.dir}: cannot be read by you (0). Run: chmod 700`);
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
