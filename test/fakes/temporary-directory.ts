import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Removes a directory, also where a process that just ended left something in it meanwhile. */
export function removeDirectory(path: string): void {
  for (let triesLeft = 9; ; triesLeft -= 1) {
    try {
      return rmSync(path, { recursive: true, force: true });
    } catch (error) {
      if (triesLeft === 0) throw error;
    }
  }
}

/** An empty directory that is removed by `remove`. */
export function makeDirectory(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "countersign-"));
  return { path, remove: () => removeDirectory(path) };
}

/** An empty directory for the running test alone. */
export function temporaryDirectory(): string {
  const { path, remove } = makeDirectory();
  onTestFinished(remove);
  return path;
}
