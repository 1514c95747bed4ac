import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import { createClient } from "@libsql/client/sqlite3";
import { describe, expect, inject, it, vi } from "vitest";
import { s3Environment } from "../servers/ingest.ts";
import { killChild } from "../servers/child.ts";
import { startDatabaseServer } from "../servers/database-server.ts";
import { hasS3, makeBucket } from "../servers/s3-bucket.ts";
import { fillDisk, smallDisk } from "../servers/small-disk.ts";
import { filledHome, killedAt } from "./filled-home.ts";
import { type Home, ingestAt, newHome } from "./home.ts";
import { runHere, runProgram } from "./program.ts";
import { raw2025 } from "./raw-server.ts";
import { keys, runAtTerminal } from "./terminal.ts";

/** More boundaries than a removal of these few objects has. */
const mostBoundaries = 60;

vi.setConfig({ testTimeout: 300_000 });

const remove = (home: Home, ...options: string[]) =>
  runHere(home, ["remove", "--data", ...options]);

/** Files in the data directory that this program did not write. */
function addUnknownFiles(home: Home): void {
  writeFileSync(join(home.dir, "notes.txt"), "mine");
  writeFileSync(join(home.dir, "countersign.db.old"), "mine too");
  mkdirSync(join(home.dir, "servers", "files"), { recursive: true });
  mkdirSync(join(home.dir, "servers", "none"));
  writeFileSync(join(home.dir, "servers", "files", "kept.txt"), "a server's");
  mkdirSync(join(home.dir, "audit"), { recursive: true });
  writeFileSync(join(home.dir, "audit", "letter.txt"), "mine");
}

function expectUnknownFiles(home: Home): void {
  const names = readdirSync(home.dir, { recursive: true, encoding: "utf8" }).toSorted();
  expect(names).toEqual([
    "audit",
    "audit/letter.txt",
    "countersign.db.old",
    "notes.txt",
    "servers",
    "servers/files",
    "servers/files/kept.txt",
  ]);
  expect(readFileSync(join(home.dir, "notes.txt"), "utf8")).toBe("mine");
}

/** Creates a home with a database server and a bucket that also contain other programs' data. */
async function remoteHome(t: Parameters<typeof filledHome>[0]) {
  const file = join(newHome(t).dir, "server.db");
  const server = await startDatabaseServer(file);
  t.onTestFinished(() => server.close());
  const sql = async (statement: string) => {
    const client = createClient({ url: `file:${file}` });
    try {
      return (await client.execute(statement)).rows;
    } finally {
      client.close();
    }
  };
  await sql("CREATE TABLE others (name TEXT)");
  const bucket = await makeBucket();
  const { bucket: Bucket } = bucket.settings;
  await bucket.client.send(new PutObjectCommand({ Bucket, Key: "others/letter", Body: "x" }));
  const home = await filledHome(t, {
    DATABASE_URL: server.url,
    DATABASE_AUTH_TOKEN: server.token,
    ...s3Environment(bucket.settings),
  });
  return {
    home,
    tables: async () =>
      (
        await sql(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
        )
      ).map(({ name }) => (typeof name === "string" ? name : "")),
    objects: async () =>
      ((await bucket.client.send(new ListObjectsV2Command({ Bucket }))).Contents ?? []).map(
        ({ Key }) => Key,
      ),
  };
}

describe("remove --data", () => {
  it("deletes every file of the program, names the rest, and deletes none of it", async (t) => {
    const home = await filledHome(t);
    writeFileSync(join(home.dir, ".env"), "TAVILY_API_KEY=tvly-secret\n", { mode: 0o600 });
    for (const name of [
      "server-sign-ins.json",
      "server-restarts.json",
      "server-troubles.json",
      "reviewed-tools.json.lock",
    ])
      writeFileSync(join(home.dir, name), "{}");
    addUnknownFiles(home);
    const { code, stdout, stderr } = await runProgram(home, ["remove", "--data", "--yes"]);
    expect(code, stderr).toBe(0);
    expectUnknownFiles(home);
    expect(stdout).toContain(
      "which Countersign did not write: audit, countersign.db.old, notes.txt",
    );
    expect(stdout).toContain("connect --undo");
    expect(stdout).toContain("service uninstall");
    expect(stdout).toContain("what TAVILY_API_KEY opens. Revoke it at app.tavily.com");
    expect(stdout + stderr).not.toContain("tvly-secret");
  });

  it("leaves no directory, and a repeat has nothing to do", async (t) => {
    const home = await filledHome(t);
    const { code, stderr } = await remove(home, "--yes");
    expect(code).toBe(0);
    expect(stderr).not.toContain("Waiting");
    expect(existsSync(home.dir)).toBe(false);
    const again = await remove(home, "--yes");
    expect(again.code).toBe(0);
    expect(again.stdout).toContain("0 files deleted");
    expect(existsSync(home.dir)).toBe(false);
  });

  it("deletes a database that is elsewhere, and nothing beside it", async (t) => {
    const place = newHome(t).dir;
    writeFileSync(join(place, "neighbour.db"), "mine");
    const home = await filledHome(t, { DATABASE_URL: `file:${join(place, "mail.db")}` });
    expect((await remove(home, "--yes")).code).toBe(0);
    expect(readdirSync(place)).toEqual(["neighbour.db"]);
  });

  it("deletes no database of another program, which a setting names by mistake", async (t) => {
    // The command deleted the whole file.
    const place = join(newHome(t).dir, "photos.db");
    const client = createClient({ url: `file:${place}` });
    await client.execute("CREATE TABLE photos (name TEXT)");
    client.close();
    const home = newHome(t, { DATABASE_URL: `file:${place}` });
    writeFileSync(join(home.dir, "install.key"), `${"0".repeat(64)}\n`, { mode: 0o600 });
    const { code, stderr } = await remove(home, "--yes");
    expect(code).toBe(1);
    expect(stderr).toContain("The file photos.db is a database of another program.");
    expect(existsSync(place)).toBe(true);
    expect(existsSync(join(home.dir, "install.key"))).toBe(true);
  });

  it("works on a full disk, and not while another process has the database open", async (t) => {
    // A lease, the record and an open database need space, so the command said "Free some space, then try again."
    const disk = smallDisk(3_000_000, (cleanUp) => t.onTestFinished(cleanUp));
    if (disk === undefined) return t.skip("mounting a small disk needs root");
    const dir = join(disk, "data");
    cpSync((await filledHome(t)).dir, dir, { recursive: true });
    chmodSync(dir, 0o700);
    const home = newHome(t);
    const full = { ...home, env: { ...home.env, COUNTERSIGN_DATA_DIR: dir } };
    const holding = `const reading = new (require("libsql"))(process.argv[1]).prepare("SELECT count(*) FROM mail");
      console.log(reading.all()); setInterval(() => reading, 1e9)`;
    const holder = spawn(process.execPath, ["-e", holding, join(dir, "countersign.db")], {
      cwd: new URL("../../", import.meta.url),
      stdio: ["ignore", "pipe", "inherit"],
    });
    home.later(() => killChild(holder));
    await once(holder.stdout, "data");
    fillDisk(disk);
    const refused = await runProgram(full, ["remove", "--data", "--yes"]);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("Another process uses the database");
    await killChild(holder);
    expect(existsSync(join(dir, "objects.db"))).toBe(true);
    const { code, stderr, stdout } = await runProgram(full, ["remove", "--data", "--yes"]);
    expect([code, stderr], stdout).toEqual([0, ""]);
    expect(existsSync(dir)).toBe(false);
  });

  it("is refused without --data, without a confirmation, and while ingest runs", async (t) => {
    const home = await filledHome(t);
    const before = readdirSync(home.dir).toSorted();
    const usage = '"countersign remove" needs --data.';
    for (const [args, expected, sentence] of [
      [["remove"], 2, usage],
      [["remove", "--yes"], 2, usage],
      [["remove", "--data"], 1, "Nothing was deleted."],
    ] as const) {
      const { code, stderr } = await runHere(home, args);
      expect(code).toBe(expected);
      expect(stderr).toContain(sentence);
      expect(readdirSync(home.dir).toSorted()).toEqual(before);
    }
    const ingest = await ingestAt(home);
    const { code, stderr } = await remove(home, "--yes");
    expect(code).toBe(1);
    expect(stderr).toContain("uses these stores now. Nothing was deleted.");
    expect(await ingest.stop("SIGTERM")).toBe(0);
    expect(readdirSync(home.dir).toSorted()).toEqual(before);
  });

  it("is refused right after a server answered its first call", async (t) => {
    // The server requests the lease later. Its next file was written into deleted databases, and was lost.
    const home = await filledHome(t);
    const server = await raw2025(home, { elicitation: false });
    await server.answer("list_files", {});
    const { code, stderr } = await runProgram(home, ["remove", "--data", "--yes"]);
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(/ uses (?:the database|these stores) .*Nothing was deleted\./);
    await server.answer("write_file", { key: "kept.md", content: "x" });
    server.hangUp();
    expect((await server.ended).code).toBe(0);
    expect((await runProgram(home, ["activity"])).stdout).toContain("kept.md");
    expect(await remove(home, "--yes")).toMatchObject({ code: 0, stderr: "" });
  });

  // The command said nothing for six seconds.
  it("waits and says so right after one of two ingest processes ended, and is then refused", async (t) => {
    const home = await filledHome(t);
    const leader = await ingestAt(home);
    const other = await ingestAt(home);
    expect(await leader.stop("SIGTERM")).toBe(0);
    const { code, stderr } = await remove(home, "--yes");
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(
      /^Waiting until it is certain that no other process uses these stores: up to [1-6] s\.$/m,
    );
    expect(stderr).toContain(`process ${other.process.pid} on `);
    expect(await other.stop("SIGTERM")).toBe(0);
  });

  it("keeps an ingest from starting meanwhile", async (t) => {
    const home = await filledHome(t, { INGEST_RECIPIENTS: "mail@example.org" });
    await home.sql("INSERT INTO leases VALUES ('leader', 'countersign remove', ?)", [
      Date.now() + 60_000,
    ]);
    const { code, stderr } = await runHere(home, ["ingest"]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "countersign remove uses these stores now. No mail was accepted. Let it finish first.",
    );
  });

  it("leaves the data usable if its record is empty", async (t) => {
    // On a full disk the record was empty. Then every command asked for a restore, and remove refused.
    const home = await filledHome(t);
    writeFileSync(join(home.dir, "unfinished.json"), "", { mode: 0o600 });
    expect((await runHere(home, ["mail", "list"])).code).toBe(0);
    const { code, stderr } = await remove(home, "--yes");
    expect(code, stderr).toBe(0);
    expect(existsSync(home.dir)).toBe(false);
  });

  it("is finished by a repeat, wherever it was killed", async (t) => {
    let boundary = 1;
    for (let wasKilled = true; wasKilled; boundary += 1) {
      expect(boundary).toBeLessThan(mostBoundaries);
      const home = await filledHome(t);
      addUnknownFiles(home);
      wasKilled = await killedAt(home, ["remove", "--data", "--yes"], boundary);
      if (existsSync(join(home.dir, "unfinished.json"))) {
        const { code, stderr } = await runHere(home, ["mail", "list"]);
        expect(code).toBe(1);
        expect(stderr).toMatch(/Run \S.*main\.js remove --data again\./);
      }
      expect((await remove(home, "--yes")).code).toBe(0);
      expectUnknownFiles(home);
    }
    expect(boundary).toBeGreaterThan(2);
  });
});

describe.skipIf(inject("missingServers").includes("script"))("a person at a terminal", () => {
  it("deletes by typing the word, and nothing by typing another", async (t) => {
    const home = await filledHome(t);
    const question = /to delete it: /g;
    const typing = (text: string) => () => text + keys.enter;
    for (const text of ["yes", ""]) {
      const { code, stdout } = await runAtTerminal(
        home,
        ["remove", "--data"],
        typing(text),
        question,
      );
      expect(code).toBe(1);
      expect(stdout).toContain("Nothing was deleted.");
      expect(existsSync(join(home.dir, "countersign.db"))).toBe(true);
    }
    const cancelled = await runAtTerminal(
      home,
      ["remove", "--data"],
      () => keys.interrupt,
      question,
    );
    expect(cancelled.code).toBe(130);
    expect(cancelled.stdout).toContain("Cancelled. Nothing was deleted.");
    const { code, stdout } = await runAtTerminal(
      home,
      ["remove", "--data"],
      typing("delete"),
      question,
    );
    expect(code, stdout).toBe(0);
    expect(existsSync(home.dir)).toBe(false);
  });
});

it("remove --data leaves the data usable if the bucket does not answer", async (t) => {
  // "Nothing was read or changed" was followed by a refusal of every other command.
  const home = await filledHome(t);
  const bucket = {
    S3_BUCKET: "b",
    S3_ENDPOINT: "http://127.0.0.1:9",
    S3_ACCESS_KEY_ID: "k",
    S3_SECRET_ACCESS_KEY: "s",
  };
  const { code, stderr } = await runHere(home, ["remove", "--data", "--yes"], { env: bucket });
  expect(code).toBe(1);
  expect(stderr).toContain("Nothing was read or changed.");
  const listed = await runHere(home, ["mail", "list"]);
  expect(listed.code, listed.stderr).toBe(0);
  expect(listed.stdout).toContain("number 3");
});

describe.skipIf(!hasS3())("remove --data with a database server and a bucket", () => {
  it("is finished by a repeat, wherever it was killed, and leaves the files of others", async (t) => {
    const { home, tables, objects } = await remoteHome(t);
    expect((await tables()).length).toBeGreaterThan(20);
    let boundary = 1;
    for (let wasKilled = true; wasKilled; boundary += 1) {
      expect(boundary).toBeLessThan(mostBoundaries);
      wasKilled = await killedAt(home, ["remove", "--data", "--yes"], boundary);
    }
    expect(boundary).toBeGreaterThan(4);
    expect(await tables()).toEqual(["others"]);
    expect(await objects()).toEqual(["others/letter"]);
    expect(existsSync(home.dir)).toBe(false);
  });
});
