import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { openS3ObjectStore } from "../../src/adapters/s3/object-store.ts";
import { Secret } from "../../src/core/shared/secret.ts";
import { quietLog } from "../fakes/quiet-log.ts";

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

/** A store that gives one page of keys, whatever it is asked, and says that there is more. */
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
