import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Database } from "../../src/adapters/libsql/driver/database.ts";
import { withoutOthers } from "../../src/app/compose/without-others.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("renews its lease with one request at a time while the database server is silent", async () => {
  // Each renewal waited 20 seconds for the server, one after the other. After an hour the command could not end.
  let writes = 0;
  let isSilent = false;
  const database: Partial<Database> = {
    read: async () => ({ rows: [], rowsAffected: 0 }),
    write: async () => {
      writes += 1;
      if (isSilent) await new Promise(() => undefined);
      return [{ rows: [{ name: "leader" }], rowsAffected: 1 }];
    },
  };
  const guard = { command: "copy", nothing: "Nothing was copied." };
  let end: () => void = () => undefined;
  const work = withoutOthers(database as Database, guard, () => {
    isSilent = true;
    return new Promise<void>((resolve) => (end = resolve));
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(writes).toBe(2);
  end();
  await vi.advanceTimersByTimeAsync(0);
  expect(writes).toBe(3);
  void work;
});
