import { beforeEach, describe, expect, it } from "vitest";
import type { ObjectStore } from "../../src/ports/files/objects.ts";

const mediaType = "text/plain";
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (body: Uint8Array | undefined): string => new TextDecoder().decode(body);

/** 700 000 bytes in which every position differs from its neighbours. */
const large = Uint8Array.from({ length: 700_000 }, (_, at) => (at * 31 + (at >> 8)) & 0xff);

/**
 * Tests the requirements for every object store.
 * @param makeStore an empty store for each test
 */
export function objectStoreContract(name: string, makeStore: () => Promise<ObjectStore>): void {
  describe(`${name} as an object store`, () => {
    let store: ObjectStore;
    beforeEach(async () => {
      store = await makeStore();
    });

    const put = (key: string, body = "x") => store.put(key, bytes(body), { mediaType });
    const read = async (key: string) => text((await store.get(key))?.body);

    it("returns a stored object with its facts", async () => {
      const before = Date.now();
      const facts = await store.put("a/b.txt", bytes("hello"), { mediaType: "text/markdown" });
      expect(facts).toMatchObject({ key: "a/b.txt", bytes: 5, mediaType: "text/markdown" });
      // S3 counts in whole seconds.
      expect(facts.modifiedAt.getTime()).toBeGreaterThan(before - 2_000);
      expect(facts.modifiedAt.getTime()).toBeLessThan(Date.now() + 2_000);
      expect(await store.head("a/b.txt")).toEqual(facts);
      expect(await store.get("a/b.txt")).toEqual({ facts, body: bytes("hello") });
    });

    it("stores who wrote an object, and copies it", async () => {
      const origin = { writtenBy: "assistant", emailIds: ["em_one", "em_two"] } as const;
      const facts = await store.put("a", bytes("by a model"), { mediaType, origin });
      expect(facts.origin).toEqual(origin);
      expect(await store.head("a")).toEqual(facts);
      expect((await store.list({ prefix: "", limit: 10 })).objects).toEqual([facts]);
      expect((await store.copy("a", "b")).origin).toEqual(origin);
      expect((await store.get("b"))?.facts.origin).toEqual(origin);
      const replaced = await store.put("a", bytes("by a person"), { mediaType });
      expect(replaced.origin).toBeUndefined();
      expect((await store.head("a"))?.origin).toBeUndefined();
    });

    it("leaves the caller's bytes unchanged", async () => {
      const body = bytes("hello");
      await store.put("a", body, { mediaType });
      expect(text(body)).toBe("hello");
    });

    it("has no object under an unused key", async () => {
      expect(await store.head("a")).toBeUndefined();
      expect(await store.get("a")).toBeUndefined();
      expect(await store.remove("a")).toBe(false);
    });

    it("stores an empty object", async () => {
      const facts = await put("empty", "");
      expect(facts.bytes).toBe(0);
      expect((await store.get("empty"))?.body).toEqual(new Uint8Array(0));
    });

    it("replaces the whole object and changes its etag, also for the same bytes", async () => {
      const first = await store.put("a", large, { mediaType });
      const second = await put("a", "short");
      const third = await put("a", "short");
      expect(await read("a")).toBe("short");
      expect(new Set([first.etag, second.etag, third.etag]).size).toBe(3);
    });

    it.each([
      { offset: 0, length: 700_000 },
      { offset: 0, length: 10 },
      { offset: 5, length: 1 },
      { offset: 262_143, length: 2 },
      { offset: 262_144, length: 262_144 },
      { offset: 100, length: 600_000 },
      { offset: 699_999, length: 5 },
      { offset: 650_000, length: 12_000_000 },
    ])("reads the range from $offset of $length bytes", async ({ offset, length }) => {
      const facts = await store.put("large", large, { mediaType });
      const range = await store.get("large", { offset, length });
      expect(range?.facts).toEqual(facts);
      const expected = large.subarray(offset, offset + length);
      expect(Buffer.compare(range?.body ?? new Uint8Array(0), expected)).toBe(0);
    });

    it("returns no bytes for an empty range or one beyond the end", async () => {
      await put("a", "hello");
      expect((await store.get("a", { offset: 1, length: 0 }))?.body).toEqual(new Uint8Array(0));
      expect((await store.get("a", { offset: 5, length: 3 }))?.body).toEqual(new Uint8Array(0));
      expect((await store.get("a", { offset: 9 }))?.body).toEqual(new Uint8Array(0));
    });

    it("reads from an offset to the end", async () => {
      await put("a", "hello");
      expect(text((await store.get("a", { offset: 2 }))?.body)).toBe("llo");
    });

    it("creates only under a free key, and otherwise reports a conflict", async () => {
      const when = { kind: "absent" } as const;
      await store.put("a", bytes("first"), { mediaType, when });
      const second = store.put("a", bytes("second"), { mediaType, when });
      await expect(second).rejects.toMatchObject({ kind: "conflict", sideEffects: "none" });
      expect(await read("a")).toBe("first");
    });

    it("replaces only the named version", async () => {
      const first = await put("a", "first");
      const when = { kind: "unchanged", etag: first.etag } as const;
      const second = await store.put("a", bytes("second"), { mediaType, when });
      expect(second.etag).not.toBe(first.etag);
      const third = store.put("a", bytes("third"), { mediaType, when });
      await expect(third).rejects.toMatchObject({ kind: "conflict" });
      expect(await read("a")).toBe("second");
      const absent = store.put("b", bytes("third"), { mediaType, when });
      await expect(absent).rejects.toMatchObject({ kind: "conflict" });
      expect(await store.head("b")).toBeUndefined();
    });

    it("lets one of many concurrent writers win [files.conditional]", async () => {
      const { etag } = await put("taken");
      const race = async (key: string, when: Parameters<ObjectStore["put"]>[2]["when"]) => {
        const writers = Array.from({ length: 5 }, (_, at) =>
          store.put(key, bytes(`writer ${at}`), { mediaType, ...(when && { when }) }),
        );
        const results = await Promise.allSettled(writers);
        const winner = results.findIndex(({ status }) => status === "fulfilled");
        expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
        expect(await read(key)).toBe(`writer ${winner}`);
      };
      await race("free", { kind: "absent" });
      await race("taken", { kind: "unchanged", etag });
    });

    it("removes an object once", async () => {
      await put("a");
      await put("ab");
      expect(await store.remove("a")).toBe(true);
      expect(await store.remove("a")).toBe(false);
      expect(await store.get("a")).toBeUndefined();
      expect(await read("ab")).toBe("x");
    });

    it("removes only the named version", async () => {
      const first = await put("a", "first");
      const second = await put("a", "second");
      const stale = store.remove("a", { when: { kind: "unchanged", etag: first.etag } });
      await expect(stale).rejects.toMatchObject({ kind: "conflict" });
      expect(await read("a")).toBe("second");
      expect(await store.remove("a", { when: { kind: "unchanged", etag: second.etag } })).toBe(
        true,
      );
      expect(await store.head("a")).toBeUndefined();
    });

    it("copies bytes and media type over an existing object", async () => {
      const source = await store.put("from", large, { mediaType: "image/png" });
      const replaced = await put("to", "old");
      const copy = await store.copy("from", "to");
      expect(copy).toMatchObject({ key: "to", bytes: 700_000, mediaType: "image/png" });
      expect(copy.etag).not.toBe(replaced.etag);
      const read = await store.get("to");
      expect(Buffer.compare(read?.body ?? new Uint8Array(0), large)).toBe(0);
      expect(await store.head("from")).toEqual(source);
    });

    it("copies only the named version of an existing object", async () => {
      const first = await put("from", "first");
      const second = await put("from", "second");
      const stale = store.copy("from", "to", { when: { kind: "unchanged", etag: first.etag } });
      await expect(stale).rejects.toMatchObject({ kind: "conflict" });
      await expect(store.copy("nowhere", "to")).rejects.toMatchObject({ kind: "not_found" });
      expect(await store.head("to")).toBeUndefined();
      await store.copy("from", "to", { when: { kind: "unchanged", etag: second.etag } });
      expect(await read("to")).toBe("second");
    });

    it("lists in the order of UTF-8 bytes, unlike JavaScript's strings", async () => {
      const ordered = ["A", "B", "a", "a-b", "a/b", "ab", "é", "\u{FF5E}", "\u{1F600}"];
      for (const key of ordered.toReversed()) await put(key);
      const { objects, next } = await store.list({ prefix: "", limit: 100 });
      expect(objects.map(({ key }) => key)).toEqual(ordered);
      expect(next).toBeUndefined();
    });

    it("treats every character of a prefix literally", async () => {
      const keys = ["a%b", "a_b", "axb", "a*b", "a[b", "A_b", "a_", "a\u{10FFFF}b", "é1", "e1"];
      for (const key of keys) await put(key);
      const under = async (prefix: string) =>
        (await store.list({ prefix, limit: 100 })).objects.map(({ key }) => key);
      expect(await under("a_")).toEqual(["a_", "a_b"]);
      expect(await under("a%")).toEqual(["a%b"]);
      expect(await under("a*")).toEqual(["a*b"]);
      expect(await under("a[")).toEqual(["a[b"]);
      expect(await under("a\u{10FFFF}")).toEqual(["a\u{10FFFF}b"]);
      expect(await under("é")).toEqual(["é1"]);
      expect(await under("b")).toEqual([]);
    });

    it("lists page by page without gaps and repetitions", async () => {
      const keys = ["p/1", "p/2", "p/3", "p/4", "p/5"];
      for (const key of [...keys, "o", "p", "q/1"]) await put(key);
      const seen: string[] = [];
      let after: string | undefined;
      let pages = 0;
      do {
        const page = await store.list({ prefix: "p/", limit: 2, ...(after && { after }) });
        seen.push(...page.objects.map(({ key }) => key));
        after = page.next;
        pages += 1;
      } while (after !== undefined && pages < 10);
      expect(seen).toEqual(keys);
      expect(pages).toBe(3);
      const exact = await store.list({ prefix: "p/", limit: 5 });
      expect(exact.objects).toHaveLength(5);
      expect(exact.next).toBeUndefined();
    });

    it("lists the keys of mail, which end with a hash, among other keys", async () => {
      const hashes = ["0", "9", "a", "f"].map((digit) => `${digit}b`.padEnd(64, "7"));
      const keys = [
        ...["attachment", "raw", "text"].flatMap((kind) =>
          hashes.map((hash) => `mail/${kind}/${hash}`),
        ),
        "mail/raw/",
        "mail/raw/9c",
        "mail/raw/9c.b",
        `mail/raw/${hashes[1]}.b`,
        "mail/raw/A",
        `mail/raw/${hashes[1]}0`,
        "mail/rax",
        "mail/",
        "z",
        "mail/text/f~",
        "files/a",
      ].toSorted();
      for (const key of keys.toReversed()) await put(key, key);
      const points = [
        ...keys,
        ...keys.map((key) => key.slice(0, 12)),
        "",
        "mail/raw/9",
        "mail/raw/~",
      ];
      for (const prefix of new Set(points)) {
        const below = keys.filter((key) => key.startsWith(prefix));
        const all = await store.list({ prefix, limit: 100 });
        expect(
          all.objects.map(({ key }) => key),
          prefix,
        ).toEqual(below);
      }
      for (const after of new Set(points)) {
        const { objects, next } = await store.list({ prefix: "mail/", after, limit: 3 });
        const wanted = keys.filter((key) => key.startsWith("mail/") && key > after);
        expect(
          objects.map(({ key }) => key),
          after,
        ).toEqual(wanted.slice(0, 3));
        expect(next, after).toBe(wanted.length > 3 ? wanted[2] : undefined);
      }
      const [, key = ""] = keys.filter((one) => one.startsWith("mail/raw/"));
      const etag = (await store.head(key))?.etag ?? "";
      await store.copy(key, "mail/raw/copied", { when: { kind: "unchanged", etag } });
      expect(await read("mail/raw/copied")).toBe(key);
      expect(await store.remove(key, { when: { kind: "unchanged", etag } })).toBe(true);
      expect(await store.head(key)).toBeUndefined();
      await expect(
        store.put("z", bytes("new"), { mediaType, when: { kind: "unchanged", etag: "other" } }),
      ).rejects.toMatchObject({ kind: "conflict" });
    });

    it("lists after an absent key, with the facts that head returns", async () => {
      const facts = await put("b", "hello");
      await put("a");
      const { objects } = await store.list({ prefix: "", after: "aa", limit: 10 });
      expect(objects).toMatchObject([{ key: "b", bytes: facts.bytes, etag: facts.etag }]);
    });

    it("does nothing for a caller that cancelled", async () => {
      const signal = AbortSignal.abort();
      await put("kept");
      const written = store.put("a", bytes("x"), { mediaType, signal });
      await expect(written).rejects.toBeInstanceOf(Error);
      await expect(store.remove("kept", { signal })).rejects.toBeInstanceOf(Error);
      expect(await store.head("a")).toBeUndefined();
      expect(await read("kept")).toBe("x");
    });

    it("reports that it works", async () => {
      await expect(store.check()).resolves.toBeUndefined();
    });
  });
}
