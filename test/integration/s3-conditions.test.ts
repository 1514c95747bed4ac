import { describe, expect, it, onTestFinished } from "vitest";
import { openS3ObjectStore } from "../../src/adapters/s3/object-store.ts";
import { Secret } from "../../src/core/shared/secret.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { startConditionalS3 } from "../servers/conditional-s3.ts";

const mediaType = "text/plain";
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function open(options?: Parameters<typeof startConditionalS3>[0]) {
  const server = await startConditionalS3(options);
  const warnings: string[] = [];
  const store = openS3ObjectStore({
    bucket: "b",
    endpoint: server.url,
    region: "us-east-1",
    accessKeyId: "id",
    secretAccessKey: new Secret("secret"),
    forcePathStyle: true,
    prefix: "",
    log: { ...quietLog, warn: (message) => warnings.push(message) },
  });
  onTestFinished(async () => {
    await store.close();
    await server.close();
  });
  const put = async (key: string, text: string) => {
    const { etag } = await store.put(key, bytes(text), { mediaType });
    return { kind: "unchanged", etag } as const;
  };
  const deletes = () => server.requests.filter((line) => line.startsWith("DELETE"));
  return { store, server, put, deletes, warnings };
}

describe("A store with every condition that Amazon documents", () => {
  it("[store.conditional-delete] is probed once for conditional deletes, and then deletes with them", async () => {
    const { store, server, put, deletes, warnings } = await open();
    expect(await store.remove("a", { when: await put("a", "1") })).toBe(true);
    expect(await store.remove("b", { when: await put("b", "2") })).toBe(true);
    expect(deletes()).toEqual([
      expect.stringContaining("countersign-asks"),
      'DELETE a "c4ca4238a0b923820dcc509a6f75849b"',
      'DELETE b "c81e728d9d4c2f636f067f89cc14862c"',
    ]);
    expect(server.objects.size).toBe(0);
    expect(warnings).toEqual([]);
  });

  it("keeps a write by another program between check and delete", async () => {
    let replaces = false;
    const { store, server, put } = await open({
      beforeDelete: (objects) => {
        const old = objects.get("a");
        if (replaces && old) objects.set("a", { ...old, body: Buffer.from("new"), etag: '"new"' });
      },
    });
    expect(await store.remove("b", { when: await put("b", "x") })).toBe(true);
    const when = await put("a", "old");
    replaces = true;
    await expect(store.remove("a", { when })).rejects.toMatchObject({ kind: "conflict" });
    expect(server.objects.get("a")?.body.toString()).toBe("new");
  });

  it("does not report the deletion by another program as its own", async () => {
    let deletes = false;
    const { store, put } = await open({
      beforeDelete: (objects) => void (deletes && objects.clear()),
    });
    expect(await store.remove("b", { when: await put("b", "x") })).toBe(true);
    const when = await put("a", "old");
    deletes = true;
    expect(await store.remove("a", { when })).toBe(false);
  });

  it("receives quoted ETags, in writes and in copies", async () => {
    const { store, server, put } = await open();
    const when = await put("a", "1");
    await store.copy("a", "undo/a", { when });
    await store.put("a", bytes("2"), { mediaType, when });
    expect(server.requests.filter((line) => line.startsWith("PUT"))).toEqual([
      "PUT a",
      "PUT undo/a",
      'PUT a "c4ca4238a0b923820dcc509a6f75849b"',
    ]);
    await expect(store.put("a", bytes("3"), { mediaType, when })).rejects.toMatchObject({
      kind: "conflict",
    });
    await expect(store.copy("a", "b", { when })).rejects.toMatchObject({ kind: "conflict" });
    await expect(store.put("none", bytes("3"), { mediaType, when })).rejects.toMatchObject({
      kind: "conflict",
    });
  });

  it("may reject conditions: then the object is checked and deleted, and the log says so", async () => {
    const { store, server, put, warnings } = await open({ answersDelete: 501 });
    expect(await store.remove("a", { when: await put("a", "1") })).toBe(true);
    expect(await store.remove("b", { when: await put("b", "2") })).toBe(true);
    expect(server.objects.size).toBe(0);
    expect(warnings).toEqual([expect.stringContaining("deletes without conditions")]);
  });
});
