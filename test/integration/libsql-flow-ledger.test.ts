import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { mainMigrations, openDatabase } from "../../src/adapters/libsql/driver/database.ts";
import { createLedger } from "../../src/adapters/libsql/flow/ledger.ts";
import type { LedgerContent } from "../../src/core/flow/ledger.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

function openLedger() {
  const url = pathToFileURL(join(temporaryDirectory(), "ledger.db")).href;
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  onTestFinished(() => database.close());
  return createLedger(database, { lastsMs: 86_400_000 });
}

const content = (id: string, marks: readonly number[], digest = id): LedgerContent => ({
  source: { kind: "mail", id, writtenBy: "other", verified: true },
  digest,
  marks: Uint8Array.from(marks),
});

const newer = { given: 0, sent: 0, destination: "web_search" };

describe("the ledger in the database", () => {
  it("stores items of different lengths together, in their order", async () => {
    const ledger = openLedger();
    const added = await ledger.add("local", [
      content("a", [1]),
      content("b", [2, 0, 255]),
      content("c", [4, 5]),
    ]);
    const { entries } = await ledger.read("local", newer);
    expect(entries).toEqual(added);
    expect(entries.map(({ id, marks }) => [id, [...marks]])).toEqual([
      ["a", [1]],
      ["b", [2, 0, 255]],
      ["c", [4, 5]],
    ]);
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it("gives an item that is stored again a new number", async () => {
    const ledger = openLedger();
    await ledger.add("local", [content("a", [1]), content("b", [2])]);
    const again = await ledger.add("local", [
      content("a", [1]),
      content("c", [3]),
      content("a", [1]),
    ]);
    expect(again.map(({ seq }) => seq)).toEqual([3, 4, 5]);
    const { entries } = await ledger.read("local", newer);
    expect(entries.map(({ id, seq }) => [id, seq])).toEqual([
      ["b", 2],
      ["c", 4],
      ["a", 5],
    ]);
  });

  it("stores ids with half of a character or a NUL in another form", async () => {
    const ledger = openLedger();
    await ledger.add("local", [content("a\uD800\0b", [1], "a"), content("c", [2])]);
    const { entries } = await ledger.read("local", newer);
    expect(entries.map(({ id }) => id)).toEqual(["a\uFFFD\uFFFDb", "c"]);
  });
});
