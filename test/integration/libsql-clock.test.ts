import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { mainMigrations, openDatabase } from "../../src/adapters/libsql/driver/database.ts";
import { createLeases } from "../../src/adapters/libsql/driver/leases.ts";
import { createMailStore } from "../../src/adapters/libsql/mail/mail-store.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

const threeYears = 3 * 365 * 86_400_000;

function opened() {
  const url = pathToFileURL(join(temporaryDirectory(), "main.db")).href;
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  onTestFinished(() => database.close());
  return database;
}

// A clock that was years fast left a leader for years, and mail that no process took.
it("takes a lease of a process whose clock was fast", async () => {
  const leases = createLeases(opened());
  await leases.take("leader", "one", threeYears);
  expect(await leases.isHeld("leader")).toBe(false);
  expect(await leases.take("leader", "two", 15_000)).toBe(true);
  expect(await leases.take("leader", "one", 15_000)).toBe(false);
  expect(await leases.isHeld("leader")).toBe(true);
});

it.each(["due_at", "lease_until"])("processes mail whose %s a fast clock wrote", async (column) => {
  const database = opened();
  const store = createMailStore(database, { hasFarObjects: false });
  const mail = { emailId: "em_a", rawSha256: "aa", bytes: 1, firstStep: "parse" };
  await store.admit(mail, { intake: "import", rawSha256: "aa", bytes: 1 });
  const claim = () => store.claim({ steps: ["parse"], limit: 1, leaseMs: 10_000 });
  const set = `UPDATE mail SET ${column} = unixepoch() * 1000 + ?`;
  await database.write([{ sql: set, args: [60_000] }]);
  expect(await claim()).toHaveLength(0);
  await database.write([{ sql: set, args: [threeYears] }]);
  expect(await claim()).toHaveLength(1);
});
