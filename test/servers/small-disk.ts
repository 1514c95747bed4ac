import { spawnSync } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

/** Mounts a disk of a few megabytes until the test ends. Undefined if this process has no right to mount. */
export function smallDisk(
  diskBytes: number,
  later: (cleanUp: () => void) => void = onTestFinished,
): string | undefined {
  const path = temporaryDirectory();
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${diskBytes}`, "tmpfs", path]);
  if (status === 0) {
    later(() => void spawnSync("umount", ["--lazy", path]));
    return path;
  }
  const notice = "NOT RUN: a test on a full disk needs a root who may mount.";
  if (process.env["REQUIRE_SERVERS"] === "1") throw new Error(notice);
  console.warn(notice);
  return undefined;
}

/** Fills a disk to its last block. */
export function fillDisk(disk: string): void {
  const file = openSync(join(disk, "full"), "w");
  try {
    for (const block = Buffer.alloc(4_096, "x"); ;) writeSync(file, block);
  } catch {
    closeSync(file);
  }
}
