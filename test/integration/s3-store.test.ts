import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { CopyObjectCommand, HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openS3ObjectStore } from "../../src/adapters/s3/object-store.ts";
import { Secret } from "../../src/core/shared/secret.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { hasS3, makeBucket, type TestBucket } from "../servers/s3-bucket.ts";

const mediaType = "text/plain";
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe.skipIf(!hasS3())("The object store on S3", () => {
  let bucket: TestBucket;
  let stores = 0;
  beforeAll(async () => {
    bucket = await makeBucket();
  });

  function open(other: Partial<Parameters<typeof openS3ObjectStore>[0]> = {}) {
    stores += 1;
    const prefix = `store-${stores}/`;
    const store = openS3ObjectStore({ ...bucket.settings, prefix, log: quietLog, ...other });
    onTestFinished(() => store.close());
    const at = (key: string) => ({ Bucket: bucket.settings.bucket, Key: prefix + key });
    return { store, prefix, at };
  }

  it("lists more than 1 000 keys, each once and in order", async () => {
    const { store, at } = open();
    const keys = Array.from({ length: 1_005 }, (_, number) => `k/${number}`);
    const waiting = [...keys];
    const worker = async (): Promise<void> => {
      for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
        await bucket.client.send(new PutObjectCommand({ ...at(key), Body: bytes(key) }));
      }
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    const first = await store.list({ prefix: "k/", limit: 1_000 });
    expect(first.objects).toHaveLength(1_000);
    const rest = await store.list({ prefix: "k/", limit: 1_000, after: first.next! });
    expect(rest.next).toBeUndefined();
    expect([...first.objects, ...rest.objects].map(({ key }) => key)).toEqual(keys.toSorted());
  });

  it("writes 40 MB in parts and reads across their borders", async () => {
    const { store } = open();
    const body = randomBytes(40_000_003);
    const facts = await store.put("big", body, { mediaType });
    expect(facts).toMatchObject({ key: "big", bytes: 40_000_003, mediaType });
    expect(body.equals((await store.get("big"))?.body ?? new Uint8Array())).toBe(true);
    const range = await store.get("big", { offset: 8_388_600, length: 100 });
    expect(body.subarray(8_388_600, 8_388_700).equals(range!.body)).toBe(true);
    const copy = await store.copy("big", "copy", { when: { kind: "unchanged", etag: facts.etag } });
    expect(body.equals((await store.get("copy"))?.body ?? new Uint8Array())).toBe(true);
    expect(copy.etag).not.toBe(facts.etag);
  });

  it("checks a condition for a body in parts too", async () => {
    const { store } = open();
    const body = randomBytes(17_000_000);
    const when = { kind: "absent" } as const;
    const first = await store.put("big", body, { mediaType, when });
    const again = store.put("big", body, { mediaType, when });
    await expect(again).rejects.toMatchObject({ kind: "conflict", sideEffects: "none" });
    const unchanged = { kind: "unchanged", etag: first.etag } as const;
    const second = await store.put("big", body, { mediaType, when: unchanged });
    expect(second.etag).not.toBe(first.etag);
    const stale = store.put("big", body, { mediaType, when: unchanged });
    await expect(stale).rejects.toMatchObject({ kind: "conflict" });
  });

  it("rejects the old etag after the same bytes were written again", async () => {
    // S3's own ETag is a digest of the bytes: equal for both.
    const { store } = open();
    const first = await store.put("a", bytes("same"), { mediaType });
    await store.put("a", bytes("same"), { mediaType });
    const when = { kind: "unchanged", etag: first.etag } as const;
    await expect(store.put("a", bytes("x"), { mediaType, when })).rejects.toMatchObject({
      kind: "conflict",
    });
    await expect(store.remove("a", { when })).rejects.toMatchObject({ kind: "conflict" });
    await expect(store.copy("a", "b", { when })).rejects.toMatchObject({ kind: "conflict" });
  });

  it("reads, replaces and removes objects of other programs", async () => {
    const { store, at } = open();
    const write = (text: string) =>
      bucket.client.send(new PutObjectCommand({ ...at("theirs"), Body: bytes(text) }));
    await write("theirs");
    const seen = await store.head("theirs");
    expect(seen).toMatchObject({ bytes: 6 });
    const when = { kind: "unchanged", etag: seen!.etag } as const;
    const ours = await store.put("theirs", bytes("ours"), { mediaType, when });
    await write("theirs again");
    await expect(
      store.remove("theirs", { when: { kind: "unchanged", etag: ours.etag } }),
    ).rejects.toMatchObject({ kind: "conflict" });
    const now = { kind: "unchanged", etag: (await store.head("theirs"))!.etag } as const;
    expect(await store.remove("theirs", { when: now })).toBe(true);
  });

  it("[store.digest] detects on a whole read that bytes differ from the written ones", async () => {
    const { store, at } = open();
    await store.put("a", bytes("the right bytes"), { mediaType });
    const { Metadata } = await bucket.client.send(new HeadObjectCommand(at("a")));
    const damage = { ...at("a"), Body: bytes("the wrong bytes"), Metadata };
    await bucket.client.send(new PutObjectCommand(damage));
    const whole = store.get("a");
    await expect(whole).rejects.toMatchObject({ kind: "unavailable" });
    await expect(whole).rejects.toThrow("returned different bytes than were written");
    await expect(store.get("a", { offset: 0, length: 50 })).rejects.toThrow("different bytes");
    // A part cannot be compared with the digest of the whole.
    expect((await store.get("a", { offset: 4, length: 5 }))?.body).toEqual(bytes("wrong"));
  });

  it("replaces an invalid media type by plain bytes", async () => {
    const { store } = open();
    const facts = await store.put("a", bytes("x"), { mediaType: "text/plain\r\nx-evil: 1" });
    expect(facts.mediaType).toBe("application/octet-stream");
  });

  it("copies from and to names with special characters", async () => {
    const { store } = open();
    await store.put("a b/ü?#%+&", bytes("x"), { mediaType });
    await store.copy("a b/ü?#%+&", "c d/é+?", {});
    expect((await store.get("c d/é+?"))?.body).toEqual(bytes("x"));
  });

  it("gives each copy an etag of its own", async () => {
    const { store } = open();
    await store.put("a", bytes("x"), { mediaType });
    const first = await store.copy("a", "b");
    const second = await store.copy("a", "b");
    expect(first.etag).not.toBe(second.etag);
    expect(await store.head("b")).toEqual(second);
  });

  it("says once in the log that this store deletes without conditions", async () => {
    const said: string[] = [];
    const { store } = open({ log: { ...quietLog, warn: (message) => said.push(message) } });
    for (const key of ["a", "b"]) {
      const { etag } = await store.put(key, bytes("x"), { mediaType });
      expect(await store.remove(key, { when: { kind: "unchanged", etag } })).toBe(true);
      expect(await store.head(key)).toBeUndefined();
    }
    // Ceph 16 has no conditional delete. A store that has one logs nothing.
    expect(said.filter((line) => line.includes("deletes without conditions")).length).toBe(
      said.length,
    );
    expect(said.length).toBeLessThanOrEqual(1);
  });

  describe("misconfigured", () => {
    it("names a rejected access key, and never shows it", async () => {
      const { store } = open({ secretAccessKey: new Secret("a-wrong-secret") });
      for (const work of [() => store.check(), () => store.get("a"), () => store.head("a")]) {
        const error: unknown = await work().catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ kind: "auth", sideEffects: "none", retryable: false });
        expect(error).toHaveProperty("hint", expect.stringContaining("S3_SECRET_ACCESS_KEY"));
        const logged = inspect(error, { depth: 9 });
        expect(logged).not.toContain("a-wrong-secret");
        expect(logged).not.toContain("Signature=");
      }
      const write = store.put("a", bytes("x"), { mediaType });
      await expect(write).rejects.toThrow("Nothing was changed.");
    });

    it("names a missing bucket", async () => {
      const { store } = open({ bucket: "countersign-is-not-there" });
      const missing = {
        kind: "not_configured",
        hint: expect.stringContaining("S3_BUCKET") as unknown,
      };
      await expect(store.check()).rejects.toMatchObject(missing);
      await expect(store.put("a", bytes("x"), { mediaType })).rejects.toMatchObject(missing);
      await expect(store.get("a")).rejects.toMatchObject(missing);
    });

    it("sees nothing outside of its prefix", async () => {
      const { store, prefix } = open();
      const { store: all } = open({ prefix: "" });
      await store.put("a", bytes("x"), { mediaType });
      expect((await all.head(`${prefix}a`))?.bytes).toBe(1);
      const to = { Bucket: bucket.settings.bucket, Key: "outside" };
      const CopySource = `${to.Bucket}/${prefix}a`;
      await bucket.client.send(new CopyObjectCommand({ ...to, CopySource }));
      const { objects } = await store.list({ prefix: "", limit: 10 });
      expect(objects.map(({ key }) => key)).toEqual(["a"]);
    });
  });
});
