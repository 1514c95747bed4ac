import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../src/adapters/libsql/driver/database.ts";
import { openObjectStore } from "../../src/adapters/libsql/files/object-store.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

const mediaType = "application/octet-stream";
const mebibyte = 1024 * 1024;

function openIn(directory: string) {
  const url = pathToFileURL(join(directory, "objects.db")).href;
  const store = openObjectStore({ url, log: quietLog });
  onTestFinished(() => store.close());
  return { url, store };
}

/** Reads the store's own tables, as another program that opens the file would see them. */
async function look(url: string, sql: string): Promise<unknown> {
  const migrations = new URL("../../drizzle/objects/", import.meta.url);
  const database = openDatabase({ url, migrations, log: quietLog });
  const { rows } = await database.read({ sql, args: [] });
  await database.close();
  return rows[0]?.["n"];
}

it("keeps no chunk of replaced, rejected, overwritten or removed objects", async () => {
  const { url, store } = openIn(temporaryDirectory());
  const body = new Uint8Array(mebibyte);
  const { etag } = await store.put("a", body, { mediaType });
  await store.put("a", body, { mediaType });
  await store.copy("a", "a");
  await store.copy("a", "b");
  await store.copy("a", "b");
  const stale = { mediaType, when: { kind: "unchanged", etag } } as const;
  await expect(store.put("a", body, stale)).rejects.toMatchObject({ kind: "conflict" });
  await expect(store.put("a", body, { mediaType, when: { kind: "absent" } })).rejects.toMatchObject(
    {
      kind: "conflict",
    },
  );
  const copied = store.copy("a", "b", { when: { kind: "unchanged", etag } });
  await expect(copied).rejects.toMatchObject({ kind: "conflict" });
  // Two objects of four pieces each.
  expect(await look(url, "SELECT count(*) AS n FROM chunks")).toBe(8);
  await store.remove("a");
  await store.remove("b");
  expect(await look(url, "SELECT count(*) AS n FROM chunks")).toBe(0);
});

// Two of these did not fit on a page of 4 096 bytes, so almost half of the file was empty.
it("leaves little of its pages empty", async () => {
  const directory = temporaryDirectory();
  const { store } = openIn(directory);
  const bodies = Array.from({ length: 300 }, () => randomBytes(2_100));
  await Promise.all(bodies.map((body, at) => store.put(`mail/${at}`, body, { mediaType })));
  await store.close();
  const bytes = bodies.reduce((sum, { length }) => sum + length, 0);
  expect(statSync(join(directory, "objects.db")).size / bytes).toBeLessThan(1.6);
});

it("compresses content that becomes smaller, and reads it by ranges and from copies", async () => {
  const { url, store } = openIn(temporaryDirectory());
  const line = Buffer.from("Received: from mail.example by mx.example with ESMTPS id 42\r\n");
  const text = Buffer.concat(Array.from({ length: 20_000 }, () => line));
  // A picture in the middle: its chunks are stored as they are, and those around it are packed.
  const mixed = Buffer.concat([text, randomBytes(2 * mebibyte), text]);
  await store.put("text", text, { mediaType });
  // The stored text was as large as the original, so the readable texts of mail doubled its bytes.
  const bytes = `SELECT sum(length(chunks.bytes)) AS n FROM objects JOIN chunks ON chunk_id >> 16 = body_id WHERE key = `;
  expect(await look(url, `${bytes}'text'`)).toBeLessThan(text.byteLength / 10);
  await store.put("mixed", mixed, { mediaType });
  const stored = Number(await look(url, `${bytes}'mixed'`));
  expect(stored).toBeGreaterThan(2 * mebibyte);
  expect(stored).toBeLessThan(mixed.byteLength - text.byteLength);
  await store.copy("mixed", "copy");
  for (const key of ["mixed", "copy"]) {
    const whole = await store.get(key);
    expect(Buffer.compare(whole?.body ?? new Uint8Array(0), mixed)).toBe(0);
    expect(whole?.facts.bytes).toBe(mixed.byteLength);
    for (const [offset, length] of [
      [0, 10],
      [256 * 1024 - 5, 10],
      [text.byteLength - 3, 300_000],
      [mixed.byteLength - 7, 100],
    ] as const) {
      const part = await store.get(key, { offset, length });
      expect(Buffer.compare(part!.body, mixed.subarray(offset, offset + length))).toBe(0);
    }
  }
});

it("survives the process, readable for its user alone", async () => {
  const directory = temporaryDirectory();
  const first = openIn(directory);
  const facts = await first.store.put("a", new Uint8Array([1, 2]), { mediaType });
  await first.store.close();
  expect(statSync(join(directory, "objects.db")).mode & 0o777).toBe(0o600);
  const second = openIn(directory);
  expect(await second.store.head("a")).toEqual(facts);
});
