import { join } from "node:path";
import { pathToFileURL } from "node:url";
import LibsqlDatabase from "libsql";
import { expect, it, onTestFinished } from "vitest";
import { mainMigrations, openDatabase } from "../../src/adapters/libsql/driver/database.ts";
import { createLeases } from "../../src/adapters/libsql/driver/leases.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

// Each of nine writes waited for ten seconds, one after the other, and a call answered after a minute and a half.
it("fails all writes within the time of one while another program keeps the lock", async () => {
  const path = join(temporaryDirectory(), "main.db");
  const url = pathToFileURL(path).href;
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  onTestFinished(() => database.close());
  const leases = createLeases(database);
  await leases.take("first", "one", 1_000);
  const other = new LibsqlDatabase(path);
  onTestFinished(() => void other.close());
  other.exec("BEGIN IMMEDIATE");
  const before = performance.now();
  const one = await Promise.allSettled([leases.take("a0", "one", 1_000)]);
  const yardstick = performance.now() - before;
  const started = performance.now();
  // The second waits in the queue of the first, so each of these is a group of its own.
  const many = await Promise.allSettled(
    Array.from({ length: 9 }, (_, at) =>
      at % 2 === 0 ? leases.take(`b${at}`, "one", 1_000) : leases.isHeld("first"),
    ),
  );
  expect(performance.now() - started).toBeLessThan(yardstick * 2);
  expect(one[0]).toMatchObject({ status: "rejected", reason: { kind: "unavailable" } });
  expect(many.filter(({ status }) => status === "rejected")).toHaveLength(5);
  other.exec("COMMIT");
  expect(await leases.take("a0", "one", 1_000)).toBe(true);
}, 60_000);
