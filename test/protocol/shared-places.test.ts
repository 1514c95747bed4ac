import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newestTicket, newHome } from "./home.ts";
import { canBeNobody, mountSmallDisk, nobody, skipLoudly } from "./nobody.ts";
import { runHere, runProgram } from "./program.ts";
import { raw2025 } from "./raw-server.ts";
import { runAtTerminal, shownFingerprint } from "./terminal.ts";

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe.concurrent("a data directory", () => {
  it("of other programs stays open to their users", async (t) => {
    // COUNTERSIGN_DATA_DIR=/etc closed /etc to every other user, for root. Doctor printed: chmod 700 /etc.
    const home = newHome(t);
    const dir = join(home.dir, "site");
    mkdirSync(join(dir, "pages"), { recursive: true });
    chmodSync(dir, 0o755);
    const env = { COUNTERSIGN_DATA_DIR: dir };
    for (const args of [["mail", "list"], ["doctor"], ["doctor", "--fix"], ["serve"]]) {
      const { code, stdout, stderr } = await runProgram(home, args, { env });
      expect([code, stdout], args.join(" ")).toEqual([1, ""]);
      expect(stderr).toContain(`COUNTERSIGN_DATA_DIR names ${dir}, which has directories of other`);
      expect(stderr).toContain("It was not changed.");
    }
    expect([modeOf(dir), readdirSync(dir)]).toEqual([0o755, ["pages"]]);
    chmodSync(dir, 0o700);
    expect((await runProgram(home, ["mail", "list"], { env })).code).toBe(0);
  });

  it("that is the root of a disk is used, and described by doctor", async (t) => {
    // Doctor stopped after its third line, because lost+found belongs to root.
    if (!canBeNobody) skipLoudly(t, "it needs root, and a program that `nobody` can read");
    const home = newHome(t);
    mkdirSync(join(home.dir, "lost+found"), { mode: 0o700 });
    chownSync(home.dir, nobody, nobody);
    chmodSync(home.dir, 0o755);
    expect((await runProgram(home, ["mail", "list"], { uid: nobody })).code).toBe(0);
    expect(modeOf(home.dir)).toBe(0o700);
    const { code, stdout } = await runProgram(home, ["doctor"], { uid: nobody });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^sizes: .*\nversions: /m)]);
  });
});

it("doctor reports files of another user, and --fix repairs the others", async (t) => {
  // Doctor printed a chmod that this user may not run, and --fix ended at the first such file.
  if (!canBeNobody) skipLoudly(t, "it needs root, and a program that `nobody` can read");
  const home = newHome(t);
  chownSync(home.dir, nobody, nobody);
  execFileSync("chown", ["--recursive", String(nobody), home.dir]);
  const run = (...args: string[]) => runProgram(home, args, { uid: nobody });
  expect((await run("doctor")).code).toBe(0);
  const at = (name: string): string => join(home.dir, name);
  chownSync(at("countersign.db"), 0, 0);
  for (const name of ["countersign.db", "install.key"]) chmodSync(at(name), 0o644);
  const mend = `sudo chown nobody ${at("countersign.db")}`;
  const found = await run("doctor");
  expect(found.stdout).toContain(
    `${at("countersign.db")}: belongs to another user. Run: ${mend}\n`,
  );
  const fixed = await run("doctor", "--fix");
  expect(fixed.code).toBe(1);
  expect(fixed.stdout).toContain(
    `${at("countersign.db")}: belongs to another user. Not fixed. Run: ${mend}\n`,
  );
  expect(fixed.stdout).toContain(`${at("install.key")}: is open to other users (644). Fixed.\n`);
  expect(fixed.stdout).toContain("files: works\n");
  execFileSync("sh", ["-c", mend.replace("sudo ", "")]);
  expect((await run("doctor", "--fix")).code).toBe(0);
  expect((await run("doctor")).code).toBe(0);
});

it("doctor reports a disk that is too full for mail", async (t) => {
  // Every line said "works", while each message was refused.
  const home = newHome(t);
  const disk = mountSmallDisk(t, home, "3m");
  const env = { COUNTERSIGN_DATA_DIR: disk };
  const before = await runHere(home, ["doctor"], { env });
  expect([before.code, before.stdout]).toEqual([0, expect.not.stringContaining("\ndisk:")]);
  writeFileSync(join(disk, "objects.db-journal"), Buffer.alloc(2_200_000));
  const { code, stdout } = await runHere(home, ["doctor"], { env });
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^disk: broken\. The disk of .+ has \d+\.\d kB left\. Mail is not accepted until more than 314\.6 kB are free\. Free some space\.$/m,
  );
});

describe.concurrent("a user whom the system does not know", () => {
  // A container that is started with --user has such a user.
  const unknown = 54_321;

  it("uses a policy file, and approves at a terminal", async (t) => {
    if (!canBeNobody) skipLoudly(t, "it needs root, and a program that any user can read");
    const home = newHome(t, { POLICY_FILE: "policy.json" });
    writeFileSync(join(home.dir, "policy.json"), "{}", { mode: 0o600 });
    execFileSync("chown", ["--recursive", String(unknown), home.dir]);
    const server = await raw2025(home, { elicitation: false, uid: unknown });
    await server.answer("write_file", { key: "a.txt", content: "x" });
    expect((await server.answer("delete_file", { key: "a.txt" })).error).toMatchObject({
      kind: "approval_required",
    });
    const id = await newestTicket(home);
    execFileSync("chown", ["--recursive", String(unknown), home.dir]);
    const { code, stdout } = await runAtTerminal(
      home,
      ["approvals", "approve", id],
      (screen) => `${shownFingerprint(screen)}\r`,
      undefined,
      `setpriv --reuid=${unknown} --regid=${unknown} --clear-groups`,
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining("pproved")]);
    server.hangUp();
    expect((await server.ended).code).toBe(0);
  });

  it("needs no HOME", async (t) => {
    if (!canBeNobody) skipLoudly(t, "it needs root, and a program that any user can read");
    const home = newHome(t);
    execFileSync("chown", ["--recursive", String(unknown), home.dir]);
    for (const args of [["doctor"], ["service", "install", "--print"], ["connect", "--print"]]) {
      const { stderr } = await runProgram(home, args, { uid: unknown, env: { HOME: "" } });
      expect(stderr, args.join(" ")).not.toContain("countersign stopped");
    }
    const env = { HOME: "", COUNTERSIGN_DATA_DIR: "" };
    const { code, stderr } = await runProgram(home, ["doctor"], { uid: unknown, env, cwd: "/" });
    expect(code).toBe(1);
    expect(stderr).toMatch(/COUNTERSIGN_DATA_DIR names \/.+, which this user may not write to/);
  });
});

it("a HOME that is no absolute path leads nowhere into the working directory", async (t) => {
  // connect wrote .cursor/mcp.json into the project in which it was started.
  const home = newHome(t);
  const cwd = join(home.dir, "project");
  mkdirSync(cwd);
  for (const HOME of ["", "here"]) {
    const given = { env: { HOME }, cwd };
    const { code, stdout } = await runProgram(home, ["connect", "cursor", "--print"], given);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Cursor, in \/.*\.cursor\/mcp\.json:$/m);
  }
  expect(readdirSync(cwd)).toEqual([]);
});

it("connect removes its copy if the file cannot be written", async (t) => {
  // The copy stayed, and may have contained secrets of the client.
  if (!canBeNobody) skipLoudly(t, "it needs root, and a program that `nobody` can read");
  const home = newHome(t);
  const [folder, settings] = [join(home.dir, ".cursor"), join(home.dir, "settings")];
  for (const dir of [folder, settings]) mkdirSync(dir);
  writeFileSync(join(settings, "mcp.json"), "{}");
  symlinkSync(join(settings, "mcp.json"), join(folder, "mcp.json"));
  execFileSync("chown", ["--recursive", String(nobody), home.dir]);
  chmodSync(settings, 0o555);
  const given = { uid: nobody, env: { HOME: home.dir } };
  const { code, stderr } = await runProgram(home, ["connect", "cursor", "--yes"], given);
  expect(code).toBe(1);
  expect(stderr).toContain("could not be written (EACCES). It was not changed.");
  expect(readdirSync(folder)).toEqual(["mcp.json"]);
});
