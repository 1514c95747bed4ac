import { createAuditRecord } from "../../adapters/libsql/audit/audit-record.ts";
import { endApprovals } from "../../adapters/libsql/approvals/after-restore.ts";
import { addCopyMark, hasCopyMark, removeCopyMark } from "../../adapters/libsql/whole/copy-mark.ts";
import {
  copyTable,
  countRows,
  digestTable,
  isEmptyDatabase,
  storedTables,
} from "../../adapters/libsql/whole/copy-tables.ts";
import type { Database } from "../../adapters/libsql/driver/database.ts";
import type { Config } from "../../config.ts";
import { randomId } from "../../core/shared/digest.ts";
import { formatSize } from "../../core/shared/text/format.ts";
import type { Log } from "../../core/shared/log.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { ObjectStore } from "../../ports/files/objects.ts";
import { messagesOfParts } from "../../adapters/libsql/mail/message-parts.ts";
import {
  copyObjects,
  differentKey,
  digestObjects,
  foreignKey,
  hasAnyObject,
} from "../../stores/copy-objects.ts";
import { openPlaces, storePlaces } from "../compose/open/open-stores.ts";
import { withoutOthers } from "../compose/without-others.ts";
import { installKeys } from "../platform/install-secret.ts";
import { eventName, finishedBefore, refuseLaterChanges } from "./finished-copy.ts";
import { copySmallFiles, nothingCopied } from "./target-settings.ts";
import { ownCommand } from "../platform/own-command.ts";

interface Places {
  database: Database;
  objects: ObjectStore;
}

export interface CopyJob {
  from: Places;
  /** Identifies the source. */
  source: string;
  config: Config;
  target: Config;
  log: Log;
  /** Receives one line for each step. */
  print: (line: string) => void;
}

/**
 * Copies database and objects to the places of other settings and compares both by count and by hash. Until the end, a
 * mark in the target's database keeps every other program from opening it. A repeat continues.
 * @throws ToolError if the target has other data, or the source changed meanwhile
 */
export async function copyStores(job: CopyJob): Promise<void> {
  const { config, target, source, log, from } = job;
  const [here, there] = [storePlaces(config), storePlaces(target)];
  const copies = {
    database: here.place !== there.place,
    objects: here.store.join("\0") !== there.store.join("\0"),
  };
  if (!copies.database && !copies.objects) {
    throw new ToolError(
      "conflict",
      `The file names the stores that are in use already. ${nothingCopied} Set DATABASE_URL or S3_BUCKET in it.`,
    );
  }
  const guard = { command: eventName, nothing: nothingCopied };
  await withoutOthers(from.database, guard, async () => {
    copySmallFiles(config.dataDir, target.dataDir);
    const to = openPlaces(target, log, { copyOf: source });
    try {
      if (!copies.database) await copyObjectsAlone(job, to);
      else await withoutOthers(to.database, guard, () => copyAll(job, to, copies.objects));
    } finally {
      await to.objects.close();
      await to.database.close();
    }
  });
}

/** Copies into a bucket, or out of one, while the database stays. Removes nothing, and so needs no mark. */
async function copyObjectsAlone(job: CopyJob, to: Places): Promise<void> {
  const other = await foreignKey(to.objects, job.from.objects);
  if (other !== undefined) throw otherData("object store");
  await copyAndCompareObjects(job, to, {});
  await record(job, to.database);
}

async function copyAll(job: CopyJob, to: Places, hasObjects: boolean): Promise<void> {
  const { source, print } = job;
  if (!(await hasCopyMark(to.database, source))) {
    const finishedAt = await finishedBefore(to.database, source);
    if (finishedAt !== undefined) {
      await refuseLaterChanges(job.from, to, { at: finishedAt, hasObjects });
      print(`This copy was complete at ${finishedAt.toISOString()}. Nothing was copied again.`);
      return;
    }
    if (!(await isEmptyDatabase(to.database))) throw otherData("database");
    if (hasObjects && (await hasAnyObject(to.objects))) {
      await removeCopyMark(to.database, source);
      throw otherData("object store");
    }
    await addCopyMark(to.database, source);
  }
  await copyMarked(job, to, hasObjects).catch((error: unknown) => {
    throw error instanceof ToolError && error.kind !== "conflict" ? interrupted(error) : error;
  });
}

/** Copies into the marked database, and removes the mark at the end. */
async function copyMarked(job: CopyJob, to: Places, hasObjects: boolean): Promise<void> {
  const { source, print } = job;
  await copyTables(job, to.database);
  if (hasObjects) await copyAndCompareObjects(job, to, { isMirror: true });
  await compareTables(job, to.database);
  const { ended } = await endApprovals(to.database);
  if (ended > 0)
    print(`approvals that ended in the copy, because they are valid only in the source: ${ended}`);
  await record(job, to.database);
  await removeCopyMark(to.database, source);
}

async function copyTables({ from, print }: CopyJob, to: Database): Promise<void> {
  const tables = await storedTables(to);
  const [there, here] = [await countRows(to, tables), await countRows(from.database, tables)];
  for (const table of tables) {
    const rows = here.get(table.name) ?? 0;
    if (rows === 0 && there.get(table.name) === 0) continue;
    const { written } = await copyTable(table, from.database, to);
    print(`table ${table.name}: ${rows} rows, ${written} of them copied now`);
  }
}

async function compareTables({ from, print }: CopyJob, to: Database): Promise<void> {
  const tables = await storedTables(to);
  let sum = 0;
  for (const table of tables) {
    const here = await digestTable(table, from.database);
    const there = await digestTable(table, to);
    if (here.rows !== there.rows || here.sha256 !== there.sha256)
      throw differs(`The table ${table.name}`);
    sum += here.rows;
  }
  print(`compared by count and hash: ${tables.length} tables with ${sum} rows are equal`);
}

async function copyAndCompareObjects(
  { from, print, target }: CopyJob,
  to: Places,
  options: { isMirror?: boolean },
): Promise<void> {
  const messages = target.s3 === undefined ? await messagesOfParts(from.database) : undefined;
  const { copied, present, bytes } = await copyObjects(from.objects, to.objects, {
    ...options,
    messages,
  });
  print(`objects: ${copied} copied now (${formatSize(bytes)}), ${present} were there`);
  const [here, there] = [await digestObjects(from.objects), await digestObjects(to.objects)];
  if (here.objects !== there.objects || here.sha256 !== there.sha256) {
    const key = options.isMirror ? undefined : await differentKey(to.objects, from.objects);
    throw key === undefined ? differs("The object store") : notReplaced(key);
  }
  print(
    `compared by count and hash: ${here.objects} objects with ${formatSize(here.bytes)} are equal`,
  );
}

/** Adds an event to the target's audit record, by which a repeat recognises a complete copy. */
async function record({ source, target, log }: CopyJob, database: Database): Promise<void> {
  const { audit: key, keyId } = installKeys(target.dataDir);
  const audit = createAuditRecord(database, { key, keyId, log });
  await audit.append({
    type: "finished",
    at: new Date(),
    callId: randomId(eventName),
    principal: "countersign",
    client: "countersign",
    tool: eventName,
    digest: source,
    sentence: "copied everything to these stores",
    outcome: "ok",
  });
}

const otherData = (where: string): ToolError =>
  new ToolError(
    "conflict",
    `The target's ${where} has other data. ${nothingCopied} Name an empty one, or empty it.`,
  );

/** The sentence of a store about its own request. */
const undone =
  / (?:Nothing was changed|Nothing was read or changed|It may have been written|The change was made either completely or not at all)\.$/;

/** Adds that a part was copied, which the failed store does not know. */
function interrupted(cause: ToolError): ToolError {
  const { kind, hint } = cause;
  const again = `Run ${ownCommand()} copy again.`;
  const what = cause.message.replace(undone, "");
  return new ToolError(kind, `${what} The copy is not complete.`, {
    cause,
    hint: hint === undefined ? again : `${hint} ${again}`,
  });
}

const differs = (what: string): ToolError =>
  new ToolError(
    "conflict",
    `${what} changed while it was copied. The copy is not complete. Stop serve and ingest, and run ${ownCommand()} copy again.`,
  );

const notReplaced = (key: string): ToolError =>
  new ToolError(
    "conflict",
    `The target's object store has another version of ${key}, which was not replaced. The copy is not complete. Delete it there, and run ${ownCommand()} copy again.`,
  );
