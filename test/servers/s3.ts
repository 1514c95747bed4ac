import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startCephRgw, type S3Server } from "./ceph-rgw.ts";
import { isMissing } from "./servers.ts";

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
 * @returns its address, empty if no server is installed
 */
export async function openS3(): Promise<{ url: string; close: () => Promise<void> }> {
  if (isMissing("Ceph RGW")) return { url: "", close: async () => undefined };
  let started: ReturnType<typeof startCephRgw> | undefined;
  const answer = async (): Promise<S3Server> =>
    givenServer() ?? (await (started ??= startCephRgw())).server;
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
      await (await started?.catch(() => undefined))?.stop();
    },
  };
}
