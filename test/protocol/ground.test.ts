import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newHome } from "./home.ts";
import { canBeNobody, isRoot, mountSmallDisk, nobody, skipLoudly } from "./nobody.ts";
import { runHere, runProgram } from "./program.ts";
import { raw2025, raw2025Here } from "./raw-server.ts";

const withoutDialogs = { elicitation: false };

describe.concurrent("a database that cannot be used", () => {
  it.for(["countersign.db", "objects.db"])(
    "because %s is damaged is named, and stays unchanged",
    async (file, t) => {
      const home = newHome(t);
      writeFileSync(
        join(home.dir, file),
        "this is no database, whatever its name says\n".repeat(200),
      );
      const server = await raw2025Here(home, withoutDialogs);
      const answer = await server.answer("write_file", { key: "a.txt", content: "x" });
      expect(answer.error).toMatchObject({ kind: "not_configured", sideEffects: "none" });
      expect(answer.text).toContain(`The file ${file} is damaged or is not a database.`);
      expect(answer.text).toContain("Nothing was changed.");
      expect(answer.text).not.toContain(home.dir);
      const listed = await runHere(home, ["approvals", "list"]);
      if (file === "countersign.db") {
        expect(listed).toMatchObject({ code: 1, stdout: "" });
        expect(listed.stderr).toContain("is damaged or is not a database");
      } else expect(listed.code).toBe(0);
      server.hangUp();
      expect((await server.ended).code).toBe(0);
      expect(server.said.stderr + listed.stderr).not.toMatch(/^\s+at /m);
    },
  );

  it("because it is newer than the program is named and stays unchanged [store.newer]", async (t) => {
    const home = newHome(t);
    const first = await raw2025Here(home, withoutDialogs);
    await first.answer("write_file", { key: "a.txt", content: "x" });
    await first.answer("delete_file", { key: "a.txt" });
    first.hangUp();
    await first.ended;
    await home.sql("INSERT INTO migrations (hash, applied_at) VALUES ('of the future', 0)");
    const server = await raw2025Here(home, withoutDialogs);
    const answer = await server.answer("delete_file", { key: "a.txt" });
    expect(answer.error).toMatchObject({ kind: "not_configured", sideEffects: "none" });
    expect(answer.text).toContain("was created by a newer version of this program");
    const [row] = await home.sql("SELECT count(*) AS count FROM tickets");
    expect(row?.["count"]).toBe(1);
    expect(server.said.stderr).not.toMatch(/^\s+at /m);
  });

  it("because it belongs to another user is named, and stays unchanged", async (t) => {
    if (!canBeNobody) skipLoudly(t, "it needs root, and a program that `nobody` can read");
    const home = newHome(t);
    chownSync(home.dir, nobody, nobody);
    writeFileSync(join(home.dir, "countersign.db"), "", { mode: 0o600 });
    const server = await raw2025(home, { ...withoutDialogs, uid: nobody });
    const answer = await server.answer("write_file", { key: "a.txt", content: "x" });
    expect(answer.error).toMatchObject({ kind: "unavailable", sideEffects: "none" });
    expect(answer.text).toContain("countersign.db cannot be opened or written");
    expect((await server.answer("list_files")).output).toEqual({ files: [] });
    expect(server.said.stderr).not.toMatch(/^\s+at /m);
  });
});

describe.concurrent("a data directory", () => {
  it("that is under a file is named, and nothing is started", async (t) => {
    const home = newHome(t);
    writeFileSync(join(home.dir, "file"), "");
    const env = { COUNTERSIGN_DATA_DIR: join(home.dir, "file", "data") };
    const ended = await runHere(home, ["serve"], { env });
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toContain("Nothing was started");
    expect(ended.stderr).toContain("COUNTERSIGN_DATA_DIR");
    expect(ended.stderr).toContain("is not a directory");
    expect(ended.stderr).not.toMatch(/^\s+at /m);
  });

  it("that this user may not write to is named, and nothing is started", async (t) => {
    if (!canBeNobody) skipLoudly(t, "it needs root, and a program that `nobody` can read");
    const home = newHome(t);
    chmodSync(home.dir, 0o755);
    const ended = await runProgram(home, ["serve"], { uid: nobody });
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toContain("this user may not write to");
    expect(ended.stderr).not.toMatch(/^\s+at /m);
  });

  it("that other users can enter is closed to them, which is logged", async (t) => {
    const home = newHome(t);
    chmodSync(home.dir, 0o755);
    const ended = await runHere(home, ["policy", "check"]);
    expect(ended.stderr).toContain("could be entered by other users");
    expect(statSync(home.dir).mode & 0o777).toBe(0o700);
  });

  it("that is a home directory named by mistake is left as it is by every command", async (t) => {
    const home = newHome(t);
    const dataDir = join(home.dir, "person");
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o755);
    for (const name of ["letter.txt", ".env", "servers.json"])
      writeFileSync(join(dataDir, name), "", { mode: 0o644 });
    const env = { COUNTERSIGN_DATA_DIR: dataDir, HOME: dataDir };
    const removal = ["remove", "--data", "--yes"];
    for (const args of [["mail", "list"], ["doctor"], ["doctor", "--fix"], ["connect"], removal]) {
      const { code, stdout, stderr } = await runProgram(home, args, { env });
      expect(code, args.join(" ")).toBe(1);
      expect(stdout, args.join(" ")).toBe("");
      expect(stderr, args.join(" ")).toContain("is your home directory or above it");
      expect(statSync(dataDir).mode & 0o777).toBe(0o755);
    }
    chmodSync(dataDir, 0o700);
    const { code, stderr } = await runProgram(home, removal, { env });
    expect(code).toBe(1);
    expect(stderr).toContain("has no data of Countersign. Nothing was deleted.");
    expect(readdirSync(dataDir).toSorted()).toEqual([".env", "letter.txt", "servers.json"]);
  });

  it("that belongs to another user is refused, and nothing is started", async (t) => {
    if (!isRoot) skipLoudly(t, "it needs root, to give a directory away");
    const home = newHome(t);
    const dataDir = join(home.dir, "data");
    mkdirSync(dataDir, { mode: 0o700 });
    chownSync(dataDir, nobody, nobody);
    const ended = await runProgram(home, ["serve"], { env: { COUNTERSIGN_DATA_DIR: dataDir } });
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toContain("belongs to another user");
  });

  it("on a full disk makes writes fail with the cause, and keeps existing data", async (t) => {
    const home = newHome(t);
    const disk = mountSmallDisk(t, home, "2m");
    const server = await raw2025Here(home, {
      ...withoutDialogs,
      env: { COUNTERSIGN_DATA_DIR: disk },
    });
    await server.answer("write_file", { key: "kept.txt", content: "kept" });
    // Random, because stored objects are compressed.
    const content = randomBytes(500_000).toString("base64");
    let failed = await server.answer("write_file", { key: "0.txt", content });
    for (let count = 1; !failed.isError && count < 5; count += 1) {
      failed = await server.answer("write_file", { key: `${count}.txt`, content });
    }
    expect(failed.error).toMatchObject({ kind: "unavailable", sideEffects: "none" });
    expect(failed.text).toContain("There is no space left on the disk");
    expect(failed.text).toContain("Nothing was changed.");
    expect((await server.answer("read_file", { key: "kept.txt" })).output).toMatchObject({
      content: "kept",
    });
    server.hangUp();
    expect((await server.ended).code).toBe(0);
    expect(server.said.stderr).not.toMatch(/^\s+at /m);
  });
});

describe.concurrent("a policy file", () => {
  it.for([
    ["is another user's", "policy.json", "belongs to another user"],
    ["lies in another user's folder", ".", "is in a folder that other users can change"],
  ] as const)("that %s is refused, and nothing is started", async ([, whose, words], t) => {
    if (!isRoot) skipLoudly(t, "it needs root, to give a file away");
    const home = newHome(t);
    const folder = join(home.dir, "policies");
    mkdirSync(folder, { mode: 0o755 });
    const POLICY_FILE = join(folder, "policy.json");
    writeFileSync(POLICY_FILE, "{}", { mode: 0o644 });
    expect((await runHere(home, ["policy", "check"], { env: { POLICY_FILE } })).code).toBe(0);
    chownSync(join(folder, whose), nobody, nobody);
    const ended = await runHere(home, ["serve"], { env: { POLICY_FILE } });
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toContain(words);
  });
});

describe.concurrent("a `.env` in the working directory", () => {
  it("has no effect: clients start servers inside cloned projects [settings.no-working-directory]", async (t) => {
    const home = newHome(t);
    const cwd = join(home.dir, "cloned-project");
    mkdirSync(cwd);
    const hostile = [
      `DATABASE_URL=file:${cwd}/stolen.db`,
      `COUNTERSIGN_DATA_DIR=${cwd}/stolen`,
      "TAVILY_API_KEY=tvly-hostile",
      "TAVILY_BASE_URL=http://127.0.0.1:9",
      "APPROVERS=operator:the-projects-own-secret",
      "APPROVAL_WAIT_MS=nonsense",
      "NODE_OPTIONS=--require=./hostile.cjs",
    ];
    writeFileSync(join(cwd, ".env"), hostile.join("\n"));
    const server = await raw2025(home, { ...withoutDialogs, cwd });
    const { result } = await server.request("tools/list");
    expect(JSON.stringify(result)).not.toContain("web_search");
    await server.answer("write_file", { key: "a.txt", content: "x" });
    const asked = await server.answer("delete_file", { key: "a.txt" });
    const id = asked.error?.approval?.id ?? "";
    const args = ["approvals", "approve", id, "--secret-stdin"];
    const forged = await runProgram(home, args, { cwd, input: "the-projects-own-secret\n" });
    expect(forged).toMatchObject({ code: 1, stdout: "" });
    expect(forged.stderr).toContain("This is not an approver's secret. Nothing was decided.");
    expect(readdirSync(cwd)).toEqual([".env"]);
    expect(existsSync(join(home.dir, "countersign.db"))).toBe(true);
  });
});
