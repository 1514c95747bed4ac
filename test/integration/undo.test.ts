import { beforeEach, describe, expect, it } from "vitest";
import { ToolError } from "../../src/core/tool/tool-error.ts";
import type { ChangeMaker, FileChanges } from "../../src/ports/files/file-changes.ts";
import type { Files } from "../../src/ports/files/files.ts";
import type { ObjectStore } from "../../src/ports/files/objects.ts";
import type { Undo } from "../../src/ports/files/recent-changes.ts";
import { createEventCopies } from "../../src/stores/event-copies.ts";
import { createFiles } from "../../src/stores/files.ts";
import { createFileTarget } from "../../src/stores/undo-target.ts";
import { createUndo } from "../../src/stores/undo.ts";
import { removeExpired, removeStrays } from "../../src/stores/undo-copies.ts";
import { createFakeAuditRecord } from "../fakes/audit-record.ts";
import { createFakeFileChanges } from "../fakes/file-changes.ts";
import { createFakeObjects } from "../fakes/objects.ts";
import { quietLog } from "../fakes/quiet-log.ts";

const undoHours = 24;
const alice = { by: "alice", channel: "page" as const };
const by = { principal: "local", callId: "call_1" };

let now: Date;
/** Whether what was made is not confirmed. */
let forgetful: boolean;
/** The store's response to the next write. */
let failing: Error | undefined;
let objects: ObjectStore;
let changes: FileChanges & { planned: string[] };
let files: Files;
let audit: ReturnType<typeof createFakeAuditRecord>;
let undo: Undo;

beforeEach(() => {
  now = new Date("2026-03-01T12:00:00Z");
  failing = undefined;
  forgetful = false;
  const store = createFakeObjects(() => now);
  objects = {
    ...store,
    put: (...given) => (failing === undefined ? store.put(...given) : Promise.reject(failing)),
  };
  const fake = createFakeFileChanges(() => now);
  const planned: string[] = [];
  changes = {
    ...fake,
    planned,
    confirm: (...given) => (forgetful ? Promise.reject(new Error("gone")) : fake.confirm(...given)),
    plan: (change, space) => {
      planned.push(change.undoId);
      return fake.plan(change, space);
    },
  };
  files = createFiles(objects, { changes, undoHours, log: quietLog });
  audit = createFakeAuditRecord();
  undo = createUndo({ objects, files: createFileTarget(files), changes, audit });
});

/** Looks at the change and undoes it, as a person does. */
async function restore(undoId: string): Promise<{ sentence: string }> {
  const { version } = await undo.offer(undoId);
  return await undo.undo(undoId, { ...alice, version });
}

/** Writes, and gives the id that undoes it. */
async function write(text: string): Promise<string> {
  const replaces = (await files.stat("a.txt"))?.etag;
  await files.write("a.txt", Buffer.from(text), { mediaType: "text/plain", replaces, by });
  return newest();
}

async function remove(): Promise<string> {
  const ifMatch = (await files.stat("a.txt"))?.etag ?? "";
  await files.remove("a.txt", { ifMatch, by });
  return newest();
}

const newest = (): string => changes.planned.at(-1) ?? "";

async function text(): Promise<string | undefined> {
  const read = await objects.get("files/a.txt");
  return read && Buffer.from(read.body).toString();
}

async function copies(): Promise<number> {
  return (await objects.list({ prefix: "undo/", limit: 100 })).objects.length;
}

describe("undoing", () => {
  it("restores a replaced file, and can itself be undone [undo.restores]", async () => {
    await write("old");
    const undoId = await write("new");
    expect(await restore(undoId)).toEqual({ sentence: "restored a.txt" });
    expect(await text()).toBe("old");
    expect((await objects.head("files/a.txt"))?.mediaType).toBe("text/plain");
    await restore(newest());
    expect(await text()).toBe("new");
  });

  it("restores a deleted file [undo.restores]", async () => {
    await write("old");
    await restore(await remove());
    expect(await text()).toBe("old");
  });

  it("removes a new file, and keeps its copy [undo.restores]", async () => {
    await restore(await write("new"));
    expect(await text()).toBeUndefined();
    await restore(newest());
    expect(await text()).toBe("new");
  });

  it("happens once [undo.once]", async () => {
    await write("old");
    const undoId = await write("new");
    const both = await Promise.allSettled([restore(undoId), restore(undoId)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await expect(restore(undoId)).rejects.toMatchObject({
      kind: "conflict",
      message: "That change of a.txt is already undone. Nothing was done.",
    });
    expect(await text()).toBe("old");
  });

  it("restores any kept version, whatever was written or restored later [undo.restores]", async () => {
    await write("A");
    const first = await write("X1");
    const second = await write("X2");
    await restore(second);
    expect(await text()).toBe("X1");
    await restore(first);
    expect(await text()).toBe("A");
    await restore(newest());
    expect(await text()).toBe("X1");
    const deleted = await remove();
    await restore(first);
    expect(await text()).toBe("A");
    await restore(deleted);
    expect(await text()).toBe("X1");
  });

  it("replaces only the version that was shown [undo.nothing-newer]", async () => {
    const created = await write("1");
    const replaced = await write("2");
    expect(await undo.offer(replaced)).toMatchObject({ isNewest: true });
    const shown = await undo.offer(created);
    expect(shown.isNewest).toBe(false);
    await write("2");
    for (const undoId of [created, replaced]) {
      await expect(undo.undo(undoId, { ...alice, version: shown.version })).rejects.toMatchObject({
        kind: "conflict",
        message: "a.txt was changed again since it was shown. Nothing was undone.",
      });
    }
    const deleted = await remove();
    const absent = await undo.offer(deleted);
    await write("3");
    await expect(undo.undo(deleted, { ...alice, version: absent.version })).rejects.toMatchObject({
      kind: "conflict",
    });
    expect(await text()).toBe("3");
  });

  it("is recorded with its person, even after a failure [undo.audited]", async () => {
    await write("old");
    const undoId = await write("new");
    await restore(undoId);
    await write("newer");
    await expect(restore(newest().replace(/.$/, "!"))).rejects.toThrow("does not exist");
    expect(audit.events).toMatchObject([
      {
        type: "started",
        tool: "undo",
        principal: "local",
        client: "page",
        outcome: "undo (page, alice)",
      },
      { type: "finished", sentence: "restored a.txt", outcome: "ok (page, alice)" },
    ]);
  });

  it("is shown beforehand with a fingerprint of its own, and the resulting version", async () => {
    await write("old");
    const undoId = await write("newer");
    const offer = await undo.offer(undoId);
    expect(offer).toMatchObject({
      sentence: "restore the earlier version of a.txt",
      principal: "local",
      lines: [
        { label: "file", value: "a.txt" },
        { label: "before" },
        { label: "after", value: "3 bytes, text/plain" },
      ],
    });
    expect(offer.fingerprint).toMatch(/^[A-Z2-7]{4}-[A-Z2-7]{4}$/);
    const other = await undo.offer(await write("other"));
    expect(other.fingerprint).not.toBe(offer.fingerprint);
  });
});

describe("an unconfirmed change", () => {
  it("is recognised by the bytes that it wrote [undo.durable]", async () => {
    await write("old");
    forgetful = true;
    const undoId = await write("new");
    forgetful = false;
    await restore(undoId);
    expect(await text()).toBe("old");
    await expect(restore(undoId)).rejects.toThrow("already undone");
  });

  it("is not undone if the server stopped before it, and its copy is removed in time [undo.durable]", async () => {
    await write("old");
    failing = new Error("killed");
    await expect(write("new")).rejects.toThrow("killed");
    failing = undefined;
    expect(await copies()).toBe(1);
    expect(await undo.offer(newest())).toMatchObject({ isNewest: false });
    expect(await text()).toBe("old");
    now = new Date(now.getTime() + undoHours * 3_600_000);
    await removeExpired({ objects, changes });
    expect(await copies()).toBe(0);
  });

  it("did not happen if the store rejected it", async () => {
    await write("old");
    const refusal = new ToolError("conflict", "No.");
    failing = refusal;
    await expect(write("new")).rejects.toMatchObject({ kind: "conflict", cause: refusal });
    failing = undefined;
    await expect(undo.offer(newest())).rejects.toMatchObject({ kind: "not_found" });
  });
});

describe("undo copies", () => {
  const megabyte = 1_048_576;

  it("stay within a limit per caller, and include the user's version [undo.budget]", async () => {
    await write("the user's own");
    for (const change of changes.planned.splice(0)) await changes.forget(change);
    for (let number = 1; number <= 60; number += 1)
      await write(String(number % 10).repeat(megabyte));
    expect(await copies()).toBeLessThanOrEqual(33);
    const [first = "", second = ""] = changes.planned;
    await expect(undo.offer(second)).rejects.toMatchObject({ kind: "not_found" });
    await restore(first);
    expect(await text()).toBe("the user's own");
  });

  it("report when the user's own versions fill the limit [undo.budget]", async () => {
    const mine = async (number: number, maker: ChangeMaker = by) => {
      const key = `${number}.bin`;
      const body = new Uint8Array(megabyte);
      const { etag } = await objects.put(`files/${key}`, body, { mediaType: "text/plain" });
      await files.write(key, Buffer.of(1), { mediaType: "text/plain", replaces: etag, by: maker });
    };
    for (let number = 1; number <= 31; number += 1) await mine(number);
    expect(await files.keepsMore("local", megabyte)).toBe(true);
    await mine(32);
    expect(await files.keepsMore("local", 1)).toBe(false);
    expect(await files.keepsMore("bob", megabyte)).toBe(true);
    await expect(mine(33)).rejects.toMatchObject({
      kind: "conflict",
      message: "The space for undo copies was used up by another change. Nothing was changed.",
    });
    expect(Buffer.from((await objects.get("files/33.bin"))?.body ?? []).length).toBe(megabyte);
    expect(await copies()).toBe(32);
    await mine(33, { ...by, isDecided: true });
    expect(await copies()).toBe(33);
  });

  it("of sixty replacements at the same moment stay within the limit [undo.budget]", async () => {
    const body = new Uint8Array(megabyte);
    const given = await Promise.all(
      Array.from({ length: 60 }, async (_, number) => {
        const key = `${number}.bin`;
        const { etag } = await objects.put(`files/${key}`, body, { mediaType: "text/plain" });
        return { key, etag };
      }),
    );
    const replaced = await Promise.allSettled(
      given.map(({ key, etag }) =>
        files.write(key, Buffer.of(1), { mediaType: "text/plain", replaces: etag, by }),
      ),
    );
    expect(replaced.filter(({ status }) => status === "fulfilled")).toHaveLength(32);
    expect(await copies()).toBe(32);
  });

  it("of failed changes are removed immediately [undo.budget]", async () => {
    await write("the user's own");
    for (let number = 0; number < 40; number += 1) {
      failing = new ToolError("conflict", "No.");
      await expect(write("x")).rejects.toMatchObject({ kind: "conflict", cause: failing });
    }
    failing = undefined;
    expect(await copies()).toBe(0);
    expect(await changes.copiesOf("local", undoHours * 3_600_000)).toMatchObject({ bytes: 0 });
  });

  it("of events count in the same budget as those of files [undo.budget]", async () => {
    const settings = { objects, changes, undoHours, log: quietLog };
    const events = createEventCopies(settings);
    const change = (number: number, fields = {}) =>
      events.changing({
        before: { name: `${number}.ics`, etag: `"${number}"`, text: "x".repeat(megabyte) },
        after: undefined,
        by: { ...by, ...fields },
        make: () => Promise.resolve(),
        etagAfter: () => Promise.resolve(undefined),
      });
    const made = await Promise.allSettled(
      Array.from({ length: 40 }, (_, number) => change(number)),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(32);
    expect(await events.hasRoom("local", 1)).toBe(false);
    expect(await files.keepsMore("local", 1)).toBe(false);
    await expect(change(41)).rejects.toMatchObject({ kind: "conflict" });
    await change(41, { isDecided: true });
    expect(await copies()).toBe(33);
  });

  it("expire after their time [undo.expires]", async () => {
    await write("1");
    const early = await write("2");
    now = new Date(now.getTime() + 3_600_000);
    const late = await write("3");
    now = new Date(now.getTime() + (undoHours - 1) * 3_600_000);
    await expect(restore(early)).rejects.toMatchObject({
      kind: "not_found",
      message: `The copy for ${early} was kept until 2026-03-02T12:00:00.000Z. Nothing was undone.`,
    });
    expect(await copies()).toBe(1);
    // The change of the file's beginning, which has no copy, and the early one.
    expect(await removeExpired({ objects, changes })).toBe(2);
    await expect(restore(early)).rejects.toThrow("does not exist");
    await restore(late);
    expect(await text()).toBe("2");
  });

  it("are removed if they are old and have no record [undo.expires]", async () => {
    await write("1");
    await write("2");
    await objects.put("undo/un_stray/b.txt", Buffer.of(1), { mediaType: "text/plain" });
    const before = now;
    await removeStrays({ objects, changes }, { olderThan: before, log: quietLog });
    expect(await copies()).toBe(2);
    now = new Date(now.getTime() + 1);
    await removeStrays({ objects, changes }, { olderThan: now, log: quietLog });
    expect(await copies()).toBe(1);
  });
});
