import { expect, it } from "vitest";
import { createFiles } from "../../src/stores/files.ts";
import { createFileTarget } from "../../src/stores/undo-target.ts";
import { createUndo } from "../../src/stores/undo.ts";
import { createFakeAuditRecord } from "../fakes/audit-record.ts";
import { createFakeFileChanges } from "../fakes/file-changes.ts";
import { createFakeObjects } from "../fakes/objects.ts";
import { quietLog } from "../fakes/quiet-log.ts";

/** Counts the reads of an object store, and lists the ids of the changes that were planned. */
function counted(store: ReturnType<typeof createFakeObjects>) {
  const count = { reads: 0 };
  const objects: typeof store = {
    ...store,
    get: (...given) => {
      count.reads += 1;
      return store.get(...given);
    },
  };
  const fake = createFakeFileChanges(() => new Date());
  const planned: string[] = [];
  const changes: typeof fake = {
    ...fake,
    plan: (change, space) => {
      planned.push(change.undoId);
      return fake.plan(change, space);
    },
  };
  return { count, objects, changes, planned };
}

// Each look at a list of changes read the kept versions of all of them, which may have hundreds of MB.
it("an offer to undo a file reads none of its bytes", async () => {
  const { count, objects, changes, planned } = counted(createFakeObjects(() => new Date()));
  const files = createFiles(objects, { changes, undoHours: 24, log: quietLog });
  const by = { principal: "local", callId: "call_1" };
  const options = { mediaType: "text/plain", by };
  const { facts } = await files.write("a.txt", Buffer.from("1"), {
    ...options,
    replaces: undefined,
  });
  await files.write("a.txt", Buffer.from("22"), { ...options, replaces: facts.etag });
  const undo = createUndo({
    objects,
    files: createFileTarget(files),
    changes,
    audit: createFakeAuditRecord(),
  });
  const { lines } = await undo.offer(planned.at(-1) ?? "");
  expect(lines.map(({ value }) => value)).toContain("1 byte, text/plain");
  expect(count.reads).toBe(0);
});

// An undo read the whole copy, of up to 512 MB, into memory.
it("an undo of a file over 64 MB is refused before its bytes are read", async () => {
  const store = createFakeObjects(() => new Date());
  const { count, objects, changes, planned } = counted({
    ...store,
    head: async (key) => {
      const facts = await store.head(key);
      return facts && { ...facts, bytes: 65_000_000 };
    },
  });
  const files = createFiles(objects, { changes, undoHours: 24, log: quietLog });
  const { etag } = await store.put("files/a.bin", Buffer.from("1"), { mediaType: "image/png" });
  const by = { principal: "local", callId: "call_1", isDecided: true };
  await files.remove("a.bin", { ifMatch: etag, by });
  const undo = createUndo({
    objects,
    files: createFileTarget(files),
    changes,
    audit: createFakeAuditRecord(),
  });
  const [undoId = ""] = planned;
  const refusal = {
    kind: "too_large",
    message: "a.bin had 65.0 MB. Undo restores files of up to 64.0 MB. Nothing was undone.",
    hint: expect.stringContaining(`keeps the copy undo/${undoId}/a.bin until `) as string,
  };
  await expect(undo.offer(undoId)).rejects.toMatchObject(refusal);
  const given = { by: "alice", channel: "page", version: "" } as const;
  await expect(undo.undo(undoId, given)).rejects.toMatchObject(refusal);
  expect(count.reads).toBe(0);
});
