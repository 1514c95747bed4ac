import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { platform } from "node:os";
import { ToolError } from "../../core/tool/tool-error.ts";
import { draftEnding, draftOf, replaceFile } from "./write-file.ts";
import { ownCommand } from "./own-command.ts";
import { startOf } from "./process-id.ts";
import { isMissing, systemCode } from "./safe-file.ts";

/** The record of a running command that changes the whole data directory. It is deleted when the command ends. */
export interface Unfinished {
  command: "restore" | "remove";
  /** The process that runs it. */
  pid: number;
  /** See `startOf`. */
  start: string | undefined;
  /** Full paths that the command makes or deletes. A repeat starts by deleting them. */
  paths: readonly string[];
}

export const unfinishedName = "unfinished.json";

const fileIn = (dataDir: string): string => join(dataDir, unfinishedName);

/** A record that was being written when its process was killed. */
const draftName = new RegExp(String.raw`^unfinished\.json${draftEnding}$`);

/** Returns whether a name in the data directory is the record, or a draft of it. */
export function isRecord(name: string): boolean {
  return name === unfinishedName || draftName.test(name);
}

/** Returns the record of a command of this process. */
export function ownChange(command: Unfinished["command"], paths: readonly string[]): Unfinished {
  return { command, pid: process.pid, start: startOf(process.pid), paths };
}

/** Records that a command has begun. False if another one has. */
export function beginChange(dataDir: string, change: Unfinished): boolean {
  const file = fileIn(dataDir);
  const text = JSON.stringify(change);
  const draft = draftOf(file);
  try {
    // Complete from the moment it exists: on a full disk, an empty record made every command refuse the directory.
    writeFileSync(draft, text, { flag: "wx", mode: 0o600, flush: true });
    linkSync(draft, file);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    if (unfinishedChange(dataDir) !== undefined) return false;
    replaceFile(file, text);
  } finally {
    rmSync(draft, { force: true });
  }
  syncDirectory(dataDir);
  return true;
}

/** Replaces the record of a command that has begun. */
export function recordPaths(dataDir: string, change: Unfinished): void {
  replaceFile(fileIn(dataDir), JSON.stringify(change));
  syncDirectory(dataDir);
}

/** Records that the command is complete. */
export function endChange(dataDir: string): void {
  syncDirectory(dataDir);
  const records = readdirSync(dataDir).filter((name) => isRecord(name));
  for (const name of records) rmSync(join(dataDir, name), { force: true });
  syncDirectory(dataDir);
}

/** Returns the command that has begun and not ended. */
export function unfinishedChange(dataDir: string): Unfinished | undefined {
  let text: string;
  try {
    text = readFileSync(fileIn(dataDir), "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    // Only this program writes here, in a directory of this user alone.
    return JSON.parse(text) as Unfinished;
  } catch {
    // An earlier version wrote an empty record on a full disk, and then ended.
    return undefined;
  }
}

/**
 * Refuses a data directory that is half restored or half removed.
 * @throws ToolError
 */
export function refuseUnfinished(dataDir: string): void {
  const found = unfinishedChange(dataDir);
  if (found === undefined) return;
  const again =
    found.command === "restore"
      ? `Run ${ownCommand()} restore again, with the same file.`
      : `Run ${ownCommand()} remove --data again.`;
  throw new ToolError(
    "conflict",
    `countersign ${found.command} has not finished in ${dataDir}. Nothing was opened. ${again}`,
  );
}

/** Makes the names in a directory durable. Windows cannot open a directory, and needs no such step. */
export function syncDirectory(path: string): void {
  if (platform() !== "win32") syncFile(path);
}

/** Makes the content of a file durable. */
export function syncFile(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
