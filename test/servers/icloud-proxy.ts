import { once } from "node:events";
import { createServer, request as forward, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface IcloudProxy {
  /** The host that a user configures. */
  url: string;
  requests: string[];
  /** Milliseconds until a REPORT is answered. */
  reportDelayMs: number;
  /** The number of next requests, without discovery, that get 503 with Retry-After. */
  busy: number;
  close(): Promise<void>;
}

/**
 * Simulates iCloud as users report it, in front of a correct server: a host that only redirects to a partition, no ETag
 * after PUT, `expand` ignored, slow REPORTs, and 503 with Retry-After.
 */
export async function startIcloudProxy(target: string): Promise<IcloudProxy> {
  const state: IcloudProxy = { url: "", requests: [], reportDelayMs: 0, busy: 0, close: stop };
  const servers: Server[] = [];

  async function listen(host: string, server: Server): Promise<string> {
    servers.push(server);
    server.listen(0, host);
    await once(server, "listening");
    return `http://${host}:${(server.address() as AddressInfo).port}`;
  }

  async function stop(): Promise<void> {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    }
  }

  const partition = await listen(
    "127.0.0.2",
    createServer((request, response) => {
      const { method = "", url = "", headers } = request;
      state.requests.push(`${method} ${url}`);
      if (method !== "PROPFIND" && state.busy > 0) {
        state.busy -= 1;
        request.resume();
        return void response.writeHead(503, { "retry-after": "1" }).end();
      }
      const answer = (): void => {
        const { host: _host, ...rest } = headers;
        const upstream = forward(`${target}${url}`, { method, headers: rest }, (reply) => {
          const kept = { ...reply.headers };
          if (method === "PUT") delete kept["etag"];
          delete kept["schedule-tag"];
          response.writeHead(reply.statusCode ?? 500, kept);
          reply.pipe(response);
        });
        request.pipe(upstream);
      };
      if (method === "REPORT" && state.reportDelayMs > 0) setTimeout(answer, state.reportDelayMs);
      else answer();
    }),
  );
  state.url = await listen(
    "127.0.0.1",
    createServer((request, response) => {
      request.resume();
      response
        .writeHead(301, {
          location: `${partition}${request.url === "/.well-known/caldav" ? "/dav/" : request.url}`,
        })
        .end();
    }),
  );
  return state;
}
