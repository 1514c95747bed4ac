import { beforeEach, describe, expect, it } from "vitest";
import type { Files } from "../../src/ports/files/files.ts";
import type { ObjectStore } from "../../src/ports/files/objects.ts";
import { createFiles } from "../../src/stores/files.ts";
import { createFakeFileChanges } from "../fakes/file-changes.ts";
import { createFakeObjects } from "../fakes/objects.ts";
import { quietLog } from "../fakes/quiet-log.ts";

const now = new Date("2026-03-01T12:00:00Z");
const undoHours = 24;
const by = { principal: "local", callId: "call_1" };
const whole = { offset: 0, length: 1_000 };

let objects: ObjectStore;
let files: Files;

beforeEach(() => {
  objects = createFakeObjects(() => now);
  files = createFiles(objects, {
    changes: createFakeFileChanges(() => now),
    undoHours,
    log: quietLog,
  });
});

async function write(key: string, text: string, replaces?: string) {
  return await files.write(key, Buffer.from(text), { mediaType: "text/plain", replaces, by });
}

async function allKeys(): Promise<string[]> {
  return (await objects.list({ prefix: "", limit: 1_000 })).objects.map(({ key }) => key);
}

/** Returns the texts of the copies under `undo/`. */
async function kept(): Promise<string[]> {
  const keys = (await allKeys()).filter((key) => key.startsWith("undo/"));
  const reads = await Promise.all(keys.map((key) => objects.get(key)));
  return reads.map((read) => Buffer.from(read!.body).toString());
}

describe("the user's files", () => {
  it("are stored only under files/ [files.layout]", async () => {
    await write("notes/plan.md", "1");
    expect(await allKeys()).toEqual(["files/notes/plan.md"]);
  });

  it("are read back with their facts, under their own key", async () => {
    const { facts, created, undoUntil } = await write("a.txt", "hello");
    expect({ created, undoUntil }).toEqual({ created: true, undoUntil: undefined });
    expect(facts).toMatchObject({ key: "a.txt", bytes: 5, mediaType: "text/plain" });
    expect(await files.stat("a.txt")).toEqual(facts);
    const read = await files.read("a.txt", { offset: 1, length: 3 });
    expect({ facts: read.facts, text: Buffer.from(read.body).toString() }).toEqual({
      facts,
      text: "ell",
    });
  });

  it("are not found if they are absent, with a note of what was not done", async () => {
    expect(await files.stat("a.txt")).toBeUndefined();
    await expect(files.read("a.txt", whole)).rejects.toMatchObject({
      kind: "not_found",
      message: "The file a.txt does not exist. Nothing was read.",
    });
  });

  it("are listed by prefix and page, without other objects of the store [files.layout]", async () => {
    await objects.put("mail/raw/1", Buffer.of(1), { mediaType: "message/rfc822" });
    await objects.put("undo/un_1/a", Buffer.of(1), { mediaType: "text/plain" });
    for (const key of ["a", "b/1", "b/2", "c"]) await write(key, key);
    const first = await files.list({ prefix: "", limit: 3 });
    expect(first.objects.map(({ key }) => key)).toEqual(["a", "b/1", "b/2"]);
    const rest = await files.list({ prefix: "", limit: 3, after: first.next! });
    expect({ keys: rest.objects.map(({ key }) => key), next: rest.next }).toEqual({
      keys: ["c"],
      next: undefined,
    });
    const below = await files.list({ prefix: "b/", limit: 10 });
    expect(below.objects.map(({ key }) => key)).toEqual(["b/1", "b/2"]);
  });
});

describe("replacing a file", () => {
  it("first copies the old one, and returns the end of undo [files.undo]", async () => {
    const { facts } = await write("a.txt", "old");
    const replaced = await write("a.txt", "new", facts.etag);
    expect(replaced.created).toBe(false);
    expect(replaced.undoUntil).toEqual(new Date("2026-03-02T12:00:00Z"));
    expect(await kept()).toEqual(["old"]);
  });

  it("is a conflict if the file has changed since, and writes nothing [files.conditional]", async () => {
    const { facts } = await write("a.txt", "1");
    await write("a.txt", "2", facts.etag);
    await expect(write("a.txt", "3", facts.etag)).rejects.toMatchObject({
      kind: "conflict",
      message: "The file a.txt has changed since it was read. Nothing was done.",
    });
    expect(Buffer.from((await files.read("a.txt", whole)).body).toString()).toBe("2");
  });

  it("is a conflict if the key must be free but is not [files.conditional]", async () => {
    await write("a.txt", "1");
    await expect(write("a.txt", "2")).rejects.toMatchObject({
      kind: "conflict",
      message: "The file a.txt already exists. Nothing was done.",
    });
    expect(await kept()).toEqual([]);
  });

  it("lets one of two writers with the same version win [files.conditional]", async () => {
    const { facts } = await write("a.txt", "0");
    const results = await Promise.allSettled([
      write("a.txt", "1", facts.etag),
      write("a.txt", "2", facts.etag),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  it("requires a copy of the old one [files.undo]", async () => {
    const { facts } = await write("a.txt", "old");
    const full = { ...objects, copy: () => Promise.reject(new Error("full")) };
    const unwritable = createFiles(full, {
      changes: createFakeFileChanges(),
      undoHours,
      log: quietLog,
    });
    const options = { mediaType: "text/plain", replaces: facts.etag, by };
    await expect(unwritable.write("a.txt", Buffer.from("new"), options)).rejects.toThrow("full");
    await expect(unwritable.remove("a.txt", { ifMatch: facts.etag, by })).rejects.toThrow("full");
    expect(Buffer.from((await files.read("a.txt", whole)).body).toString()).toBe("old");
  });
});

describe("deleting a file", () => {
  it("first copies it, and returns the end of undo [files.undo]", async () => {
    const { facts } = await write("a.txt", "old");
    const { undoUntil } = await files.remove("a.txt", { ifMatch: facts.etag, by });
    expect(undoUntil).toEqual(new Date("2026-03-02T12:00:00Z"));
    expect(await files.stat("a.txt")).toBeUndefined();
    expect(await kept()).toEqual(["old"]);
  });

  // The store's message reached the person, and named an "object".
  it("is a conflict if it has changed since it was read [files.conditional]", async () => {
    const { facts } = await write("a.txt", "1");
    await write("a.txt", "2", facts.etag);
    await expect(files.remove("a.txt", { ifMatch: facts.etag, by })).rejects.toMatchObject({
      kind: "conflict",
      message: "The file a.txt has changed since it was read. Nothing was done.",
    });
    expect(await files.stat("a.txt")).toBeDefined();
  });

  it("keeps every version of a file that is repeatedly written and deleted [files.undo]", async () => {
    for (const text of ["1", "2"]) {
      const { facts } = await write("a.txt", text);
      await files.remove("a.txt", { ifMatch: facts.etag, by });
    }
    expect((await kept()).toSorted()).toEqual(["1", "2"]);
  });
});
