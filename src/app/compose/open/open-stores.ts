import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createAuditRecord } from "../../../adapters/libsql/audit/audit-record.ts";
import { createAuditReader } from "../../../adapters/libsql/audit/audit-reader.ts";
import {
  mainMigrations,
  openDatabase,
  type Database,
} from "../../../adapters/libsql/driver/database.ts";
import { createDiary } from "../../../adapters/libsql/audit/diary.ts";
import { createEventLedger } from "../../../adapters/libsql/calendar/event-ledger.ts";
import { createFileChanges } from "../../../adapters/libsql/files/file-changes.ts";
import { createMailReader } from "../../../adapters/libsql/mail/mail-reader.ts";
import { objectMigrations, openObjectStore } from "../../../adapters/libsql/files/object-store.ts";
import { createRecentChanges } from "../../../adapters/libsql/files/recent-changes.ts";
import { createPasskeyStore } from "../../../adapters/libsql/oauth/passkey-store.ts";
import { createOAuthStore } from "../../../adapters/libsql/oauth/oauth-store.ts";
import { createRuleStore } from "../../../adapters/libsql/approvals/rule-store.ts";
import { createStoredRequests } from "../../../adapters/libsql/approvals/stored-requests.ts";
import { createTickets } from "../../../adapters/libsql/approvals/tickets.ts";
import { openS3ObjectStore } from "../../../adapters/s3/object-store.ts";
import type { Config } from "../../../config.ts";
import type { AuditRecord } from "../../../core/audit/audit.ts";
import type { AuditReader } from "../../../core/audit/audit-reader.ts";
import type { InformationFlow } from "../../../core/flow/flow.ts";
import { canonicalJson, sha256Hex } from "../../../core/shared/digest.ts";
import type { Log } from "../../../core/shared/log.ts";
import type { RuleStore } from "../../../core/policy/rules/rule-store.ts";
import type { StoredRequest } from "../../../core/approvals/request-check.ts";
import { createRequestSealer } from "../../../core/approvals/request-seal.ts";
import type { Tickets } from "../../../core/approvals/ticket.ts";
import type { Calendar } from "../../../ports/calendar/calendar.ts";
import type { Diary } from "../../../ports/people/diary.ts";
import type { OAuthStore } from "../../../ports/people/oauth-store.ts";
import type { PasskeyStore } from "../../../ports/people/passkeys.ts";
import type { FileChanges } from "../../../ports/files/file-changes.ts";
import type { Files } from "../../../ports/files/files.ts";
import type { MailReader } from "../../../ports/mail/mail-reader.ts";
import type { ObjectStore } from "../../../ports/files/objects.ts";
import type { RecentChanges, Undo } from "../../../ports/files/recent-changes.ts";
import { type HeadPlace, headObjects } from "../../../stores/audit-heads.ts";
import { createEventCopies, createEventTarget } from "../../../stores/event-copies.ts";
import { createFiles } from "../../../stores/files.ts";
import { createUndo } from "../../../stores/undo.ts";
import { createFileTarget } from "../../../stores/undo-target.ts";
import { headFiles } from "../../audit/head-files.ts";
import { type InstallKeys, installKeys } from "../../platform/install-secret.ts";
import { keepHeads } from "../../audit/keep-heads.ts";
import { createRecordingFiles } from "../../platform/recording-files.ts";
import { lazyFlow } from "./lazy-flow.ts";
import { openCalendar } from "./open-calendar.ts";

/** All stores, opened the same way for every command. */
export interface Stores {
  database: Database;
  objects: ObjectStore;
  tickets: Tickets;
  /** All approval requests as stored, for the comparison with the audit record. */
  storedRequests: () => AsyncIterable<StoredRequest>;
  audit: AuditRecord;
  auditReader: AuditReader;
  /** Places that store heads of the audit record. */
  headPlaces: readonly HeadPlace[];
  rules: RuleStore;
  files: Files;
  fileChanges: FileChanges;
  recentChanges: RecentChanges;
  diary: Diary;
  oauth: OAuthStore;
  passkeys: PasskeyStore;
  undo: Undo;
  mail: MailReader;
  /** Undefined if it is not configured. */
  calendar: Calendar | undefined;
  /** Identifies the stores and the calendar. A request approved for one set does not run with another. */
  configHash: string;
  keys: InstallKeys;
  flow: InformationFlow;
  close(): Promise<void>;
}

/**
 * Creates the stores. Each one opens at its first use.
 * @throws ToolError if the data directory is half restored
 */
export function openStores(config: Config, log: Log): Stores {
  const { dataDir } = config;
  const keys = installKeys(dataDir);
  const { database, objects } = openPlaces(config, log);
  const audit = createAuditRecord(database, { key: keys.audit, keyId: keys.keyId, log });
  const fileChanges = createFileChanges(database);
  const undoable = { objects, changes: fileChanges, undoHours: config.undoHours, log };
  const files = createFiles(objects, undoable);
  const copies = createEventCopies(undoable);
  const opened =
    config.calendar &&
    openCalendar(config.calendar, {
      ledger: createEventLedger(database),
      key: keys.events,
      copies,
      log,
    });
  const events =
    opened &&
    createEventTarget({
      ...undoable,
      calendar: opened.objects,
      describe: (text) => opened.describe(text),
      copies,
    });
  const auditReader = createAuditReader(database);
  const headPlaces = [headFiles(dataDir), headObjects(objects)];
  const heads = keepHeads({
    places: headPlaces,
    written: () => audit.written(),
    key: keys.audit,
    keyId: keys.keyId,
    reader: auditReader,
    log,
  });
  const mail = createMailReader({ database, objects });
  const lastsMs = config.flowHours * 3_600_000;
  const marks =
    config.database.kind === "file"
      ? createRecordingFiles(recordingDirectory(config.database.path), {
          key: keys.flow,
          lastsMs,
        })
      : undefined;
  const flow = lazyFlow(
    async () => {
      const { openFlow } = await import("./open-flow.ts");
      return openFlow(
        { database, mail, files, calendar: opened?.calendar },
        { key: keys.flow, lastsMs, marks, log },
      );
    },
    { marks, log },
  );
  return {
    database,
    objects,
    tickets: createTickets(database, createRequestSealer(keys.audit)),
    storedRequests: createStoredRequests(database),
    audit,
    auditReader,
    headPlaces,
    rules: createRuleStore(database),
    files,
    fileChanges,
    recentChanges: createRecentChanges(database),
    diary: createDiary(database),
    oauth: createOAuthStore(database),
    passkeys: createPasskeyStore(database),
    undo: createUndo({
      objects,
      files: createFileTarget(files),
      events,
      changes: fileChanges,
      audit,
    }),
    mail,
    calendar: opened?.calendar,
    configHash: configHash(config),
    keys,
    flow,
    close: async () => {
      await flow.close();
      await audit.flush().catch((cause: unknown) => {
        log.error("writing events of the audit record failed", { cause });
      });
      await heads.close();
      await objects.close();
      await database.close();
    },
  };
}

/**
 * Opens database and object store alone.
 * @param copyOf see `DatabaseOptions`
 */
export function openPlaces(
  { dataDir, database: place, s3 }: Config,
  log: Log,
  { copyOf }: { copyOf?: string } = {},
): { database: Database; objects: ObjectStore & { close(): Promise<void> } } {
  const objectsFile = join(dataDir, "objects.db");
  const database = openDatabase({
    url: place.kind === "file" ? pathToFileURL(place.path).href : place.url,
    ...(place.kind === "remote" && place.authToken && { authToken: place.authToken }),
    ...(copyOf !== undefined && { copyOf }),
    ...(s3 === undefined && { beside: { path: objectsFile, migrations: objectMigrations } }),
    migrations: mainMigrations,
    log,
  });
  const objects = s3
    ? openS3ObjectStore({ ...s3, log })
    : openObjectStore({ url: pathToFileURL(objectsFile).href, log });
  return { database, objects };
}

/** Identifies the database and the object store of some settings. */
export function storePlaces({ database, dataDir, s3 }: Config): {
  place: string;
  store: readonly string[];
} {
  return {
    place: database.kind === "file" ? database.path : database.url,
    store: s3 ? [s3.endpoint ?? "", s3.bucket, s3.prefix] : [dataDir],
  };
}

/** Returns the directory of the marks of a database file: see `recording-files.ts`. */
export const recordingDirectory = (database: string): string => `${database}-recording`;

function configHash(config: Config): string {
  const { calendar } = config;
  const { place, store } = storePlaces(config);
  const events = calendar ? [calendar.url, calendar.username, calendar.name] : [];
  return sha256Hex(canonicalJson({ place, store, events }));
}
