import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { removeDirectory } from "./remove-directory.ts";

/** Creates an empty directory that `remove` deletes. */
export function makeDirectory(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "countersign-"));
  return { path, remove: () => removeDirectory(path) };
}

/** Creates an empty directory for the running test alone. */
export function temporaryDirectory(): string {
  const { path, remove } = makeDirectory();
  onTestFinished(remove);
  return path;
}
