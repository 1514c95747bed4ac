import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { dropTables } from "../../adapters/libsql/whole/drop-tables.ts";
import type { Config } from "../../config.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { storedObjects } from "../../stores/copy-objects.ts";
import { objectsName } from "../backup/backup-format.ts";
import { removeRestored } from "../backup/restore-data.ts";
import { removeOldSnapshots } from "../backup/snapshot.ts";
import { openPlaces } from "../compose/open/open-stores.ts";
import { withoutOthers } from "../compose/without-others.ts";
import { createLog } from "../platform/log.ts";
import { ownCommand } from "../platform/own-command.ts";
import { isOtherAlive } from "../platform/process-id.ts";
import { isDiskFull, systemCode } from "../platform/safe-file.ts";
import { isForeignDirectory } from "../platform/data-directory.ts";
import {
  beginChange,
  endChange,
  ownChange,
  recordPaths,
  syncDirectory,
  unfinishedChange,
} from "../platform/unfinished.ts";
import { databaseFiles, ownFiles, removeEmptyDirectories, removeIfEmpty } from "./own-files.ts";

export const nothingDeleted = "Nothing was deleted.";

/**
 * Deletes everything that this program has stored: objects, then the database, then files, the settings last. A repeat
 * continues. Until the end, every other command refuses the data directory.
 * @param print receives one line for each step
 * @returns the names in the data directory that this program does not know, which stay
 * @throws ToolError if another process uses the stores
 */
export async function removeData(
  config: Config,
  print: (line: string) => void,
): Promise<readonly string[]> {
  const { dataDir, database } = config;
  refuseOthersChange(dataDir);
  removeOldSnapshots(dataDir);
  const isFilePresent = databaseFiles(config).some((path) => existsSync(path));
  if (database.kind === "remote" || isFilePresent) {
    try {
      await removeStores(config, print);
    } catch (error) {
      if (database.kind === "remote" || !isFull(error)) throw error;
      await withFileAlone(database.path, error, () => removeStored(config, print));
    }
  } else begin(config);
  const { paths } = unfinishedChange(dataDir) ?? { paths: [] };
  // Processes that end now may have written a head meanwhile.
  const files = [...new Set([...ownFiles(config), ...paths])].filter((path) => existsSync(path));
  // The settings name the places above, so they are deleted last.
  for (const path of files.toSorted((a, b) => rank(a) - rank(b))) rmSync(path, { force: true });
  syncDirectory(dataDir);
  print(`${files.length} files deleted from ${dataDir}`);
  const left = removeEmptyDirectories(config);
  endChange(dataDir);
  removeIfEmpty(dataDir);
  return left;
}

/** Returns whether the data directory was never used, or has other programs' files alone after a complete removal. */
export const isForeign = ({ dataDir }: Config): boolean =>
  existsSync(dataDir) && isForeignDirectory(dataDir);

/**
 * Refuses a data directory of other programs that has files such as `.env`. After a complete removal there are none.
 * @throws ToolError
 */
export function refuseForeign(config: Config): void {
  if (!isForeign(config) || ownFiles(config).length === 0) return;
  throw new ToolError(
    "not_found",
    `${config.dataDir} has no data of Countersign. ${nothingDeleted} Check COUNTERSIGN_DATA_DIR.`,
  );
}

/** Removes what is not a file, while no other process uses the stores. */
async function removeStores(config: Config, print: (line: string) => void): Promise<void> {
  // The warning about the lease is hidden, because the lease is deleted together with its table.
  const { database } = config;
  // A server that answered its first call just now has not requested the lease, and would write into deleted files.
  const isShared = database.kind === "file" && (await isOpenElsewhere(database.path));
  const places = openPlaces(config, createLog("error"));
  const guard = { command: "remove", nothing: nothingDeleted };
  try {
    await withoutOthers(places.database, guard, async () => {
      if (database.kind === "file" && isShared) throw openElsewhere(database.path);
      await removeStored(config, print);
      if (config.database.kind !== "remote") return;
      await dropTables(places.database);
      print(`tables deleted from the database on ${new URL(config.database.url).host}`);
    });
  } finally {
    await places.objects.close();
    await places.database.close();
  }
}

async function removeStored(config: Config, print: (line: string) => void): Promise<void> {
  const { s3 } = config;
  if (s3 === undefined) {
    begin(config);
    return;
  }
  const { objects } = openPlaces(config, createLog("error"));
  try {
    const keys: string[] = [];
    for await (const { key } of storedObjects(objects)) keys.push(key);
    // Mail and files come last, for a bucket that refuses to delete some of the others.
    keys.reverse();
    // The data directory stays usable if the bucket does not answer.
    const isRepeat = unfinishedChange(config.dataDir) !== undefined;
    begin(config);
    let removed = 0;
    for (const [index, key] of keys.entries()) {
      try {
        if (await objects.remove(key)) removed += 1;
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        const isUsable = isRefusal(error) || (removed === 0 && !isRepeat);
        if (isUsable) endChange(config.dataDir);
        throw stopped(error, { bucket: s3.bucket, key, removed, left: keys.length - index });
      }
    }
    print(`${removed} objects deleted from the bucket ${s3.bucket}`);
  } finally {
    await objects.close();
  }
}

/** Returns whether the bucket refuses this deletion as long as its permissions stay. */
const isRefusal = ({ kind }: ToolError): boolean => kind === "auth" || kind === "forbidden";

/** Says what an ended deletion has left in the bucket. */
function stopped(
  cause: ToolError,
  at: { bucket: string; key: string; removed: number; left: number },
): ToolError {
  const { bucket, key, removed, left } = at;
  const what = `The bucket ${bucket} did not delete ${key}. Objects deleted: ${removed}, objects left: ${left}. The database and the settings were not deleted.`;
  const hint = isRefusal(cause)
    ? `Allow the key of S3_ACCESS_KEY_ID to delete objects, then run ${ownCommand()} remove --data again. Without the S3 settings, the command leaves the bucket alone.`
    : `Run ${ownCommand()} remove --data again.`;
  return new ToolError(cause.kind, what, { cause, hint });
}

/** Returns whether an operation failed because the disk is full. SQLite cannot even open a file then. */
function isFull(error: unknown): boolean {
  const cause = error instanceof ToolError ? error.cause : undefined;
  const code = systemCode(cause) ?? "";
  return isDiskFull(error) || code === "SQLITE_FULL" || code === "SQLITE_IOERR";
}

/**
 * Runs work while no other process has the database file open. The lease of `withoutOthers` needs space on the disk.
 * @param cause why the lease could not be taken
 */
async function withFileAlone(
  path: string,
  cause: unknown,
  work: () => Promise<void>,
): Promise<void> {
  const { lockDatabaseFile } = await import("../../adapters/libsql/whole/database-file.ts");
  let unlock: (() => void) | undefined;
  try {
    unlock = lockDatabaseFile(path);
  } catch {
    throw cause;
  }
  if (unlock === undefined) throw openElsewhere(path);
  try {
    await work();
  } finally {
    unlock();
  }
}

/** Returns whether another process has a database file open. False if it cannot be opened or locked for another reason. */
async function isOpenElsewhere(path: string): Promise<boolean> {
  const { lockDatabaseFile } = await import("../../adapters/libsql/whole/database-file.ts");
  if (!existsSync(path)) return false;
  try {
    const unlock = lockDatabaseFile(path);
    unlock?.();
    return unlock === undefined;
  } catch {
    return false;
  }
}

const openElsewhere = (path: string): ToolError =>
  new ToolError(
    "conflict",
    `Another process uses the database ${path}. ${nothingDeleted} Stop serve and ingest, and the clients that start a server. Then try again.`,
  );

const rank = (path: string): number => (path.endsWith(".env") ? 1 : 0);

/** Refuses a change that another process makes now. Deletes what a killed restore has made. */
function refuseOthersChange(dataDir: string): void {
  const earlier = unfinishedChange(dataDir);
  if (earlier === undefined) return;
  if (!isOtherAlive(earlier.pid, earlier.start)) {
    // The backup may be lost, so that no repeat can finish the restore.
    if (earlier.command === "restore") removeRestored(dataDir, earlier);
    return;
  }
  throw new ToolError(
    "conflict",
    `countersign ${earlier.command} has not finished in ${dataDir}. ${nothingDeleted} Let it finish first.`,
  );
}

function begin(config: Config): void {
  const { dataDir } = config;
  const earlier = unfinishedChange(dataDir)?.paths ?? [];
  const paths = [...new Set([...earlier, ...ownFiles(config)])];
  const change = ownChange("remove", paths);
  const record = (): void => {
    if (!beginChange(dataDir, change)) recordPaths(dataDir, change);
  };
  try {
    record();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    // The record then has space, and nothing below reads these files.
    const unread = [objectsName, "audit", "ingest.log"].map((name) => join(dataDir, name));
    for (const path of ownFiles(config))
      if (unread.some((beginning) => path.startsWith(beginning))) rmSync(path);
    record();
  }
}
