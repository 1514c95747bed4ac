import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { openS3ObjectStore } from "../../src/adapters/s3/object-store.ts";
import { Secret } from "../../src/core/secret.ts";
import { quietLog } from "../fakes/quiet-log.ts";

/** A store that gives one page of keys, whatever it is asked, and says that there is more. */
async function storeThatLists(keys: readonly string[]) {
  const contents = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join("");
  const page = `<ListBucketResult><IsTruncated>true</IsTruncated>${contents}</ListBucketResult>`;
  let lists = 0;
  const server = createServer(({ method }, response) => {
    if (method === "GET") lists += 1;
    response.writeHead(200, { "content-type": "application/xml" });
    response.end(method === "GET" ? page : undefined);
  }).listen(0, "127.0.0.1");
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
  return { store, lists: () => lists };
}

it("refuses a store that lists the same page again and again", async () => {
  const { store, lists } = await storeThatLists(["root/a", "root/b"]);
  const list = store.list({ prefix: "", limit: 1_000 });
  await expect(list).rejects.toMatchObject({ kind: "unavailable", sideEffects: "none" });
  expect(lists()).toBe(2);
});

it("refuses a page that does not go on behind the place it was asked for", async () => {
  const { store } = await storeThatLists(["root/a", "root/b"]);
  const { next } = await store.list({ prefix: "", limit: 2 });
  expect(next).toBe("b");
  const list = store.list({ prefix: "", limit: 2, after: "b" });
  await expect(list).rejects.toMatchObject({ kind: "unavailable" });
});

it("refuses keys of other places", async () => {
  const { store } = await storeThatLists(["elsewhere/a"]);
  const list = store.list({ prefix: "", limit: 10 });
  await expect(list).rejects.toMatchObject({ kind: "unavailable" });
});
