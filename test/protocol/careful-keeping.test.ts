import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DeleteObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { describe, expect, it, vi } from "vitest";
import { startDenyingProxy } from "../servers/denying-proxy.ts";
import { s3Environment } from "../servers/ingest.ts";
import { hasS3, makeBucket } from "../servers/s3-bucket.ts";
import { expectAll, filledHome, killedAt } from "./filled-home.ts";
import { type Home, newHome } from "./home.ts";
import { runHere, runProgram } from "./program.ts";

// Passphrases are slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const input = "correct horse battery\n";

const backup = (home: Home, file: string, env: Record<string, string> = {}) =>
  runHere(home, ["backup", file, "--passphrase-stdin"], { input, env });

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe("a mistyped data directory", () => {
  // Each command created the directory and a database in it. The backup "contains everything", and the copy was complete.
  it("is refused by backup and copy, which change nothing", async (t) => {
    const home = newHome(t);
    const file = join(home.dir, "home.age");
    const target = join(home.dir, "target.env");
    writeFileSync(target, `COUNTERSIGN_DATA_DIR=${join(home.dir, "target")}\n`, { mode: 0o600 });
    const absent = join(home.dir, "absent");
    const empty = join(home.dir, "empty");
    const foreign = join(home.dir, "foreign");
    for (const dir of [empty, foreign]) mkdirSync(dir);
    for (const dir of [empty, foreign]) chmodSync(dir, 0o755);
    writeFileSync(join(foreign, "notes.txt"), "mine");
    const before = readdirSync(home.dir);
    for (const [args, nothing] of [
      [["backup", file, "--passphrase-stdin"], "No backup was made."],
      [["copy", "--to", target], "Nothing was copied."],
    ] as const)
      for (const [dir, problem] of [
        [absent, `The data directory ${absent} does not exist.`],
        [empty, `${empty} has no data of Countersign.`],
        [foreign, `${foreign} has no data of Countersign.`],
      ] as const) {
        const env = { COUNTERSIGN_DATA_DIR: dir };
        const { code, stderr } = await runHere(home, args, { input, env });
        expect(stderr).toBe(`${problem} ${nothing} Check COUNTERSIGN_DATA_DIR.\n`);
        expect(code).toBe(1);
      }
    expect(readdirSync(home.dir)).toEqual(before);
    expect([readdirSync(empty), readdirSync(foreign)]).toEqual([[], ["notes.txt"]]);
    expect([modeOf(empty), modeOf(foreign)]).toEqual([0o755, 0o755]);
  });

  it("is not made private by a remove that refuses", async (t) => {
    // The directory had mode 700 before the command refused.
    const home = await filledHome(t);
    chmodSync(home.dir, 0o755);
    const unconfirmed = await runHere(home, ["remove", "--data"]);
    expect(unconfirmed.code).toBe(1);
    expect(unconfirmed.stderr).toBe(
      "Confirm the deletion at a terminal, or use --yes. Nothing was deleted.\n",
    );
    expect(modeOf(home.dir)).toBe(0o755);
    const absent = join(home.dir, "absent");
    const env = { COUNTERSIGN_DATA_DIR: absent };
    expect((await runHere(home, ["remove", "--data"], { env })).code).toBe(1);
    expect(existsSync(absent)).toBe(false);
    const foreign = newHome(t);
    chmodSync(foreign.dir, 0o755);
    for (const name of ["notes.txt", ".env"]) {
      writeFileSync(join(foreign.dir, name), "", { mode: 0o600 });
      const { code } = await runHere(foreign, ["remove", "--data", "--yes"]);
      expect(code).toBe(name === ".env" ? 1 : 0);
      expect(modeOf(foreign.dir)).toBe(0o755);
    }
    expect(readdirSync(foreign.dir).toSorted()).toEqual([".env", "notes.txt"]);
  });
});

it("a backup counts what it contains, and is refused without the database", async (t) => {
  const home = await filledHome(t);
  const { code, stdout } = await backup(home, join(home.dir, "full.age"));
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/full\.age contains everything \(.*\)\. Messages: 3, files: 1\. Only /),
  ]);
  const database = join(home.dir, "countersign.db");
  renameSync(database, `${database}.away`);
  const refused = await backup(home, join(home.dir, "none.age"));
  expect(refused.stderr).toBe(
    `The database ${database} does not exist. No backup was made. Check COUNTERSIGN_DATA_DIR and DATABASE_URL.\n`,
  );
  expect(readdirSync(home.dir)).not.toContain("countersign.db");
});

describe("mail without content", () => {
  it("in the embedded store is reported by doctor, backup and restore", async (t) => {
    // Doctor said "files: works", and the backup contained "everything".
    const home = await filledHome(t);
    const well = await runHere(home, ["doctor"]);
    expect([well.code, well.stdout]).toEqual([0, expect.not.stringContaining("content of mail")]);
    const objects = join(home.dir, "objects.db");
    renameSync(objects, `${objects}.away`);
    const { code, stdout } = await runHere(home, ["doctor"]);
    expect(code).toBe(1);
    expect(stdout).toContain(
      `content of mail: broken. ${objects} lacks the content of 3 of 3 messages, which cannot be read. Put back its objects, or restore a backup into an empty directory.\n`,
    );
    const file = join(newHome(t).dir, "home.age");
    const made = await backup(home, file);
    expect([made.code, made.stdout]).toEqual([1, ""]);
    expect(made.stderr).toContain("home.age is not complete");
    expect(made.stderr).toContain("The object store lacks the content of 3 messages.");
    const other = newHome(t);
    const restored = await runHere(other, ["restore", file, "--passphrase-stdin"], { input });
    expect(restored.stdout).toContain(
      "Messages that the backup lists without their content, and that were left out: 3.\n",
    );
    renameSync(`${objects}.away`, objects);
    await expectAll(home);
  });

  it.skipIf(!hasS3())("in a bucket is reported by doctor and backup", async (t) => {
    const { settings, client } = await makeBucket();
    const home = await filledHome(t, s3Environment(settings));
    const at = { Bucket: settings.bucket };
    const { Contents = [] } = await client.send(new ListObjectsV2Command(at));
    const raw = Contents.filter(({ Key }) => Key?.startsWith("mail/raw/"));
    expect(raw).toHaveLength(3);
    await client.send(new DeleteObjectCommand({ ...at, Key: raw[1]?.Key }));
    const { code, stdout } = await runHere(home, ["doctor"]);
    expect(code).toBe(1);
    expect(stdout).toContain(
      `the bucket ${settings.bucket} lacks the content of 1 of 3 messages of a sample`,
    );
    const made = await backup(home, join(newHome(t).dir, "home.age"));
    expect(made.code).toBe(1);
    expect(made.stderr).toContain("The object store lacks the content of 1 messages.");
  });
});

describe.skipIf(!hasS3())("remove --data with a bucket that denies deletions", () => {
  it.for([
    { of: "all objects", denied: /./, deleted: 0 },
    { of: "files", denied: /\/files\//, deleted: 6 },
  ])("of $of leaves the data usable, and a repeat finishes it", async ({ denied, deleted }, t) => {
    // Every other command refused the data directory afterwards.
    const { settings, client } = await makeBucket();
    const home = await filledHome(t, s3Environment(settings));
    const proxy = await startDenyingProxy(
      settings.endpoint,
      (method, path) => method === "DELETE" && denied.test(path),
    );
    home.later(() => proxy.close());
    const env = { S3_ENDPOINT: proxy.url };
    const before = readdirSync(home.dir).toSorted();
    const { code, stdout, stderr } = await runHere(home, ["remove", "--data", "--yes"], { env });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`The bucket ${settings.bucket} did not delete `);
    expect(stderr).toContain(
      `Objects deleted: ${deleted}, objects left: ${7 - deleted}. The database and the settings were not deleted.`,
    );
    expect(readdirSync(home.dir).toSorted()).toEqual(before);
    const listed = await runHere(home, ["mail", "list"]);
    expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining("number 3")]);
    expect((await runHere(home, ["remove", "--data", "--yes"])).code).toBe(0);
    expect(existsSync(home.dir)).toBe(false);
    const left = await client.send(new ListObjectsV2Command({ Bucket: settings.bucket }));
    expect(left.Contents ?? []).toEqual([]);
  });
});

it("a copy marks its database from the first moment, wherever it is killed", async (t) => {
  // A server with the new settings began a new installation there before the mark was written.
  const home = await filledHome(t);
  let refusals = 0;
  for (let boundary = 1; refusals < 3; boundary += 1) {
    expect(boundary).toBeLessThan(20);
    const target = newHome(t);
    const file = join(target.dir, "target.env");
    const dir = join(target.dir, "data");
    writeFileSync(file, `COUNTERSIGN_DATA_DIR=${dir}\n`, { mode: 0o600 });
    expect(await killedAt(home, ["copy", "--to", file], boundary)).toBe(true);
    const env = { COUNTERSIGN_DATA_DIR: dir };
    if (existsSync(join(dir, "countersign.db"))) {
      const { code, stderr } = await runHere(target, ["mail", "list"], { env });
      expect([code, stderr]).toEqual([1, expect.stringContaining("copy")]);
      refusals += 1;
    }
    const again = await runHere(home, ["copy", "--to", file]);
    expect([again.code, again.stderr]).toEqual([0, ""]);
    await expectAll({ ...home, dir, env: { ...home.env, ...env } });
  }
});

it("connect refuses a pipe in place of a client's file", async (t) => {
  // Reading the pipe never ended, so the other clients were not connected.
  const home = newHome(t);
  mkdirSync(join(home.dir, ".cursor"));
  const pipe = join(home.dir, ".cursor", "mcp.json");
  execFileSync("mkfifo", [pipe]);
  const env = { HOME: home.dir };
  const { code, stderr } = await runProgram(home, ["connect", "cursor", "--yes"], { env });
  expect([code, stderr]).toEqual([
    1,
    `${pipe} is not a regular file. It was not changed. Move it away, then run the command again.\n`,
  ]);
});
