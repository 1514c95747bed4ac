import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { Writable } from "node:stream";
import { expect, it } from "vitest";
import {
  isAlive,
  isLeftBehind,
  isOtherAlive,
  ownMark,
  startOf,
  stateOfMark,
} from "../../src/app/platform/process-id.ts";

it.runIf(existsSync("/proc/self/stat"))(
  "a process that ended is dead before its parent reads the exit code",
  async (t) => {
    // In a container without an init, a killed restore was reported as running, and no repeat was possible.
    const forever = "console.log('ready'); setInterval(() => {}, 1e9)";
    const parent = spawn(
      "sh",
      ["-c", 'cat <&3 & echo $!; exec "$0" -e "$1"', process.execPath, forever],
      {
        stdio: ["ignore", "pipe", "inherit", "pipe"],
      },
    );
    t.onTestFinished(() => void parent.kill("SIGKILL"));
    let said = "";
    parent.stdout?.on("data", (text: Buffer) => (said += text.toString()));
    await expect.poll(() => said).toContain("ready");
    const pid = Number.parseInt(said, 10);
    expect(isAlive(pid)).toBe(true);
    (parent.stdio[3] as Writable).end();
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "utf8")).toMatch(/\) Z /);
    expect(isAlive(pid)).toBe(false);
    expect(isAlive(parent.pid ?? 0)).toBe(true);
  },
);

it.runIf(existsSync("/proc/self/stat"))(
  "a process with the id of an earlier one, and another start, is not the earlier one",
  () => {
    const start = startOf(process.ppid);
    expect(start).toMatch(/^[\da-f-]{36} \d+$/);
    expect(isOtherAlive(process.ppid, start)).toBe(true);
    expect(isOtherAlive(process.ppid)).toBe(true);
    expect(isOtherAlive(process.ppid, `${start}0`)).toBe(false);
    expect(isOtherAlive(process.pid, start)).toBe(false);
  },
);

it("a mark is that of a running process only with its id, its machine and its start", () => {
  const mark = ownMark();
  const [pid = "", rest = ""] = mark.split("-");
  const host = rest.slice(0, 4);
  expect(stateOfMark(mark)).toBe("runs");
  expect(stateOfMark(`${mark}12ab`)).toBe("runs");
  expect(stateOfMark(`${pid}-${host}00000000`)).toBe("ended");
  expect(stateOfMark(`99999999-${rest}`)).toBe("ended");
  expect(stateOfMark(`${pid}-${host === "0000" ? "1111" : "0000"}00000000`)).toBe("elsewhere");
  for (const text of ["", pid, `${pid}-`, rest, `${mark}000000`])
    expect(stateOfMark(text)).toBe("elsewhere");
});

it("a file is left behind if its process ended, or if another machine's file is old", () => {
  const [, rest = ""] = ownMark().split("-");
  const foreign = `1-${rest.startsWith("0000") ? "1111" : "0000"}00000000`;
  const minutesAgo = (minutes: number): number => Date.now() - minutes * 60_000;
  expect(isLeftBehind(ownMark(), 0)).toBe(false);
  expect(isLeftBehind(`99999999-${rest}`, minutesAgo(0))).toBe(true);
  expect(isLeftBehind(foreign, minutesAgo(59))).toBe(false);
  expect(isLeftBehind(foreign, minutesAgo(61))).toBe(true);
});
