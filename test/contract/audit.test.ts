import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { createAuditRecord } from "../../src/adapters/libsql/audit/audit-record.ts";
import {
  type Database,
  mainMigrations,
  openDatabase,
} from "../../src/adapters/libsql/driver/database.ts";
import { createFakeAuditRecord } from "../fakes/audit-record.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { makeDirectory } from "../fakes/temporary-directory.ts";
import { auditContract } from "./audit.ts";

auditContract("the fake", async () => {
  const audit = createFakeAuditRecord();
  return { audit, read: async () => audit.events };
});

// One file for all: opening takes longer than any of these tests. Each begins with an empty table.
let directory: ReturnType<typeof makeDirectory>;
let database: Database;

beforeAll(() => {
  directory = makeDirectory();
  const url = pathToFileURL(join(directory.path, "audit.db")).href;
  database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
});

afterAll(async () => {
  await database.close();
  directory.remove();
});

auditContract("libSQL", async () => {
  await database.write([{ sql: "DELETE FROM audit", args: [] }]);
  const audit = createAuditRecord(database, { key: randomBytes(32), keyId: "test", log: quietLog });
  const read = async () =>
    (await audit.readEvents({ after: 0, limit: 1_000 })).map(({ event }) => event);
  return { audit, read };
});
