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
};

function fileChangesContract(name: string, open: () => FileChanges): void {
  describe(`the changes of files: ${name}`, () => {
    it("are planned with the time at which undo ends, and then made [undo.durable]", async () => {
      const changes = open();
      const until = await changes.plan(plan, hour);
      expect(Math.abs(until.getTime() - Date.now() - hour)).toBeLessThan(60_000);
      const { replaces: _replaces, ...kept } = plan;
      const planned = {
        ...kept,
        state: "planned",
        left: undefined,
        until,
        isOver: false,
        isEvicted: false,
      };
      expect(await changes.find("un_1")).toEqual(planned);
      await changes.made("un_1", "v2");
      expect(await changes.find("un_1")).toEqual({ ...planned, state: "made", left: "v2" });
      expect(await changes.find("un_2")).toBeUndefined();
    });

    it("name the change that they undid", async () => {
      const changes = open();
      await changes.plan(plan, hour);
      const { replaces: _replaces, ...kept } = plan;
      const opposite = { ...kept, undoId: "un_2", callId: "undo_1", undoes: "un_1" };
      await changes.plan({ ...opposite, replaces: "v2" }, hour);
      await changes.plan({ ...plan, undoId: "un_3", undoes: "un_2" }, hour);
      expect(await changes.undoing("un_1")).toMatchObject([{ ...opposite, state: "planned" }]);
      await changes.drop("un_2");
      expect(await changes.undoing("un_1")).toEqual([]);
    });

    it("count the copies of each caller and never evict the user's version [undo.budget]", async () => {
      const changes = open();
      const make = async (number: number, replaces: string | undefined, fields = {}) => {
        const undoId = `un_${number}`;
        await changes.plan({ ...plan, undoId, replaces, ...fields }, hour + number);
        await changes.made(undoId, `v${number}`, replaces === undefined ? undefined : 100);
      };
      await make(1, "the user's");
      await make(2, "v1");
      await make(3, "v2");
      await make(4, "also the user's", { key: "notes/b.md" });
      await make(5, "v3", { undoes: "un_2" });
      await make(6, "v5");
      await make(7, "v3", { principal: "bob" });
      const evictable = ["un_2", "un_3", "un_5"].map((undoId) => ({ undoId, key: plan.key }));
      expect(await changes.kept("local")).toMatchObject({ bytes: 600, evictable });
      await changes.evicted("un_2");
      expect(await changes.kept("local")).toMatchObject({
        bytes: 500,
        evictable: evictable.slice(1),
      });
      expect(await changes.find("un_2")).toMatchObject({ isEvicted: true });
      expect((await changes.kept("bob")).bytes).toBe(100);
    });

    it("stay recorded after they are dropped, until their time ends", async () => {
      const changes = open();
      await changes.plan(plan, 0);
      await changes.drop("un_1");
      expect(await changes.find("un_1")).toBeUndefined();
      await changes.plan({ ...plan, undoId: "un_2" }, hour);
      expect((await changes.over(10)).map(({ undoId, key }) => [undoId, key])).toEqual([
        ["un_1", plan.key],
      ]);
      expect(await changes.known(["un_1", "un_2", "un_3"])).toEqual(new Set(["un_1", "un_2"]));
      await changes.forget("un_1");
      expect(await changes.over(10)).toEqual([]);
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
