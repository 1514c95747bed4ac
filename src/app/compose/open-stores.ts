import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createAuditLog } from "../../adapters/libsql/audit/audit-log.ts";
import { createAuditReader } from "../../adapters/libsql/audit/audit-reader.ts";
import {
  mainMigrations,
  openDatabase,
  type Database,
} from "../../adapters/libsql/driver/database.ts";
import { createDiary } from "../../adapters/libsql/audit/diary.ts";
import { createEventLedger } from "../../adapters/libsql/calendar/event-ledger.ts";
import { createFileChanges } from "../../adapters/libsql/files/file-changes.ts";
import { createLedger } from "../../adapters/libsql/flow/ledger.ts";
import { createMailReader } from "../../adapters/libsql/mail/mail-reader.ts";
import { openObjectStore } from "../../adapters/libsql/files/object-store.ts";
import { createRecentChanges } from "../../adapters/libsql/files/recent-changes.ts";
import { createOAuthStore } from "../../adapters/libsql/oauth/oauth-store.ts";
import { createRuleStore } from "../../adapters/libsql/approvals/rule-store.ts";
import { createTickets } from "../../adapters/libsql/approvals/tickets.ts";
import { openS3ObjectStore } from "../../adapters/s3/object-store.ts";
import type { Config } from "../../config.ts";
import type { AuditLog } from "../../core/audit/audit.ts";
import type { AuditReader } from "../../core/audit/audit-reader.ts";
import { type InformationFlow, createInformationFlow } from "../../core/flow/flow.ts";
import { canonicalJson, sha256Hex } from "../../core/shared/digest.ts";
import type { Log } from "../../core/shared/log.ts";
import type { RuleStore } from "../../core/policy/rules/rule-store.ts";
import type { Tickets } from "../../core/approvals/ticket.ts";
import type { Calendar } from "../../ports/calendar/calendar.ts";
import type { Diary } from "../../ports/people/diary.ts";
import type { OAuthStore } from "../../ports/people/oauth-store.ts";
import type { FileChanges } from "../../ports/files/file-changes.ts";
import type { Files } from "../../ports/files/files.ts";
import type { MailReader } from "../../ports/mail/mail-reader.ts";
import type { ObjectStore } from "../../ports/files/objects.ts";
import type { RecentChanges, Undo } from "../../ports/files/recent-changes.ts";
import { type HeadPlace, headObjects } from "../../stores/audit-heads.ts";
import { createFiles } from "../../stores/files.ts";
import { createUndo } from "../../stores/undo.ts";
import { headFiles } from "../jobs/head-files.ts";
import { type InstallKeys, installKeys } from "../platform/install-secret.ts";
import { keepHeads } from "../jobs/keep-heads.ts";
import { sourceNames } from "./source-names.ts";
import { openCalendar } from "./open-calendar.ts";

/** All stores, opened the same way for every command. */
export interface Stores {
  database: Database;
  objects: ObjectStore;
  tickets: Tickets;
  audit: AuditLog;
  auditReader: AuditReader;
  /** Places that store heads of the audit log. */
  headPlaces: readonly HeadPlace[];
  rules: RuleStore;
  files: Files;
  fileChanges: FileChanges;
  recentChanges: RecentChanges;
  diary: Diary;
  oauth: OAuthStore;
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

/** Creates the stores. Each one opens at its first use. */
export function openStores(config: Config, log: Log): Stores {
  const { dataDir, database: place } = config;
  const database = openDatabase({
    url: place.kind === "file" ? pathToFileURL(place.path).href : place.url,
    ...(place.kind === "remote" && place.authToken && { authToken: place.authToken }),
    migrations: mainMigrations,
    log,
  });
  const objects = config.s3
    ? openS3ObjectStore({ ...config.s3, log })
    : openObjectStore({ url: pathToFileURL(join(dataDir, "objects.db")).href, log });
  const keys = installKeys(dataDir);
  const audit = createAuditLog(database, { key: keys.audit, keyId: keys.keyId, log });
  const fileChanges = createFileChanges(database);
  const files = createFiles(objects, {
    changes: fileChanges,
    undoHours: config.undoHours,
    log,
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
  const flowMs = config.flowHours * 3_600_000;
  const flow = createInformationFlow({
    ledger: createLedger(database, { lastsMs: flowMs }),
    key: keys.flow,
    lastsMs: flowMs,
    nameOf: sourceNames({ mail }),
    log,
  });
  return {
    database,
    objects,
    tickets: createTickets(database),
    audit,
    auditReader,
    headPlaces,
    rules: createRuleStore(database),
    files,
    fileChanges,
    recentChanges: createRecentChanges(database),
    diary: createDiary(database),
    oauth: createOAuthStore(database),
    undo: createUndo({ objects, files, changes: fileChanges, audit }),
    mail,
    calendar:
      config.calendar &&
      openCalendar(config.calendar, {
        ledger: createEventLedger(database),
        key: keys.events,
        log,
      }),
    configHash: configHash(config),
    keys,
    flow,
    close: async () => {
      await flow.idle();
      await audit.flush().catch((cause: unknown) => {
        log.error("some events of the audit log were not written", { cause });
      });
      await heads.close();
      await objects.close();
      await database.close();
    },
  };
}

function configHash({ database, dataDir, s3, calendar }: Config): string {
  const place = database.kind === "file" ? database.path : database.url;
  const store = s3 ? [s3.endpoint ?? "", s3.bucket, s3.prefix] : [dataDir];
  const events = calendar ? [calendar.url, calendar.username, calendar.name] : [];
  return sha256Hex(canonicalJson({ place, store, events }));
}
