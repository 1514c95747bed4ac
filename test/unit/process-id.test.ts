import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isAlive } from "../../src/app/platform/process-id.ts";

it.runIf(existsSync("/proc/self/stat"))(
  "a process that ended is not alive while its parent has not read its exit code",
  async (t) => {
    // In a container without an init, a killed restore was reported as running, and no repeat was possible.
    const parent = spawn("sh", ["-c", "true & echo $!; exec sleep 600"], { stdio: "pipe" });
    t.onTestFinished(() => void parent.kill("SIGKILL"));
    const [text] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(text.toString());
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "utf8")).toMatch(/\) Z /);
    expect(isAlive(pid)).toBe(false);
    expect(isAlive(parent.pid ?? 0)).toBe(true);
    expect(isAlive(process.pid)).toBe(true);
  },
);
