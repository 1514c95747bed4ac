import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { mainMigrations, openDatabase } from "../../src/adapters/libsql/driver/database.ts";
import { createFileChanges } from "../../src/adapters/libsql/files/file-changes.ts";
import type { FileChanges, PlannedChange } from "../../src/ports/files/file-changes.ts";
import { createFakeFileChanges } from "../fakes/file-changes.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

const hour = 3_600_000;
const plan: PlannedChange = {
  undoId: "un_1",
  callId: "call_1",
  principal: "local",
  key: "notes/a.md",
  kind: "replaced",
  sha256: "00",
  replaces: "v1",
  keptBytes: 100,
};
const space = { keepMs: hour, atMost: 1_000, mayExceed: false };

function fileChangesContract(name: string, open: () => FileChanges): void {
  describe(`the changes of files: ${name}`, () => {
    it("are planned with the time at which undo ends, and then made [undo.durable]", async () => {
      const changes = open();
      const until = (await changes.plan(plan, space))?.until ?? new Date(0);
      expect(Math.abs(until.getTime() - Date.now() - hour)).toBeLessThan(60_000);
      const { replaces: _replaces, keptBytes: _bytes, ...kept } = plan;
      const planned = {
        ...kept,
        state: "planned",
        etagAfter: undefined,
        until,
        isExpired: false,
        isEvicted: false,
      };
      expect(await changes.find("un_1")).toEqual(planned);
      await changes.confirm("un_1", "v2");
      expect(await changes.find("un_1")).toEqual({ ...planned, state: "made", etagAfter: "v2" });
      expect(await changes.find("un_2")).toBeUndefined();
    });

    it("name the change that they undid", async () => {
      const changes = open();
      await changes.plan(plan, space);
      const { replaces: _replaces, keptBytes: _bytes, ...kept } = plan;
      const opposite = { ...kept, undoId: "un_2", callId: "undo_1", undoes: "un_1" };
      await changes.plan({ ...opposite, replaces: "v2", keptBytes: 100 }, space);
      await changes.plan({ ...plan, undoId: "un_3", undoes: "un_2" }, space);
      expect(await changes.undosOf("un_1")).toMatchObject([{ ...opposite, state: "planned" }]);
      await changes.drop("un_2");
      expect(await changes.undosOf("un_1")).toEqual([]);
    });

    it("count the copies of each caller and never evict the user's version [undo.budget]", async () => {
      const changes = open();
      const make = async (number: number, replaces: string | undefined, fields = {}) => {
        const undoId = `un_${number}`;
        const at = { ...space, keepMs: hour + number };
        await changes.plan({ ...plan, undoId, replaces, ...fields }, at);
        await changes.confirm(undoId, `v${number}`);
      };
      await make(1, "the user's");
      await make(2, "v1");
      await make(3, "v2");
      await make(4, "also the user's", { key: "notes/b.md" });
      await make(5, "v3", { undoes: "un_2" });
      await make(6, "v5");
      await make(7, "v3", { principal: "bob" });
      const evictable = ["un_2", "un_3", "un_5"].map((undoId) => ({ undoId, key: plan.key }));
      expect(await changes.copiesOf("local", hour)).toMatchObject({ bytes: 600, evictable });
      await changes.confirmEvicted("un_2");
      expect(await changes.copiesOf("local", hour)).toMatchObject({
        bytes: 500,
        evictable: evictable.slice(1),
      });
      expect(await changes.find("un_2")).toMatchObject({ isEvicted: true });
      expect((await changes.copiesOf("bob", hour)).bytes).toBe(100);
    });

    it("reserve the space of sixty copies at the same moment [undo.budget]", async () => {
      const changes = open();
      const planned = await Promise.all(
        Array.from({ length: 60 }, (_, number) =>
          changes.plan({ ...plan, undoId: `un_${number}`, key: `${number}` }, space),
        ),
      );
      expect(planned.filter((one) => one !== undefined)).toHaveLength(10);
      expect(await changes.copiesOf("local", hour)).toEqual({ bytes: 1_000, evictable: [] });
      const person = { ...space, mayExceed: true };
      expect(await changes.plan({ ...plan, undoId: "un_p" }, person)).toBeDefined();
      expect(
        await changes.plan({ ...plan, undoId: "un_b", principal: "bob" }, space),
      ).toBeDefined();
    });

    it("evict exactly the oldest copies that make room, and none in progress [undo.budget]", async () => {
      const changes = open();
      const add = (number: number, fields: Partial<PlannedChange> = {}) =>
        changes.plan(
          { ...plan, undoId: `un_${number}`, replaces: "v1", ...fields },
          { ...space, keepMs: hour + number },
        );
      await add(0, { replaces: "the user's" });
      await changes.confirm("un_0", "v1");
      for (let number = 1; number < 9; number += 1) {
        await add(number);
        await changes.confirm(`un_${number}`, "v1");
      }
      expect(await add(9)).toMatchObject({ evicted: [] });
      const evicted = [{ undoId: "un_1" }, { undoId: "un_2" }];
      expect(await add(10, { keptBytes: 150 })).toMatchObject({ evicted });
      expect(await add(11, { keptBytes: 700 })).toBeUndefined();
      expect(await changes.find("un_3")).toMatchObject({ isEvicted: false });
      expect(await changes.find("un_0")).toMatchObject({ isEvicted: false });
    });

    it("return the space of a change that was not made once its copy is gone [undo.budget]", async () => {
      const changes = open();
      await changes.plan({ ...plan, keptBytes: 1_000 }, space);
      expect(await changes.plan({ ...plan, undoId: "un_2" }, space)).toBeUndefined();
      await changes.drop("un_1");
      expect(await changes.plan({ ...plan, undoId: "un_2" }, space)).toMatchObject({
        evicted: [{ undoId: "un_1", key: plan.key }],
      });
    });

    it("do not hold the space of an assistant's version after the process stopped [undo.budget]", async () => {
      const changes = open();
      await changes.plan({ ...plan, undoId: "un_0", keptBytes: undefined }, space);
      await changes.confirm("un_0", "v1");
      const long = { ...space, keepMs: 24 * hour };
      // Planned an hour ago, as the end of its time tells.
      await changes.plan({ ...plan, keptBytes: 1_000 }, { ...long, keepMs: 23 * hour });
      expect(await changes.plan({ ...plan, undoId: "un_2" }, long)).toMatchObject({
        evicted: [{ undoId: "un_1" }],
      });
    });

    it("stay recorded after they are dropped, until their time ends", async () => {
      const changes = open();
      await changes.plan(plan, { ...space, keepMs: 0 });
      await changes.drop("un_1");
      expect(await changes.find("un_1")).toBeUndefined();
      await changes.plan({ ...plan, undoId: "un_2" }, space);
      expect((await changes.expired(10)).map(({ undoId, key }) => [undoId, key])).toEqual([
        ["un_1", plan.key],
      ]);
      expect(await changes.known(["un_1", "un_2", "un_3"])).toEqual(new Set(["un_1", "un_2"]));
      await changes.forget("un_1");
      expect(await changes.expired(10)).toEqual([]);
    });
  });
}

fileChangesContract("the fake", createFakeFileChanges);
fileChangesContract("libSQL", () => {
  const url = pathToFileURL(join(temporaryDirectory(), "main.db")).href;
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  onTestFinished(() => database.close());
  return createFileChanges(database);
});
