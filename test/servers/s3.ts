import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startCephRgw, type S3Server } from "./ceph-rgw.ts";
import { isMissing } from "./servers.ts";

/** The projects of one run set themselves up apart, in one process: they share one server. */
const shared: { started?: ReturnType<typeof startCephRgw>; users: number } = (() => {
  const name = Symbol.for("countersign.test.s3");
  const there: unknown = Reflect.get(globalThis, name);
  const fresh = { users: 0 };
  if (there === undefined) Reflect.set(globalThis, name, fresh);
  return (there ?? fresh) as { users: number };
})();

/** Returns the server that `S3_TEST_ENDPOINT` names, with `S3_TEST_ACCESS_KEY_ID` and `S3_TEST_SECRET_ACCESS_KEY`. */
function givenServer(): S3Server | undefined {
  const endpoint = process.env["S3_TEST_ENDPOINT"];
  if (endpoint === undefined) return undefined;
  const accessKeyId = process.env["S3_TEST_ACCESS_KEY_ID"];
  const secretAccessKey = process.env["S3_TEST_SECRET_ACCESS_KEY"];
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new Error("S3_TEST_ENDPOINT needs S3_TEST_ACCESS_KEY_ID and S3_TEST_SECRET_ACCESS_KEY");
  return { endpoint, accessKeyId, secretAccessKey };
}

/**
 * Opens an address at which tests ask for the S3 server: it takes 12 s to start, so it starts with the first test that asks.
 * @returns its address, empty where there is no server to be had
 */
export async function openS3(): Promise<{ url: string; close: () => Promise<void> }> {
  if (isMissing("Ceph RGW")) return { url: "", close: async () => undefined };
  shared.users += 1;
  const server = createServer((_request, response) => {
    void answer().then(
      (server) => response.end(JSON.stringify(server)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      shared.users -= 1;
      if (shared.users === 0) await (await shared.started?.catch(() => undefined))?.stop();
    },
  };
}

async function answer(): Promise<S3Server> {
  const given = givenServer();
  if (given !== undefined) return given;
  return (await (shared.started ??= startCephRgw())).server;
}
