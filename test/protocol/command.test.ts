import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");

function countersign(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: "utf8",
    timeout: 30_000,
  });
  return { status, stdout, stderr };
}

describe("the built program", () => {
  it("says its version", () => {
    const { version } = JSON.parse(manifest) as { version: string };
    expect(countersign("--version")).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  });

  it.each([["--help"], ["help"], []])("lists its commands when asked: %s", (...args) => {
    const { status, stdout } = countersign(...args);
    expect(status).toBe(0);
    expect(stdout).toContain("Usage: countersign COMMAND");
  });

  it("refuses an unknown command with code 2 and the list of commands", () => {
    const { status, stdout, stderr } = countersign("sreve");
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain('There is no command "sreve".');
    expect(stderr).toContain("Usage: countersign COMMAND");
  });
});
