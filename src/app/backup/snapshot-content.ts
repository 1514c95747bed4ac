import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type Database,
  mainMigrations,
  openDatabase,
} from "../../adapters/libsql/driver/database.ts";
import { openObjectStore } from "../../adapters/libsql/files/object-store.ts";
import type { Config } from "../../config.ts";
import type { Log } from "../../core/shared/log.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { keysWith } from "../../stores/copy-objects.ts";
import { filesPrefix } from "../../stores/files.ts";
import { type ExaminedMail, examineAllMail, examineFiles } from "../mail/missing-objects.ts";
import { databaseName, objectsName } from "./backup-format.ts";

export interface SnapshotContent extends ExaminedMail {
  files: number;
  /** Keys of files that the database knows and the object store does not have. */
  missingFiles: readonly string[];
}

/**
 * Counts the messages and files of a snapshot, and finds those without bytes.
 * @param live the database of the snapshot, in which messages and files may have been deleted meanwhile
 * @param isBucket other programs may delete files in a bucket, so that nothing is missing then
 */
export async function snapshotContent(
  directory: string,
  { live, isBucket, log }: { live: Database; isBucket: boolean; log: Log },
): Promise<SnapshotContent> {
  const url = (name: string): string => pathToFileURL(join(directory, name)).href;
  const database = openDatabase({ url: url(databaseName), migrations: mainMigrations, log });
  const objects = openObjectStore({ url: url(objectsName), log });
  try {
    let files = 0;
    for await (const _ of keysWith(filesPrefix, objects)) files += 1;
    const lost = isBucket ? undefined : await examineFiles(database, objects, live);
    const mail = await examineAllMail(database, objects, live);
    return { files, missingFiles: lost?.missing ?? [], ...mail };
  } finally {
    await objects.close();
    await database.close();
  }
}

/**
 * Refuses settings whose database file is missing: the backup would contain a new one.
 * @throws ToolError
 */
export function refuseMissingDatabase({ database }: Config): void {
  if (database.kind !== "file" || existsSync(database.path)) return;
  throw new ToolError(
    "not_found",
    `The database ${database.path} does not exist. No backup was made. Check COUNTERSIGN_DATA_DIR and DATABASE_URL.`,
  );
}
