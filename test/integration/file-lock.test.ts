import { existsSync, mkdtempSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withFileLock } from "../../src/app/platform/file-lock.ts";
import { ownMark } from "../../src/app/platform/process-id.ts";
import { readPins, updatePins } from "../../src/app/upstream/pin-file.ts";
import { removeDirectory } from "../fakes/remove-directory.ts";

function newDirectory(t: { onTestFinished(cleanUp: () => unknown): void }): string {
  const directory = mkdtempSync(join(tmpdir(), "countersign-lock-"));
  t.onTestFinished(() => removeDirectory(directory));
  return directory;
}

describe("the lock of a file", () => {
  it("admits one process at a time, also after a failure", async (t) => {
    const file = join(newDirectory(t), "counts.json");
    writeFileSync(file, "0");
    const add = (fails: boolean) =>
      withFileLock(file, async () => {
        const before = Number(readFileSync(file, "utf8"));
        await new Promise((resolve) => setImmediate(resolve));
        writeFileSync(file, String(before + 1));
        if (fails) throw new Error("on purpose");
      });
    await Promise.allSettled(Array.from({ length: 20 }, (_, index) => add(index % 5 === 0)));
    expect(readFileSync(file, "utf8")).toBe("20");
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it("does not wait for a process that is gone", async (t) => {
    const file = join(newDirectory(t), "counts.json");
    const here = ownMark().slice(-12, -8);
    // The largest id of a process on Linux is smaller.
    writeFileSync(`${file}.lock`, `99999999-${here}00000000 0\n`);
    expect(await withFileLock(file, () => "mine")).toBe("mine");
    writeFileSync(`${file}.lock`, `another-machine 1 0\n`);
    utimesSync(`${file}.lock`, new Date(0), new Date(0));
    expect(await withFileLock(file, () => "mine again")).toBe("mine again");
  });

  it("does not wait for another process that has the id of one that is gone", async (t) => {
    // A lock waited for a minute if its id belonged to a process again, for example after a restart of the machine.
    const file = join(newDirectory(t), "counts.json");
    const own = await withFileLock(file, () => readFileSync(`${file}.lock`, "utf8"));
    writeFileSync(`${file}.lock`, own.replace(String(process.pid), String(process.ppid)));
    expect(await withFileLock(file, () => "mine")).toBe("mine");
  });
});

describe("the reviewed tools", () => {
  it("keep every review that is written at the same time", async (t) => {
    const directory = newDirectory(t);
    const names = Array.from({ length: 20 }, (_, index) => `server-${index}`);
    const review = (name: string) =>
      updatePins(directory, (pins) => ({
        ...pins,
        servers: { ...pins.servers, [name]: { identity: name, tools: {}, seen: {} } },
      }));
    await Promise.all(names.map(review));
    expect(Object.keys(readPins(directory).servers).toSorted()).toEqual(names.toSorted());
  });
});
