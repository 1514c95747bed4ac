import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { openS3ObjectStore } from "../../src/adapters/s3/object-store.ts";
import { wholeObject } from "../../src/ingest/text/mail-text.ts";
import type { ObjectStore } from "../../src/ports/files/objects.ts";
import { Secret } from "../../src/core/shared/secret.ts";
import { quietLog } from "../fakes/quiet-log.ts";

type Store = Pick<ObjectStore, "list" | "get" | "put" | "copy" | "remove">;
const text = { mediaType: "text/plain" };

async function storeThat(answers: RequestListener) {
  const server = createServer(answers).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const store = openS3ObjectStore({
    bucket: "b",
    prefix: "root/",
    endpoint: `http://127.0.0.1:${port}`,
    region: "r",
    accessKeyId: "id",
    secretAccessKey: new Secret("secret"),
    forcePathStyle: true,
    log: quietLog,
  });
  onTestFinished(async () => {
    await store.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return store;
}

/** Starts a store that returns one page of keys for every request, and claims that there are more. */
async function storeThatLists(keys: readonly string[]) {
  const contents = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join("");
  const page = `<ListBucketResult><IsTruncated>true</IsTruncated>${contents}</ListBucketResult>`;
  let lists = 0;
  const store = await storeThat(({ method }, response) => {
    if (method === "GET") lists += 1;
    response.writeHead(200, { "content-type": "application/xml" });
    response.end(method === "GET" ? page : undefined);
  });
  return { store, lists: () => lists };
}

it("refuses a store that lists the same page again and again", async () => {
  const { store, lists } = await storeThatLists(["root/a", "root/b"]);
  const list = store.list({ prefix: "", limit: 1_000 });
  await expect(list).rejects.toMatchObject({ kind: "unavailable", sideEffects: "none" });
  expect(lists()).toBe(2);
});

it("rejects a page that does not continue after the requested position", async () => {
  const { store } = await storeThatLists(["root/a", "root/b"]);
  const { next } = await store.list({ prefix: "", limit: 2 });
  expect(next).toBe("b");
  const list = store.list({ prefix: "", limit: 2, after: "b" });
  await expect(list).rejects.toMatchObject({ kind: "unavailable" });
});

it("rejects keys outside of the prefix", async () => {
  const { store } = await storeThatLists(["elsewhere/a"]);
  const list = store.list({ prefix: "", limit: 10 });
  await expect(list).rejects.toMatchObject({ kind: "unavailable" });
});

it("reads at most the requested range of an answer", async () => {
  let sent = 0;
  const piece = Buffer.alloc(65_536);
  const store = await storeThat((_request, response) => {
    response.writeHead(206, { etag: '"e"', "content-range": "bytes 0-99/100" });
    const send = (): void => {
      if (response.destroyed) return;
      sent += piece.length;
      response.write(piece, () => setImmediate(send));
    };
    send();
  });
  const read = store.get("files/a", { offset: 0, length: 100 });
  await expect(read).rejects.toMatchObject({ kind: "unavailable" });
  expect(sent).toBeLessThan(50_000_000);
});

it("limits the waiting time, whatever length the store announces", async () => {
  const store = await storeThat((_request, response) => {
    response.writeHead(200, { etag: '"e"', "content-length": String(1_000_000_000_000) });
    response.write("x");
  });
  await expect(store.get("files/a")).rejects.toMatchObject({ kind: "unavailable" });
});

/** Answers without an end, and counts the bytes. */
function endless(status: number, beginning: string) {
  const piece = Buffer.from("<Contents><Key>root/a</Key></Contents>".repeat(1_700));
  const sent = { bytes: 0 };
  const answers: RequestListener = ({ method }, response) => {
    response.writeHead(status, { etag: '"e"', "content-type": "application/xml" });
    if (method === "HEAD") return void response.end();
    response.write(beginning);
    const send = (): void => {
      if (response.destroyed) return;
      sent.bytes += piece.length;
      response.write(piece, () => setImmediate(send));
    };
    send();
  };
  return { answers, sent };
}

// The SDK joins every response but a read object in memory: 7.8 GB until the deadline of three tries.
it.each([
  ["a list", 200, "<ListBucketResult>", (store: Store) => store.list({ prefix: "", limit: 10 })],
  ["an error", 403, "<Error>", (store: Store) => store.list({ prefix: "", limit: 10 })],
  ["the error of a read", 403, "<Error>", (store: Store) => store.get("files/a")],
  ["the answer to a write", 200, "", (store: Store) => store.put("a", Buffer.from("a"), text)],
  ["the answer to a copy", 200, "<CopyObjectResult>", (store: Store) => store.copy("a", "b")],
  ["the answer to a deletion", 200, "", (store: Store) => store.remove("a")],
])("stops reading %s that does not end", async (_what, status, beginning, work) => {
  const { answers, sent } = endless(status, beginning);
  const store = await storeThat(answers);
  await expect(work(store)).rejects.toMatchObject({ kind: "unavailable" });
  expect(sent.bytes).toBeLessThan(50_000_000);
});

it("reads a range from a store that ignores ranges, and nothing behind it", async () => {
  const { answers, sent } = endless(200, "0123456789");
  const store = await storeThat(answers);
  const read = await store.get("files/a", { offset: 2, length: 4 });
  expect(Buffer.from(read?.body ?? []).toString()).toBe("2345");
  expect(sent.bytes).toBeLessThan(50_000_000);
});

// Whole objects were read up to 512 MiB, whatever their message had.
it("reads no more of a message than it has", async () => {
  const { answers, sent } = endless(200, "0123456789");
  const store = await storeThat(answers);
  await expect(wholeObject(store, "mail/raw/a", 10)).rejects.toMatchObject({ kind: "unavailable" });
  expect(sent.bytes).toBeLessThan(50_000_000);
});

it("asks about no more keys than it requested", async () => {
  const names = Array.from({ length: 5_000 }, (_, at) => `root/${String(at).padStart(6, "0")}`);
  const contents = names.map((key) => `<Contents><Key>${key}</Key></Contents>`).join("");
  let heads = 0;
  const store = await storeThat(({ method }, response) => {
    if (method === "HEAD") heads += 1;
    response.writeHead(200, { etag: '"e"', "content-type": "application/xml" });
    const page = `<ListBucketResult><IsTruncated>false</IsTruncated>${contents}</ListBucketResult>`;
    response.end(method === "GET" ? page : undefined);
  });
  const { objects, next } = await store.list({ prefix: "", limit: 3 });
  expect(objects.map(({ key }) => key)).toEqual(["000000", "000001", "000002"]);
  expect([next, heads]).toEqual(["000002", 3]);
});

it.each([
  [507, "XMinioStorageFull"],
  [403, "QuotaExceeded"],
  // The message was "refused a request of this program", and named no next step.
  [400, "XMinioAdminBucketQuotaExceeded"],
])("says that a store is full which answers %i %s", async (status, code) => {
  const store = await storeThat((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "application/xml" });
    response.end(`<Error><Code>${code}</Code></Error>`);
  });
  await expect(store.put("files/a", Buffer.from("a"), text)).rejects.toMatchObject({
    kind: "unavailable",
    message: "The object store has no space left, or a quota is reached. Nothing was changed.",
    hint: "Free some space in the object store, or raise the quota.",
    sideEffects: "none",
  });
});
