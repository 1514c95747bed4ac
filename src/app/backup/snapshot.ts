import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { copyDatabaseFile } from "../../adapters/libsql/whole/database-file.ts";
import { mainMigrations, openDatabase } from "../../adapters/libsql/driver/database.ts";
import { objectMigrations, openObjectStore } from "../../adapters/libsql/files/object-store.ts";
import type { Config } from "../../config.ts";
import type { Log } from "../../core/shared/log.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { ObjectStore } from "../../ports/files/objects.ts";
import { headObjects, removeHeadsAfter } from "../../stores/audit-heads.ts";
import { copyObjects } from "../../stores/copy-objects.ts";
import { isLeftBehind, isOtherAlive, markForm, ownMark } from "../platform/process-id.ts";
import { namesIn } from "../platform/safe-file.ts";
import { databaseName, objectsName, plainNames, settingsName } from "./backup-format.ts";

/** An earlier version wrote the process id alone. */
const snapshotOf = new RegExp(String.raw`^backup-(${markForm}|\d+)$`);

/** Returns the directory of this process's snapshot. */
export function snapshotIn(dataDir: string): string {
  return join(dataDir, `backup-${ownMark()}`);
}

/** Returns the snapshots of backups that were killed. */
export function oldSnapshots(dataDir: string): readonly string[] {
  return readdirSync(dataDir)
    .filter((name) => {
      const mark = snapshotOf.exec(name)?.[1];
      return mark !== undefined && isLeft(join(dataDir, name), mark);
    })
    .map((name) => join(dataDir, name));
}

function isLeft(directory: string, mark: string): boolean {
  if (!mark.includes("-")) return !isOtherAlive(Number(mark));
  // The backup may have removed it meanwhile.
  const paths = [directory, ...namesIn(directory).map((name) => join(directory, name))];
  const changedAt = paths.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return isLeftBehind(mark, Math.max(...changedAt));
}

/** Removes snapshots of backups that were killed. */
export function removeOldSnapshots(dataDir: string): void {
  for (const old of oldSnapshots(dataDir)) rmSync(old, { recursive: true });
}

/**
 * Copies all that a restore needs into a new directory, while other processes run. The order makes the copy
 * consistent: heads of the audit record, the database, then objects. An object is written before its row and deleted
 * after it.
 * @param envFile the settings' file
 * @returns the directory, which the caller deletes
 * @throws ToolError if the database is on a server
 */
export async function takeSnapshot(
  { config, objects, log }: { config: Config; objects: ObjectStore; log: Log },
  envFile: string,
): Promise<string> {
  const { dataDir, database, policyFile } = config;
  if (database.kind !== "file") {
    throw new ToolError(
      "not_configured",
      "The database is on a libSQL server, and countersign backup copies database files only. No backup was made. Back up the server with its own tools.",
    );
  }
  const directory = snapshotIn(dataDir);
  try {
    mkdirSync(join(directory, "audit"), { recursive: true });
    mkdirSync(join(directory, "policy"));
    const at = (name: string): string => join(directory, name);
    for (const name of plainNames) copyIfThere(join(dataDir, name), at(name));
    copyIfThere(envFile, at(settingsName));
    // A file elsewhere belongs to its own directory, which has its own backups.
    if (policyFile !== undefined && isInside(policyFile, dataDir))
      copyIfThere(policyFile, at(`policy/${basename(policyFile)}`));
    for (const name of readdirIfThere(join(dataDir, "audit")))
      copyIfThere(join(dataDir, "audit", name), at(`audit/${name}`));
    writeFileSync(at(databaseName), "", { mode: 0o600 });
    const main = { url: pathToFileURL(database.path).href, migrations: mainMigrations, log };
    await copyDatabaseFile(main, at(databaseName));
    await copyObjectsTo(at(objectsName), { config, objects, log });
    await removeNewerHeads(directory, log);
    return directory;
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

/** Returns whether a file is in a directory or below it, also if a link leads there. */
function isInside(file: string, directory: string): boolean {
  const real = [file, directory].map((path) => (existsSync(path) ? realpathSync(path) : path));
  return [[file, directory], real].some(([path = "", top = ""]) => path.startsWith(`${top}${sep}`));
}

/** Returns the settings whose files a backup of these settings does not contain. */
export function settingsOutside({ dataDir, policyFile, servers, smtp }: Config): readonly string[] {
  const own = join(dataDir, "servers.json");
  return [
    ...(policyFile === undefined || isInside(policyFile, dataDir) ? [] : ["POLICY_FILE"]),
    ...(servers.isNamed && servers.file !== own ? ["SERVERS_FILE"] : []),
    ...(smtp?.tls === undefined ? [] : ["SMTP_TLS_CERT", "SMTP_TLS_KEY"]),
  ];
}

async function copyObjectsTo(
  path: string,
  { config, objects, log }: { config: Config; objects: ObjectStore; log: Log },
): Promise<void> {
  if (config.s3 === undefined) {
    writeFileSync(path, "", { mode: 0o600 });
    const url = pathToFileURL(join(config.dataDir, objectsName)).href;
    await copyDatabaseFile({ url, migrations: objectMigrations, log }, path);
    return;
  }
  const copy = openObjectStore({ url: pathToFileURL(path).href, log });
  try {
    await copyObjects(objects, copy);
  } finally {
    await copy.close();
  }
}

/**
 * Removes heads that are newer than the copied database. With them, the restored audit record would seem to have lost
 * events.
 */
async function removeNewerHeads(directory: string, log: Log): Promise<void> {
  const url = (name: string): string => pathToFileURL(join(directory, name)).href;
  const database = openDatabase({ url: url(databaseName), migrations: mainMigrations, log });
  const objects = openObjectStore({ url: url(objectsName), log });
  try {
    const { rows } = await database.read({ sql: "SELECT max(seq) AS last FROM audit", args: [] });
    await removeHeadsAfter(headObjects(objects), Number(rows[0]?.["last"] ?? 0));
  } finally {
    await objects.close();
    await database.close();
  }
}

function copyIfThere(from: string, to: string): void {
  if (existsSync(from) && statSync(from).isFile()) copyFileSync(from, to);
}

function readdirIfThere(path: string): readonly string[] {
  return existsSync(path) ? readdirSync(path) : [];
}
