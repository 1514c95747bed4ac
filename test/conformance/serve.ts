import { type IncomingMessage, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tokenHash } from "../../src/mcp/http/callers.ts";
import { openHttp } from "../../src/mcp/http/open-http.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { createFixtureServer } from "./fixture-server.ts";

export interface Served {
  url: string;
  close(): Promise<void>;
}

const token = "conformance-token-0123456789";

/** Starts the product's HTTP server with the suite's fixture instead of the product's catalog. */
export async function serveFixture(): Promise<Served> {
  const channel = await openHttp({
    host: "127.0.0.1",
    port: 0,
    hostNames: ["localhost", "127.0.0.1", "[::1]"],
    behindProxy: false,
    callers: [{ principal: "suite", tokenHash: tokenHash(token) }],
    serverFor: createFixtureServer,
    mounts: {},
    isHealthy: () => Promise.resolve(true),
    log: quietLog,
  });
  const shown = await showToken(`http://127.0.0.1:${channel.port}/mcp`, token);
  return {
    url: shown.url,
    close: async () => {
      await shown.close();
      await channel.close();
    },
  };
}

/** Starts a proxy that forwards everything and adds the token's header, because the suite has no option for a token. */
export async function showToken(url: string, shown: string): Promise<Served> {
  const proxy = createServer((asked, answer) => {
    const { method, headers, url: path } = asked;
    const passed = request(new URL(path ?? "/", url), {
      method,
      // `Host` too: whether ours is checked is one of the suite's questions.
      headers: { ...headers, authorization: `Bearer ${shown}` },
    });
    passed.on("response", (response: IncomingMessage) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      answer.flushHeaders();
      response.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}
