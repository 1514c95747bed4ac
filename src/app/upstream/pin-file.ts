import { join } from "node:path";
import { ConfigError } from "../../config/config-error.ts";
import { replaceFile } from "../platform/write-file.ts";
import { withFileLock } from "../platform/file-lock.ts";
import { type Pins, noPins, pinsFile } from "../../upstream/pins.ts";
import { readIfPresent } from "../platform/safe-file.ts";

export function pinPath(dataDir: string): string {
  return join(dataDir, "reviewed-tools.json");
}

/**
 * Returns the reviewed tools of this installation.
 * @throws ConfigError if the file is damaged or cannot be read
 */
export function readPins(dataDir: string): Pins {
  const path = pinPath(dataDir);
  const text = readIfPresent(path)?.toString();
  if (text === undefined) return noPins;
  try {
    return pinsFile.parse(JSON.parse(text));
  } catch {
    const problem = "is damaged. Restore it from a backup, or remove it and review again";
    throw new ConfigError([{ setting: path, problem }]);
  }
}

/**
 * Changes the reviewed tools, while no other process does. Replaces the file as a whole, so that readers see the old or
 * the new one.
 */
export async function updatePins(dataDir: string, change: (pins: Pins) => Pins): Promise<void> {
  // Usually a list of tools changes nothing, and no lock is taken.
  if (isSame(readPins(dataDir), change)) return;
  const path = pinPath(dataDir);
  await withFileLock(path, () => {
    const before = readPins(dataDir);
    if (!isSame(before, change))
      replaceFile(path, `${JSON.stringify(change(before), undefined, 1)}\n`);
  });
}

function isSame(before: Pins, change: (pins: Pins) => Pins): boolean {
  return JSON.stringify(change(before)) === JSON.stringify(before);
}
