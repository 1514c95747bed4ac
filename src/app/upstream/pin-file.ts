import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../../config/config-error.ts";
import { type Pins, noPins, pinsFile } from "../../upstream/pins.ts";

export function pinPath(dataDir: string): string {
  return join(dataDir, "reviewed-tools.json");
}

/** Returns the reviewed tools of this installation. @throws ConfigError if the file is damaged */
export function readPins(dataDir: string): Pins {
  const path = pinPath(dataDir);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return noPins;
    throw damaged(path, "cannot be read by this user");
  }
  try {
    return pinsFile.parse(JSON.parse(text));
  } catch {
    throw damaged(path, "is damaged; put it back from a backup, or remove it and review again");
  }
}

/** Changes the reviewed tools. Replaces the file as a whole, so that other processes read the old or the new one. */
export function updatePins(dataDir: string, change: (pins: Pins) => Pins): void {
  const before = readPins(dataDir);
  const after = change(before);
  if (JSON.stringify(after) === JSON.stringify(before)) return;
  const path = pinPath(dataDir);
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(draft, `${JSON.stringify(after, undefined, 1)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

function damaged(setting: string, problem: string): ConfigError {
  return new ConfigError([{ setting, problem }]);
}
