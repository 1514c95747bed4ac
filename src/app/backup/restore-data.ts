import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { Config } from "../../config.ts";
import type { Log } from "../../core/shared/log.ts";
import type { Secret } from "../../core/shared/secret.ts";
import { ofSystem } from "../platform/data-directory.ts";
import { systemCode } from "../platform/safe-file.ts";
import { loadSettings, readSettings } from "../platform/settings.ts";
import { isOtherAlive } from "../platform/process-id.ts";
import {
  beginChange,
  endChange,
  isRecord,
  ownChange,
  recordPaths,
  syncDirectory,
  syncFile,
  type Unfinished,
  unfinishedChange,
  unfinishedName,
} from "../platform/unfinished.ts";
import { databaseName, keyName, objectsName, plainNames, settingsName } from "./backup-format.ts";
import { readBackup } from "./backup-file.ts";
import { type Settled, settleRestored } from "./settle-restored.ts";

const unpackedName = "restoring";
const ofDatabase = ["", "-wal", "-shm"] as const;

export interface Restored extends Settled {
  /** The time of the backup. */
  at: string;
  dataDir: string;
  /** False if the directory already had settings, which then stay. */
  hasItsSettings: boolean;
}

/**
 * Restores a backup into an empty data directory, which may have settings and the key of the backup. Until the end,
 * every other command refuses the directory. A repeat deletes the files of an interrupted restore and starts again.
 * @throws ToolError if the directory is not empty
 */
export async function restoreData(
  file: string,
  { envFile, passphrase, log }: { envFile: string | undefined; passphrase: Secret; log: Log },
): Promise<Restored> {
  const { dataDir, file: settings } = readSettings({ envFile, refuse: refuseForeign });
  clearInterrupted(dataDir);
  const key = join(dataDir, keyName);
  const hasKey = existsSync(key);
  refuseFilled(dataDir, hasKey);
  const hasItsSettings = !existsSync(settings);
  const made = plainNames.filter((name) => name !== keyName || !hasKey);
  const paths = [unpackedName, ...made, "audit"].map((name) => join(dataDir, name));
  paths.push(...databaseFiles(join(dataDir, objectsName)));
  if (hasItsSettings) paths.push(join(dataDir, settingsName));
  const change = ownChange("restore", paths);
  if (!beginChange(dataDir, change)) throw busy(dataDir);
  try {
    // A server that started meanwhile has created its key by now.
    refuseFilled(dataDir, hasKey);
    const unpacked = join(dataDir, unpackedName);
    for (const name of ["", "audit", "policy"]) mkdirSync(join(unpacked, name), { mode: 0o700 });
    const { at } = await readBackup(file, unpacked, passphrase);
    if (hasKey) refuseOtherKey(key, join(unpacked, keyName));
    if (hasItsSettings) moveIfThere(join(unpacked, settingsName), join(dataDir, settingsName));
    const config = loadSettings({ envFile });
    const database = databasePath(config);
    const policies = readdirSync(join(unpacked, "policy"));
    const later = [
      ...databaseFiles(database),
      ...policies.map((name) => placeOfPolicy(name, config)),
    ];
    const there = later.find((path) => existsSync(path));
    if (there !== undefined) throw new ToolError("conflict", `${there} exists. ${nothing}`);
    change.paths = [...paths, ...later];
    recordPaths(dataDir, change);
    // The settings may name a directory of a machine that is gone.
    mkdirSync(dirname(database), { recursive: true, mode: 0o700 });
    const settled = await settleRestored(unpacked, { config, at, log });
    for (const name of [...plainNames, "audit"])
      moveIfThere(join(unpacked, name), join(dataDir, name));
    for (const name of policies) {
      const place = placeOfPolicy(name, config);
      mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
      moveIfThere(join(unpacked, "policy", name), place);
    }
    if (config.s3 === undefined)
      moveIfThere(join(unpacked, objectsName), join(dataDir, objectsName));
    moveIfThere(join(unpacked, databaseName), database);
    rmSync(unpacked, { recursive: true });
    endChange(dataDir);
    return { ...settled, at, dataDir, hasItsSettings };
  } catch (error) {
    for (const path of change.paths) rmSync(path, { recursive: true, force: true });
    endChange(dataDir);
    throw error;
  }
}

const nothing = "Nothing was restored.";

/** Deletes the files of a restore that was killed. */
function clearInterrupted(dataDir: string): void {
  const earlier = unfinishedChange(dataDir);
  if (earlier === undefined) return;
  if (isOtherAlive(earlier.pid, earlier.start)) throw busy(dataDir);
  if (earlier.command !== "restore") {
    throw new ToolError(
      "conflict",
      `countersign ${earlier.command} has not finished in ${dataDir}. ${nothing} Run it again first.`,
    );
  }
  removeRestored(dataDir, earlier);
}

/** Deletes what a killed restore has made, and its record. */
export function removeRestored(dataDir: string, { paths }: Unfinished): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
  endChange(dataDir);
}

/** Refuses a filled directory before its permissions change, because it may be a directory of other programs. */
function refuseForeign(dataDir: string): void {
  if (!canList(dataDir) || existsSync(join(dataDir, unfinishedName))) return;
  refuseFilled(dataDir, existsSync(join(dataDir, keyName)));
}

function canList(directory: string): boolean {
  try {
    readdirSync(directory);
    return true;
  } catch {
    // The settings' reader creates it, or says why it cannot be used.
    return false;
  }
}

/** Refuses a directory with anything but settings in it, and the key that was there from the start. */
function refuseFilled(dataDir: string, hasKey: boolean): void {
  const mayBeThere = [...ofSystem, settingsName, ...(hasKey ? [keyName] : [])];
  const other = readdirSync(dataDir).find((name) => !mayBeThere.includes(name) && !isRecord(name));
  if (other === undefined) return;
  throw new ToolError(
    "conflict",
    `${dataDir} is not empty: it has ${other}. ${nothing} Set COUNTERSIGN_DATA_DIR to an empty directory, or move its files away.`,
  );
}

/** Refuses a directory whose key is not that of the backup. Another key may be the only copy. */
function refuseOtherKey(key: string, ofBackup: string): void {
  if (readFileSync(key, "utf8").trim() === readFileSync(ofBackup, "utf8").trim()) return;
  throw new ToolError(
    "conflict",
    `${key} is the key of a different installation than the backup. ${nothing} Move it away, or set COUNTERSIGN_DATA_DIR to an empty directory.`,
  );
}

function databasePath({ database }: Config): string {
  if (database.kind === "file") return database.path;
  throw new ToolError(
    "not_configured",
    `DATABASE_URL names a server, and a backup is restored into files. ${nothing} Restore without DATABASE_URL.`,
  );
}

/** Returns the place of the policy file: that of the settings, if it is in the data directory and has this name. */
function placeOfPolicy(name: string, { dataDir, policyFile = "" }: Config): string {
  const isHere = policyFile.startsWith(`${dataDir}${sep}`) && basename(policyFile) === name;
  return isHere ? policyFile : join(dataDir, name);
}

const databaseFiles = (path: string): string[] => ofDatabase.map((suffix) => path + suffix);

const busy = (dataDir: string): ToolError =>
  new ToolError("conflict", `Another process is restoring into ${dataDir} now. ${nothing}`);

/** Moves a file durably, also to another disk, if the backup has it. */
function moveIfThere(from: string, to: string): void {
  if (!existsSync(from)) return;
  try {
    renameSync(from, to);
  } catch (error) {
    if (systemCode(error) !== "EXDEV") throw error;
    copyFileSync(from, to);
    syncFile(to);
  }
  syncDirectory(dirname(to));
}
