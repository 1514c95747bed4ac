import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createAuditLog } from "../adapters/libsql/audit-log.ts";
import { mainMigrations, openDatabase, type Database } from "../adapters/libsql/database.ts";
import { createEventLedger } from "../adapters/libsql/event-ledger.ts";
import { createMailReader } from "../adapters/libsql/mail-reader.ts";
import { openObjectStore } from "../adapters/libsql/object-store.ts";
import { createTickets } from "../adapters/libsql/tickets.ts";
import { openS3ObjectStore } from "../adapters/s3/object-store.ts";
import type { Config } from "../config.ts";
import type { AuditLog } from "../core/audit.ts";
import { canonicalJson, sha256Hex } from "../core/digest.ts";
import type { Log } from "../core/log.ts";
import type { Tickets } from "../core/ticket.ts";
import type { Calendar } from "../ports/calendar.ts";
import type { MailReader } from "../ports/mail-reader.ts";
import type { ObjectStore } from "../ports/objects.ts";
import { installKeys } from "./install-secret.ts";
import { openCalendar } from "./open-calendar.ts";

/** Everything that is kept, opened the same way for every command. */
export interface Stores {
  database: Database;
  objects: ObjectStore;
  tickets: Tickets;
  audit: AuditLog;
  mail: MailReader;
  /** Undefined where none is configured. */
  calendar: Calendar | undefined;
  /** Names the stores and the calendar: what was approved for one set runs in no other. */
  configHash: string;
  /** Signs sessions of the approval page. */
  pageKey: Uint8Array;
  close(): Promise<void>;
}

/** Opens nothing by itself: each store opens with the first thing that is asked of it. */
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
  return {
    database,
    objects,
    tickets: createTickets(database),
    audit,
    mail: createMailReader({ database, objects }),
    calendar:
      config.calendar &&
      openCalendar(config.calendar, {
        ledger: createEventLedger(database),
        key: keys.events,
        log,
      }),
    configHash: configHash(config),
    pageKey: keys.page,
    close: async () => {
      await audit.flush().catch((cause: unknown) => {
        log.error("some events of the audit log were not written", { cause });
      });
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
