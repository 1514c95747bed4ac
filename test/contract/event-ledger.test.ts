import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { mainMigrations, openDatabase } from "../../src/adapters/libsql/driver/database.ts";
import { createEventLedger } from "../../src/adapters/libsql/calendar/event-ledger.ts";
import type { EventLedger } from "../../src/ports/calendar/event-ledger.ts";
import { createFakeEventLedger } from "../fakes/event-ledger.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

const entry = { uid: "a@countersign", principal: "local", seed: "key 1", digest: "d1" };

function eventLedgerContract(name: string, open: () => EventLedger): void {
  describe(`the ledger of events: ${name}`, () => {
    it("stores an entry as unconfirmed until it is confirmed", async () => {
      const ledger = open();
      await ledger.record(entry);
      expect(await ledger.find([entry.uid, "b@countersign"])).toEqual([
        { ...entry, confirmed: false },
      ]);
      await ledger.confirm(entry.uid);
      expect(await ledger.find([entry.uid])).toEqual([{ ...entry, confirmed: true }]);
      expect(await ledger.find([])).toEqual([]);
    });

    it("keeps an existing entry that is recorded again", async () => {
      const ledger = open();
      await ledger.record(entry);
      await ledger.confirm(entry.uid);
      await ledger.record({ ...entry, digest: "d2" });
      expect(await ledger.find([entry.uid])).toEqual([{ ...entry, confirmed: true }]);
    });

    it("deletes only unconfirmed entries", async () => {
      const ledger = open();
      await ledger.record(entry);
      await ledger.forget(entry.uid);
      expect(await ledger.find([entry.uid])).toEqual([]);
      await ledger.record(entry);
      await ledger.confirm(entry.uid);
      await ledger.forget(entry.uid);
      expect(await ledger.find([entry.uid])).toHaveLength(1);
    });
  });
}

eventLedgerContract("the fake", createFakeEventLedger);
eventLedgerContract("libSQL", () => {
  const url = pathToFileURL(join(temporaryDirectory(), "main.db")).href;
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  onTestFinished(() => database.close());
  return createEventLedger(database);
});
