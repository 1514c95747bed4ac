import { execSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  appendFileSync,
  chmodSync,
  existsSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { capabilities } from "../../src/setup/capabilities.ts";
import { freePort } from "../servers/child.ts";
import { ownMark } from "../../src/app/platform/process-id.ts";
import { ingestAt, ingestHere, newHome } from "./home.ts";
import { runHere, runProgram } from "./program.ts";

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
  it("reports each working connection, or the settings that enable it", async (t) => {
    const { code, stdout } = await runProgram(newHome(t), ["doctor"]);
    const init = / Run: .+ init$/;
    const lines = stdout.split("\n");
    expect(lines.slice(0, 13).map((line) => line.replace(init, " INIT"))).toEqual([
      "database: works",
      "files: works",
      "policy file: off. Set POLICY_FILE to enable it.",
      "audit record: works",
      "calendar: off. Set CALDAV_* to enable it. INIT",
      "web search: off. Set TAVILY_API_KEY to enable it. INIT",
      "mail over SMTP: off. Set INGEST_RECIPIENTS to enable it. INIT",
      "mail over HTTP: off. Set INGEST_HTTP_* to enable it. INIT",
      "mail from IMAP: off. Set IMAP_* to enable it. INIT",
      "mail from the bucket: off. Set INGEST_BUCKET_PREFIX to enable it. INIT",
      "summaries by a model: off. Set SUMMARY_* to enable it. INIT",
      "assistant: off. Set ASSISTANT_* to enable it. INIT",
      "Telegram: off. Set TELEGRAM_* to enable it. INIT",
    ]);
    // `init` did not ask for the assistant.
    const setUp = capabilities.map(({ connection }) => connection);
    for (const line of lines.filter((each) => init.test(each)))
      expect(setUp).toContain(line.split(": off.")[0]);
    expect(lines.slice(13)).toEqual([
      "leader: none, so no process fetches mail or cleans up",
      "mail: 0 messages, kept without a time limit",
      expect.stringMatching(/^sizes: database \d+\.\d MB, embedded objects /) as string,
      expect.stringMatching(/^versions: countersign \S+, node 2\d\.\S+, SQLite 3\.\S+, /) as string,
      expect.stringMatching(
        /^clock: 20\S+Z, not compared, because no server is configured$/,
      ) as string,
      expect.stringMatching(/^settings from the environment: COUNTERSIGN_DATA_DIR, /) as string,
      "all other settings: default",
      "",
    ]);
    expect(code).toBe(0);
  });

  it("reports failures in plain words, without secrets", async (t) => {
    // No program listens at port 1.
    const home = newHome(t, { ...calendar, CALDAV_URL: "http://127.0.0.1:1/", ...mailbox });
    const { code, stdout, stderr } = await runHere(home, ["doctor", "--json"]);
    const told = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { name: string; state?: string; error?: object })
      .filter(({ state }) => state !== undefined);
    expect(told.map(({ name, state }) => `${name} ${state}`)).toEqual([
      "database works",
      "files works",
      "policy file off",
      "audit record works",
      "calendar broken",
      "web search off",
      "mail over SMTP broken",
      "mail over HTTP off",
      "mail from IMAP broken",
      "mail from the bucket off",
      "summaries by a model off",
      "assistant off",
      "Telegram off",
    ]);
    expect(told[4]?.error).toMatchObject({ kind: "unavailable", sideEffects: "none" });
    expect(told[6]?.error).toMatchObject({
      message: "SMTP_TLS_CERT: /nowhere.pem cannot be read.",
    });
    expect(told[8]?.error).toMatchObject({ message: "The IMAP server could not be reached." });
    // The report named a server that had not answered.
    expect(stdout).toMatch(/"20\S+Z, not compared, because 127\.0\.0\.1:1 did not say its time"/);
    expect(code).toBe(1);
    expect(stdout + stderr).not.toContain(calendar.CALDAV_PASSWORD);
    expect(stdout + stderr).not.toContain(mailbox.IMAP_PASSWORD);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it("names a mark that cannot be read, and its end", async (t) => {
    const home = newHome(t);
    const marks = join(home.dir, "countersign.db-recording");
    mkdirSync(marks);
    const name = ["0123456789abcdef", "rec_x", (Date.now() - 60_000).toString(36), "1"].join(".");
    writeFileSync(join(marks, name), Buffer.of(0, 0, 0, 2, 1, 1));
    const { code, stdout } = await runHere(home, ["doctor"]);
    expect(stdout).toMatch(
      /^private content: broken\. A result was not recorded, and the file with its content cannot be read/m,
    );
    expect(stdout).toContain(`Run: rm ${join(marks, name)}`);
    expect(code).toBe(1);
  });

  // The command ended at the first wrong setting without a command, and reported no other capability.
  it("lists wrong settings, each with its origin and a command", async (t) => {
    const home = newHome(t, { CALDAV_URL: "http://127.0.0.1:1/", UNDO_HOURS: "0" });
    const env = { ...home.env, LOG_LEVEL: "shout" };
    const { code, stdout, stderr } = await runProgram({ ...home, env }, ["doctor"]);
    const lines = stdout.split("\n").filter((line) => line.startsWith("settings: "));
    const file = join(home.dir, ".env");
    expect(lines).toContain(
      "settings: broken. LOG_LEVEL must be `debug` or `info` or `warn` or `error`. It comes from the environment. Run: unset LOG_LEVEL",
    );
    expect(lines).toContain(
      `settings: broken. UNDO_HOURS must be a whole number from 1 to 720. It comes from ${file}. Run: \${EDITOR:-vi} ${file}`,
    );
    expect(lines.some((line) => line.includes("CALDAV_USERNAME"))).toBe(true);
    expect(stdout).toContain("settings from the environment: ");
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  });

  // The report said "ok" for an address where nothing could be received.
  it("tests the mail ports, and recognises a running ingest", async (t) => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    t.onTestFinished(() => void server.close());
    const { port: taken } = server.address() as AddressInfo;
    const told = async (env: Record<string, string>) => {
      const home = newHome(t, { INGEST_RECIPIENTS: "me@in.example", ...env });
      const { code, stdout } = await runHere(home, ["doctor"]);
      return `${code} ${stdout
        .split("\n")
        .filter((line) => line.startsWith("mail over"))
        .join(" ")}`;
    };
    const http = {
      INGEST_HTTP_TOKEN: "a-long-enough-token",
      INGEST_HTTP_PORT: "0",
      SMTP_PORT: "0",
    };
    expect(await told(http)).toBe("0 mail over SMTP: works mail over HTTP: works");
    expect(await told({ ...http, SMTP_PORT: `${taken}` })).toMatch(
      new RegExp(
        `^1 mail over SMTP: broken\\. SMTP_PORT: another program listens at 127.0.0.1:${taken} already`,
      ),
    );
    expect(await told({ ...http, INGEST_HTTP_PORT: `${taken}` })).toMatch(
      /^1 mail over SMTP: works mail over HTTP: broken\. INGEST_HTTP_PORT: another program/,
    );
    expect(await told({ ...http, SMTP_HOST: "192.0.2.1" })).toContain(
      "SMTP_HOST: 192.0.2.1 is not an address of this machine",
    );
    const ingest = await ingestHere(newHome(t), { ...http, HTTP_HOST: "127.0.0.1" });
    const listening = {
      SMTP_PORT: String(ingest.port),
      INGEST_HTTP_PORT: new URL(ingest.url!).port,
    };
    expect(await told({ ...http, ...listening })).toBe(
      "0 mail over SMTP: works mail over HTTP: works",
    );
  });

  it("finds wide permissions and leftover files, which its commands and --fix mend", async (t) => {
    const home = newHome(t);
    await runHere(home, ["doctor"]);
    const file = join(home.dir, ".env");
    const key = join(home.dir, "install.key");
    const left = join(home.dir, "approvals.html.0123456789ab");
    const young = join(home.dir, ".env.0123456789ab");
    // A killed backup leaves a copy of everything, which no command mentioned.
    const killed = join(home.dir, "backup-99999999");
    // Another process now has the id, and the copy stayed as long as it ran.
    const reused = join(home.dir, `backup-${process.ppid}-${ownMark().slice(-12, -8)}00000000`);
    const running = join(home.dir, `backup-${ownMark()}`);
    const open = (): void => {
      writeFileSync(file, "LOG_LEVEL=error\n");
      chmodSync(file, 0o666);
      chmodSync(key, 0o644);
      writeFileSync(left, "");
      utimesSync(left, new Date(0), new Date(0));
      writeFileSync(young, "");
      mkdirSync(killed);
      mkdirSync(reused);
      mkdirSync(running, { recursive: true });
    };
    const modes = (): number[] => [file, key].map((path) => statSync(path).mode & 0o777);
    open();
    const found = await runHere(home, ["doctor"]);
    expect(found.code).toBe(1);
    const commands = [...found.stdout.matchAll(/^.+ Run: ((?:chmod|rm) .+)$/gm)].map(
      ([, line = ""]) => line,
    );
    expect(commands.toSorted()).toEqual([
      `chmod 600 ${file}`,
      `chmod 600 ${key}`,
      ...[`rm -r ${killed}`, `rm -r ${reused}`].toSorted(),
      `rm ${left}`,
    ]);
    expect(modes()).toEqual([0o666, 0o644]);
    for (const line of commands) execSync(line);
    expect(modes()).toEqual([0o600, 0o600]);
    const gone = [left, killed, reused];
    expect(gone.filter((path) => existsSync(path))).toEqual([]);
    expect((await runHere(home, ["doctor"])).code).toBe(0);

    open();
    const fixed = await runProgram(home, ["doctor", "--fix"]);
    expect(fixed.code).toBe(0);
    expect(fixed.stdout.match(/ Fixed\.$/gm)).toHaveLength(5);
    expect(modes()).toEqual([0o600, 0o600]);
    expect(gone.filter((path) => existsSync(path))).toEqual([]);
    expect([young, running].filter((path) => !existsSync(path))).toEqual([]);
  });

  it("prints commands that run as printed", async (t) => {
    const unusual = `POLICY_FILE='${join(tmpdir(), "countersign no such policy.json")}'`;
    const home = newHome(t, { ...calendar, CALDAV_URL: "http://127.0.0.1:1/" });
    await runHere(home, ["doctor"]);
    mkdirSync(join(home.dir, "audit"), { recursive: true });
    writeFileSync(join(home.dir, "audit", `head-${"9".repeat(15)}-ab.json`), "changed");
    writeFileSync(join(home.dir, "objects.db"), "no database ".repeat(1_000));
    writeFileSync(join(home.dir, ".env.left over.0123456789ab"), "");
    utimesSync(join(home.dir, ".env.left over.0123456789ab"), new Date(0), new Date(0));
    appendFileSync(join(home.dir, ".env"), `\n${unusual}\n`);
    chmodSync(join(home.dir, "install.key"), 0o644);
    const { code, stdout } = await runHere(home, ["doctor"]);
    expect(code).toBe(1);
    const printed = stdout.split("\n").map((line) => line.split(/ Run:? /).slice(1));
    const commands = new Set(printed.flat());
    expect(printed.filter(({ length }) => length > 1)).toEqual([]);
    // The report named `init` for a damaged file, and contained a command twice in one line.
    expect(stdout).toMatch(/^files: broken\. The file objects\.db is damaged(?!.*Run:)/m);
    const said: string[] = [];
    for (const command of commands) {
      // The environment is that of a new shell, so the command itself has to name the data directory.
      const { PATH, HOME } = process.env;
      const run = spawnSync("/bin/sh", ["-c", command], {
        env: { PATH, HOME },
        cwd: "/",
        input: "",
        encoding: "utf8",
      });
      said.push(`${run.status} ${run.stdout}${run.stderr}`);
      // Exit code 2 means that our own parser refused the command, 126 and 127 that the shell did.
      expect([0, 1], `${command}\n${said.at(-1)}`).toContain(run.status);
    }
    expect(said.join("\n")).toContain("countersign no such policy.json does not exist");
    expect(said.join("\n")).toMatch(/^1 (?:.*\n)?BROKEN: /m);
    expect(said.join("\n")).toContain("init asks its questions only at a terminal");
    const after = await runHere(home, ["doctor"]);
    expect(after.stdout).not.toMatch(/is open to other users|is left over/);
  });

  it("says in one sentence that a file is in place of the data directory", async (t) => {
    const home = newHome(t);
    const file = join(home.dir, "data");
    writeFileSync(file, "");
    const { code, stderr } = await runHere(home, ["doctor"], {
      env: { COUNTERSIGN_DATA_DIR: file },
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`is not a directory`) as string]);
    expect(stderr).not.toContain("ENOTDIR");
    // Closing a file of the system to other users, as the doctor advised, would break the system.
    chmodSync(file, 0o644);
    const open = await runHere(home, ["doctor"], { env: { COUNTERSIGN_DATA_DIR: file } });
    expect(open.stdout).not.toContain("chmod");
  });

  it("says what each secret opens and where it is revoked, and never what it is", async (t) => {
    const home = newHome(t, { ...calendar, APPROVERS: "" });
    const file = join(home.dir, ".env");
    const env = { TAVILY_API_KEY: "tvly-canary-secret" };
    const { code, stdout } = await runHere(home, ["doctor", "--credentials"], { env });
    expect(code).toBe(0);
    expect(stdout).toContain("TAVILY_API_KEY (the environment)\n  opens: ");
    expect(stdout).toContain(`CALDAV_PASSWORD (${file})\n  opens: `);
    expect(stdout.match(/^ {2}revoke: /gm)).toHaveLength(2);
    expect(stdout).not.toContain("canary");
  });

  // The clock was compared with a database on the same machine, which never differs.
  it("reports records that are newer than the clock", async (t) => {
    const home = newHome(t);
    await runHere(home, ["doctor"]);
    const later = Date.UTC(2099, 0, 1);
    await home.sql(
      "INSERT INTO mail (email_id, raw_sha256, raw_bytes, received_at, search_id) VALUES ('em_a', '', 1, ?, 1)",
      [later],
    );
    const { code, stdout } = await runHere(home, ["doctor"]);
    expect(stdout).toMatch(
      /^clock: broken\. The clock of this machine says 20\S+, and the newest record is of 2099-01-01T00:00:00\.000Z\. The clock is slow now, or it was fast when that record was written\./m,
    );
    expect(code).toBe(1);
  });

  it("says who is the leader and where each setting came from", async (t) => {
    const home = newHome(t, {
      INGEST_RECIPIENTS: "me@in.example",
      // The doctor of another test may try the default port at this moment.
      SMTP_PORT: String(await freePort()),
      LOG_LEVEL: "error",
    });
    home.env["SMTP_PORT"] = "0";
    const ingest = await ingestAt(home);
    await t.expect
      .poll(async () => (await runHere(home, ["doctor"])).stdout)
      .toContain(`leader: process ${ingest.process.pid ?? 0} on ${hostname()}, which fetches mail`);
    const { stdout } = await runHere(home, ["doctor", "--json"]);
    for (const [setting, from] of [
      ["LOG_LEVEL", "file"],
      ["SMTP_PORT", "environment"],
      ["SMTP_HOST", "default"],
    ])
      expect(stdout).toContain(`${JSON.stringify({ setting, from })}\n`);
  });
});
