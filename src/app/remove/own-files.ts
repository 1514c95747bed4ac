import { existsSync, readdirSync, rmdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Config } from "../../config.ts";
import { isHeadName } from "../../stores/audit-heads.ts";
import { recordingDirectory } from "../compose/open/open-stores.ts";
import { databaseName, objectsName, plainNames, settingsName } from "../backup/backup-format.ts";
import { restartName } from "../upstream/restart-file.ts";
import { signInName } from "../upstream/sign-in-file.ts";
import { troubleName } from "../upstream/trouble-file.ts";
import { isRecord } from "../platform/unfinished.ts";
import { draftEnding } from "../platform/write-file.ts";

const ofDatabase = ["", "-wal", "-shm", "-journal"] as const;

/** Files that this program writes into the data directory, except databases. The service writes the log. */
const single: readonly string[] = [
  ...plainNames,
  settingsName,
  signInName,
  restartName,
  troubleName,
  "approvals.html",
  "ingest.log",
];
/** A lock, and a file that was being written when its process was killed. */
const draft = new RegExp(String.raw`(?:\.lock)?(?:${draftEnding}|\.copying)?$`);

/** Returns the database's file with those that SQLite keeps beside it. None for a server. */
export function databaseFiles({ database }: Config): readonly string[] {
  return database.kind === "file" ? ofDatabase.map((suffix) => database.path + suffix) : [];
}

/** Lists the files of this program that exist: in the data directory, and a database elsewhere. */
export function ownFiles(config: Config): readonly string[] {
  const { dataDir } = config;
  const databases = [databaseName, objectsName].flatMap((name) =>
    ofDatabase.map((suffix) => name + suffix),
  );
  const known = new Set([...single, ...databases]);
  const here = filesIn(dataDir).filter((path) => {
    const name = basename(path);
    return known.has(name.replace(draft, ""));
  });
  const heads = filesIn(join(dataDir, "audit")).filter((path) =>
    isHeadName(basename(path).replace(draft, "")),
  );
  const marks = recordingDirectories(config).flatMap(filesIn);
  const ofPlace = databaseFiles(config).filter((path) => existsSync(path));
  return [...new Set([...heads, ...here, ...marks, ...ofPlace])];
}

function recordingDirectories({ database }: Config): readonly string[] {
  return database.kind === "file" ? [recordingDirectory(database.path)] : [];
}

/** Removes the directories of this program that are empty, and returns the names of what else is in `dataDir`. */
export function removeEmptyDirectories(config: Config): readonly string[] {
  const { dataDir } = config;
  const servers = join(dataDir, "servers");
  const ofServers = entriesOf(servers).map((name) => join(servers, name));
  const audit = join(dataDir, "audit");
  for (const path of [...ofServers, servers, audit, ...recordingDirectories(config)])
    removeIfEmpty(path);
  return entriesOf(dataDir).filter((name) => !isRecord(name));
}

/** Removes a directory that is empty. */
export function removeIfEmpty(path: string): void {
  const isDirectory = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isDirectory && readdirSync(path).length === 0) rmdirSync(path);
}

function filesIn(directory: string): readonly string[] {
  return entriesOf(directory)
    .map((name) => join(directory, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}

function entriesOf(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}
