import { randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "../../core/tool/tool-error.ts";
import { ownMark, stateOfMark } from "./process-id.ts";
import { writeOnce } from "./write-file.ts";

/** No work takes this long, so an older lock belongs to a process that has ended. Milliseconds. */
const oldAfterMs = 60_000;
const retryAfterMs = 20;
/** Longer than `oldAfterMs`, so that a lock of an ended process is removed meanwhile. Milliseconds. */
const waitAtMostMs = 90_000;

/**
 * Runs `work` while no other process of this installation runs work for the same file. The lock is a file beside it.
 * @throws ToolError `unavailable` if another process does not release the lock
 */
export async function withFileLock<Result>(
  file: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const lock = `${file}.lock`;
  const mine = `${ownMark()} ${randomBytes(6).toString("hex")}\n`;
  const until = performance.now() + waitAtMostMs;
  // A look at the lock costs no disk sync. On a slow disk, the syncs of many waiting calls left the holder no time.
  while (existsSync(lock) || !writeOnce(lock, mine)) {
    removeLeftOver(lock);
    if (performance.now() > until) {
      throw new ToolError(
        "unavailable",
        `Another process holds the lock ${lock}. Nothing was changed. If no other Countersign runs on this machine, delete the lock.`,
      );
    }
    await sleep(retryAfterMs);
  }
  try {
    return await work();
  } finally {
    if (textOf(lock) === mine) rmSync(lock, { force: true });
  }
}

/** Removes the lock of a process that is gone. */
function removeLeftOver(lock: string): void {
  const text = textOf(lock);
  if (text === undefined || !isLeftOver(lock, text)) return;
  const moved = `${lock}.${randomBytes(6).toString("hex")}`;
  try {
    renameSync(lock, moved);
    // Another process was faster, and this is its new lock.
    if (textOf(moved) !== text) linkSync(moved, lock);
  } catch {
    return;
  } finally {
    rmSync(moved, { force: true });
  }
}

function isLeftOver(lock: string, text: string): boolean {
  const [mark = ""] = text.split(" ");
  if (stateOfMark(mark) === "ended") return true;
  const found = statSync(lock, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > oldAfterMs;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
