import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";

const denial =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';

export interface DenyingProxy {
  url: string;
  close(): Promise<void>;
}

/** Starts a proxy before an object store that denies some requests, as a bucket's policy does. */
export async function startDenyingProxy(
  target: string,
  denies: (method: string, path: string) => boolean,
): Promise<DenyingProxy> {
  const { hostname, port } = new URL(target);
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    if (denies(method, url)) {
      request.resume();
      response.writeHead(403, { "content-type": "application/xml" }).end(denial);
      return;
    }
    // The signature covers the `Host` header, which stays that of the proxy.
    const onward = send({ hostname, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
