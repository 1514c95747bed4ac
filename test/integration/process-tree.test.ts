import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ProcessTree } from "../../src/adapters/mcp-client/process-tree.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

/** Process 1 of this directory, which has the form of proc(5), is the parent of a process that started then. */
function describeChild(proc: string, pid: number, startedAt: number): void {
  const task = join(proc, "1", "task", "1");
  mkdirSync(task, { recursive: true });
  writeFileSync(join(task, "children"), `${pid} `);
  mkdirSync(join(proc, String(pid)), { recursive: true });
  const fields = ["S", ...Array.from({ length: 18 }, () => "0"), startedAt, "0"];
  writeFileSync(join(proc, String(pid), "stat"), `${pid} (a (b) c) ${fields.join(" ")}`);
}

async function startChild(t: { onTestFinished(cleanUp: () => unknown): void }) {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  t.onTestFinished(() => child.kill("SIGKILL"));
  await once(child, "spawn");
  return child as ChildProcess & { pid: number };
}

it("signals a process that it found, also after the end of the parent", async (t) => {
  const proc = temporaryDirectory();
  const child = await startChild(t);
  describeChild(proc, child.pid, 5);
  const tree = new ProcessTree(1, proc);
  tree.look();
  writeFileSync(join(proc, "1", "task", "1", "children"), "");
  const exit = once(child, "exit");
  tree.signal("SIGTERM");
  expect(await exit).toEqual([null, "SIGTERM"]);
});

it("does not signal another process that got the id of one that has ended", async (t) => {
  const proc = temporaryDirectory();
  const [old, next] = [await startChild(t), await startChild(t)];
  describeChild(proc, old.pid, 5);
  const tree = new ProcessTree(1, proc);
  tree.look();
  describeChild(proc, next.pid, 7);
  // The same id started later, so it belongs to another process.
  describeChild(proc, old.pid, 6);
  writeFileSync(join(proc, "1", "task", "1", "children"), `${next.pid} `);
  const exit = once(next, "exit");
  tree.signal("SIGTERM");
  await exit;
  // A signal to the first process would have been sent before that to the second.
  expect(old.exitCode ?? old.signalCode).toBe(null);
});
