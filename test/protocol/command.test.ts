import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../../bundle/main.js", import.meta.url));
const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");

function countersign(args: string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: "utf8",
    env: { ...process.env, ...env },
    timeout: 30_000,
  });
  return { status, stdout, stderr };
}

describe("the built program", () => {
  it("prints its version", () => {
    const { version } = JSON.parse(manifest) as { version: string };
    expect(countersign(["--version"])).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  });

  it.each([["--help"], ["help"]])("lists its commands with %s", (...args) => {
    const { status, stdout } = countersign(args);
    expect(status).toBe(0);
    expect(stdout).toContain(`Usage: node ${program} COMMAND`);
  });

  it("reports every wrong setting on stderr alone, with no stack trace", () => {
    const dataDir = mkdtempSync(join(tmpdir(), "countersign-"));
    const env = { COUNTERSIGN_DATA_DIR: dataDir, LOG_LEVEL: "shout", UNDO_HOURS: "0" };
    const { status, stdout, stderr } = countersign(["serve"], env);
    rmSync(dataDir, { recursive: true });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr.trimEnd().split("\n")).toEqual([
      "The settings have errors. Nothing was started:",
      "  LOG_LEVEL must be `debug` or `info` or `warn` or `error`.",
      "  UNDO_HOURS must be a whole number from 1 to 720.",
    ]);
  });

  it("reports an unexpected error in one line, and its stack only at level debug", () => {
    const tooLong = { TMPDIR: join(tmpdir(), "x".repeat(300)) };
    const { status, stdout, stderr } = countersign(["demo"], { ...tooLong, LOG_LEVEL: "info" });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(
      /^countersign stopped: ENAMETOOLONG[^\n]* \(LOG_LEVEL=debug shows details\)\n$/,
    );
    expect(countersign(["demo"], { ...tooLong, LOG_LEVEL: "debug" }).stderr).toContain("\n    at ");
  });

  it("names a directory that is missing, and what to do", () => {
    const TMPDIR = join(tmpdir(), "countersign-is-not-here");
    const { status, stderr } = countersign(["demo"], { TMPDIR, LOG_LEVEL: "info" });
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^\S+ does not exist\. The command stopped before its end\. Check the path\.\n$/,
    );
  });
});
