import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Decrypter, Encrypter } from "age-encryption";
import { type TestContext, describe, expect, it, vi } from "vitest";
import { killChild } from "../servers/child.ts";
import { s3Environment, smtpSession, storesAt } from "../servers/ingest.ts";
import { hasS3, makeBucket } from "../servers/s3-bucket.ts";
import { approvalOf } from "./answer.ts";
import { connectHere } from "./clients.ts";
import { expectAll, filledHome, killedAt, message } from "./filled-home.ts";
import { type Home, ingestAt, newHome, storedFile, templateOf } from "./home.ts";
import { bareEnv, decideAtTerminal, decideHere, program, runHere, runProgram } from "./program.ts";

const passphrase = "correct horse battery";
const stdin = "--passphrase-stdin";
const input = `${passphrase}\n`;
/** More boundaries than a backup or restore of these few objects has. */
const mostBoundaries = 90;
/** Each restore derives a key from the passphrase, which is meant to be slow. KILL_MESSAGES visits every boundary. */
const everyBoundary = process.env["KILL_MESSAGES"] === undefined ? 7 : 1;

// Passphrases are slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

const backup = (home: Home, file: string, env: Record<string, string> = {}) =>
  runHere(home, ["backup", file, stdin], { input, env });

const restore = (home: Home, file: string, env: Record<string, string> = {}) =>
  runHere(home, ["restore", file, stdin], { input, env });

/** Encrypts a backup again, with a key that is derived in a moment. Each further restore would spend a second on it. */
async function deriveFaster(file: string): Promise<void> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(10);
  writeFileSync(file, await encrypter.encrypt(await decrypter.decrypt(readFileSync(file))));
}

let made: Promise<string> | undefined;

/** Copies a backup of what `filledHome` stores. It is made once for the tests of this worker. */
async function copyOfBackup(t: TestContext, file: string): Promise<void> {
  made ??= makeBackup(t).catch((error: unknown) => {
    made = undefined;
    throw error;
  });
  copyFileSync(await made, file);
}

async function makeBackup(t: TestContext): Promise<string> {
  const directory = newHome(t);
  const file = join(directory.dir, "home.age");
  expect((await backup(await filledHome(t), file)).code).toBe(0);
  await deriveFaster(file);
  return join(templateOf(directory), "home.age");
}

/** Creates a directory for backups outside of the data directory, and another data directory. */
function elsewhere(t: TestContext, home: Home): { file: string; other: Home } {
  const other = newHome(t);
  return {
    file: join(newHome(t).dir, "home.age"),
    other: { ...other, env: { ...home.env, ...other.env } },
  };
}

describe("a backup", () => {
  it("has every acknowledged message, although mail arrives while it is made", async (t) => {
    const home = newHome(t);
    const { file, other } = elsewhere(t, home);
    const ingest = await ingestAt(home);
    const session = await smtpSession(ingest.port);
    for (const number of [1, 2, 3]) expect(await session.send(message(number))).toMatch(/^250/);
    // In a process of its own, because deriving the key would stop the sender in this one.
    const making = runProgram(home, ["backup", file, stdin], { input });
    let isMade = false;
    void making.then(() => (isMade = true));
    for (let number = 4; !isMade && number < 400; number += 1)
      expect(await session.send(message(number))).toMatch(/^250/);
    expect((await making).code).toBe(0);
    session.close();
    expect(await ingest.stop("SIGTERM")).toBe(0);
    expect(readdirSync(home.dir).filter((name) => name.startsWith("backup-"))).toEqual([]);
    const text = readFileSync(file).toString("latin1");
    expect(text).toMatch(/^age-encryption\.org/);
    expect(text).not.toContain("number 1");

    expect((await restore(other, file)).code).toBe(0);
    // Messages whose processing the backup interrupted are processed now.
    const later = await ingestAt(other);
    await expect
      .poll(async () => {
        const [row] = await other.sql("SELECT count(*) AS due FROM mail WHERE due_at IS NOT NULL");
        return Number(row?.["due"]);
      })
      .toBe(0);
    expect(await later.stop("SIGTERM")).toBe(0);
    // More than fit on a page: the messages that were acknowledged before the backup began.
    const stores = storesAt(other.dir, other.env);
    for (const number of [1, 2, 3]) {
      const { hits } = await stores.mail.search({ query: `"word${number}"`, limit: 5 });
      expect(hits.map(({ subject }) => subject)).toEqual([`number ${number}`]);
    }
    await stores.close();
    const verified = await runHere(other, ["audit", "verify"]);
    expect(verified.code, verified.stdout + verified.stderr).toBe(0);
  });

  it("is refused by a wrong passphrase, a changed byte and a missing end", async (t) => {
    const home = await filledHome(t);
    const { file, other } = elsewhere(t, home);
    await copyOfBackup(t, file);
    const wrong = await runProgram(other, ["restore", file, "--passphrase-stdin"], {
      input: "another passphrase\n",
    });
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain("passphrase is wrong");
    const folder = await restore(other, home.dir);
    expect(folder.stderr).toBe(`${home.dir} is a directory. Nothing was restored.\n`);
    const whole = readFileSync(file);
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(changed.length - 100_000) ^ 1, changed.length - 100_000);
    for (const damaged of [changed, whole.subarray(0, -70_000)]) {
      writeFileSync(`${file}.damaged`, damaged);
      const { code, stderr } = await restore(other, `${file}.damaged`);
      expect(code).toBe(1);
      expect(stderr).toBe("The backup is damaged. Nothing was restored.\n");
      // A failure that the program notices leaves no half.
      expect(readdirSync(other.dir)).toEqual([]);
    }
    expect((await restore(other, file)).code).toBe(0);
    await expectAll(other);
  });

  it("replaces no file, and is not restored over existing data", async (t) => {
    const home = await filledHome(t);
    const { file } = elsewhere(t, home);
    await copyOfBackup(t, file);
    const again = await backup(home, file);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("exists");
    // A refused directory had become private, and it may be a directory of other programs.
    chmodSync(home.dir, 0o755);
    const refused = await restore(home, file);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^\S+ is not empty: it has /);
    expect(statSync(home.dir).mode & 0o777).toBe(0o755);
    const nowhere = await backup(home, join(home.dir, "absent", "backup"));
    expect(nowhere.stderr).toBe(
      `The directory ${join(home.dir, "absent")} does not exist. No backup was made. Create it, or choose another place.\n`,
    );
    await expectAll(home);
  });

  it("restores beside the backup's own key, and not beside another", async (t) => {
    const home = await filledHome(t);
    const { file, other } = elsewhere(t, home);
    await copyOfBackup(t, file);
    const key = join(other.dir, "install.key");
    writeFileSync(key, `${"0".repeat(64)}\n`, { mode: 0o600 });
    const refused = await restore(other, file);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("key of a different installation");
    expect(readdirSync(other.dir)).toEqual(["install.key"]);
    copyFileSync(join(home.dir, "install.key"), key);
    writeFileSync(`${file}.damaged`, readFileSync(file).subarray(0, -70_000));
    expect((await restore(other, `${file}.damaged`)).stderr).toContain("damaged");
    expect(readdirSync(other.dir)).toEqual(["install.key"]);
    expect((await restore(other, file)).code).toBe(0);
    await expectAll(other);
  });

  it("restores the settings, unless the directory already has some", async (t) => {
    const home = await filledHome(t);
    const { file, other } = elsewhere(t, home);
    writeFileSync(join(home.dir, "servers.json"), '{"mcpServers":{}}', { mode: 0o600 });
    writeFileSync(join(home.dir, ".env"), "UNDO_HOURS=5\n", { mode: 0o600 });
    expect((await backup(home, file)).code).toBe(0);
    await deriveFaster(file);
    expect((await restore(other, file)).code).toBe(0);
    expect(readFileSync(join(other.dir, ".env"), "utf8")).toBe("UNDO_HOURS=5\n");
    expect(readFileSync(join(other.dir, "servers.json"), "utf8")).toBe('{"mcpServers":{}}');
    const third = newHome(t);
    writeFileSync(join(third.dir, ".env"), "UNDO_HOURS=7\n", { mode: 0o600 });
    expect((await restore(third, file)).stdout).toContain("Your own settings were kept");
    expect(readFileSync(join(third.dir, ".env"), "utf8")).toBe("UNDO_HOURS=7\n");
    expect(readFileSync(join(third.dir, "install.key"))).toEqual(
      readFileSync(join(home.dir, "install.key")),
    );
  });
});

describe("after a restore", () => {
  it("an open approval request cannot be approved, and an approved call does not run", async (t) => {
    const home = newHome(t);
    const { file } = elsewhere(t, home);
    const client = await connectHere(home, "v2 legacy");
    const ids: string[] = [];
    for (const key of ["pending.md", "approved.md"]) {
      await client.call("write_file", { key, content: "text" });
      ids.push(approvalOf(await client.call("delete_file", { key })).id);
    }
    await client.close();
    const [pending = "", approved = ""] = ids;
    await decideHere(home, "approve", approved);
    expect((await backup(home, file)).code).toBe(0);
    // The same place again, since approvals are bound to it.
    renameSync(home.dir, `${home.dir}-lost`);
    home.later(() => renameSync(`${home.dir}-lost`, join(home.dir, "lost")));
    mkdirSync(home.dir, { mode: 0o700 });
    expect((await restore(home, file)).stdout).toContain("that are no longer valid: 2");

    expect((await decideAtTerminal(home, "approve", pending)).code).toBe(1);
    const later = await connectHere(home, "v2 legacy");
    const status = async (approvalId: string) =>
      (await later.call("check_approval", { approvalId })).output?.["status"];
    expect([await status(pending), await status(approved)]).toEqual(["expired", "unknown"]);
    for (const key of ["pending.md", "approved.md"]) {
      const answer = await later.call("delete_file", { key });
      expect(answer.isError).toBe(true);
      expect(await storedFile(home, key)).toMatchObject({ there: true });
    }
  });
});

describe("a killed backup", () => {
  it("leaves no file of its name, and can be repeated", async (t) => {
    const home = await filledHome(t);
    const { other } = elsewhere(t, home);
    const directory = newHome(t).dir;
    let boundary = 1;
    for (let wasKilled = true; wasKilled; boundary += 1) {
      expect(boundary).toBeLessThan(mostBoundaries);
      const file = join(directory, `${boundary}.age`);
      wasKilled = await killedAt(home, ["backup", file, stdin], boundary, input);
      expect(existsSync(file)).toBe(!wasKilled);
      if (wasKilled) continue;
      expect(readdirSync(home.dir).filter((name) => name.startsWith("backup-"))).toEqual([]);
      expect((await restore(other, file)).code).toBe(0);
    }
    // Both copies, and the heads among them.
    expect(boundary).toBeGreaterThan(4);
    await expectAll(other);
    await expectAll(home);
  });
});

it("a backup that Ctrl-C stops leaves no copy", async (t) => {
  // The copy of the database and the objects remained, without encryption, until the next backup.
  const home = await filledHome(t);
  const file = join(newHome(t).dir, "stopped.age");
  const child = spawn(process.execPath, [program, "backup", file, stdin], {
    env: bareEnv(home.env),
    stdio: ["pipe", "ignore", "pipe"],
  });
  home.later(() => killChild(child));
  child.stdin.end(input);
  const said = text(child.stderr);
  const ended = once(child, "exit");
  const snapshot = (): string | undefined =>
    readdirSync(home.dir).find((name) => name.startsWith(`backup-${child.pid}-`));
  await expect.poll(snapshot, { interval: 1, timeout: 30_000 }).toBeDefined();
  child.kill("SIGINT");
  expect(await said).toBe("Stopped. No backup was made.\n");
  // In one of nine cases the driver aborted the process with a stack trace.
  expect(await ended).toEqual([null, "SIGINT"]);
  expect([file, `${file}.part`].filter((path) => existsSync(path))).toEqual([]);
  expect(snapshot()).toBeUndefined();
});

const places = [
  { name: "the embedded store", canRun: true, environment: async () => ({}) },
  {
    name: "S3",
    canRun: hasS3(),
    environment: async () => s3Environment((await makeBucket()).settings),
  },
];

for (const { name, canRun, environment } of places) {
  describe.skipIf(!canRun)(`a killed restore into ${name}`, () => {
    it("is noticed by every command, and a repeat finishes it", async (t) => {
      const from: Record<string, string> = await environment();
      const to: Record<string, string> = await environment();
      const file = join(newHome(t).dir, "home.age");
      if (name === "S3") {
        expect((await backup(await filledHome(t, from), file)).code).toBe(0);
        await deriveFaster(file);
      } else await copyOfBackup(t, file);
      const target = newHome(t, to);
      let boundary = 1;
      for (let wasKilled = true; wasKilled; boundary += everyBoundary) {
        expect(boundary).toBeLessThan(mostBoundaries);
        wasKilled = await killedAt(target, ["restore", file, stdin], boundary, input);
        if (!wasKilled) continue;
        // Every command begins with this check. Two commands show it once.
        expect(() => storesAt(target.dir, target.env)).toThrow(
          "countersign restore has not finished",
        );
        if (boundary > 1) continue;
        for (const args of [["serve"], ["mail", "list"]]) {
          const { code, stderr } = await runProgram(target, args);
          expect(code).toBe(1);
          expect(stderr).toContain("countersign restore has not finished");
        }
      }
      expect(boundary).toBeGreaterThan(4);
      expect(existsSync(join(target.dir, "unfinished.json"))).toBe(false);
      expect(existsSync(join(target.dir, "restoring"))).toBe(false);
      await expectAll(target);
    });
  });
}

it("a restore that was killed while it unpacks is finished by a repeat", async (t) => {
  const home = await filledHome(t);
  const { file, other } = elsewhere(t, home);
  await copyOfBackup(t, file);
  const child: ChildProcess = spawn(
    process.execPath,
    [program, "restore", file, "--passphrase-stdin"],
    { env: bareEnv(other.env), stdio: ["pipe", "ignore", "ignore"] },
  );
  other.later(() => killChild(child));
  child.stdin?.end(`${passphrase}\n`);
  await expect
    .poll(() => existsSync(join(other.dir, "restoring")) || child.exitCode !== null, {
      interval: 1,
      timeout: 30_000,
    })
    .toBe(true);
  await killChild(child);
  expect((await restore(other, file)).code).toBe(0);
  await expectAll(other);
});
