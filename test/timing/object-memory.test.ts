import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { openObjectStore } from "../../src/adapters/libsql/files/object-store.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

const mediaType = "application/octet-stream";
const mebibyte = 1024 * 1024;

it("stores an object of 25 MiB without many copies in memory", async () => {
  const url = pathToFileURL(join(temporaryDirectory(), "objects.db")).href;
  const store = openObjectStore({ url, log: quietLog });
  onTestFinished(() => store.close());
  const body = new Uint8Array(25 * mebibyte);
  for (let at = 0; at < body.length; at += 4_096) body[at] = at >> 12;
  await store.put("warm", body.subarray(0, mebibyte), { mediaType });
  const before = process.memoryUsage().rss;
  await store.put("large", body, { mediaType });
  const read = await store.get("large");
  expect(Buffer.compare(read?.body ?? new Uint8Array(0), body)).toBe(0);
  const range = await store.get("large", { offset: 20 * mebibyte, length: 10 });
  expect(range?.body).toEqual(body.slice(20 * mebibyte, 20 * mebibyte + 10));
  // One copy for writing, one for reading, the content itself, and as much again for the engine.
  expect(process.memoryUsage().rss - before).toBeLessThan(125 * mebibyte);
});
