import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { startHttpUpstream } from "./http-upstream.ts";
import { homeWithServers, openHere, reviewed, writeServers } from "./upstream-home.ts";

type Conducts = NonNullable<Parameters<typeof startHttpUpstream>[1]>;

const json = { "content-type": "application/json" };
const events = { "content-type": "text/event-stream" };
const zipped = { "content-encoding": "gzip" };
/** 50 MB in some kB. */
const bomb = gzipSync(Buffer.alloc(50 << 20, 0x20));
const parseError = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"CANARY"}}';
const result = { content: [{ type: "text", text: "fine" }] };

/** Writes without an end, slowly enough for every limit of size. */
function drip(response: ServerResponse, piece: string): void {
  const timer = setInterval(() => response.write(piece), 50);
  response.once("close", () => clearInterval(timer));
}

/** Writes a text as often as it is read. */
function flood(response: ServerResponse, piece: string): void {
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once("drain", more);
  };
  response.on("error", () => undefined);
  more();
}

const bodies: Record<string, (response: ServerResponse) => void> = {
  "a page": (to) => void to.writeHead(200, { "content-type": "text/html" }).end("<h1>CANARY"),
  "no type": (to) => void to.writeHead(200).end('{"CANARY":1}'),
  "no content": (to) => void to.writeHead(204).end(),
  null: (to) => void to.writeHead(200, json).end("null"),
  "an error without an id": (to) => void to.writeHead(200, json).end(parseError),
  "a redirect to a private address": (to) =>
    void to.writeHead(307, { location: "http://169.254.169.254/CANARY" }).end(),
  "a redirect to itself": (to) => void to.writeHead(308, { location: "/mcp" }).end(),
  "a redirect to a program": (to) =>
    void to.writeHead(307, { location: "javascript:CANARY" }).end(),
  "a bomb": (to) => void to.writeHead(200, { ...json, ...zipped }).end(bomb),
  "a bomb in an error": (to) => void to.writeHead(400, { ...json, ...zipped }).end(bomb),
  "a bomb in a stream": (to) => void to.writeHead(200, { ...events, ...zipped }).end(bomb),
  "a false coding": (to) => void to.writeHead(200, { ...json, ...zipped }).end("CANARY"),
  "huge headers": (to) => void to.writeHead(200, { ...json, "x-a": "C".repeat(100_000) }).end(),
  "no HTTP": ({ socket }) => void socket?.end("HTTP/1.1 CANARY\r\n\r\n"),
  "another protocol": ({ socket }) =>
    void socket?.end(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
    ),
  "an invalid event at the end of its stream": (to) =>
    void to.writeHead(200, events).end(`data: ${parseError}\n\n`),
  "JSON without an end": (to) => drip(to.writeHead(200, json), " "),
  "a page without an end": (to) =>
    drip(to.writeHead(404, { "content-type": "text/html" }), "CANARY"),
  "comments without an end": (to) => drip(to.writeHead(200, events), ": x\n\n"),
  "a stream that ends again and again": (to) =>
    void to.writeHead(200, events).end("id: 1\nretry: 0\ndata:\n\n"),
};

const unasked: Record<string, (response: ServerResponse) => void> = {
  "a flood of comments": (to) => flood(to.writeHead(200, events), ": x\n\n".repeat(10_000)),
  "a flood of empty lines": (to) => flood(to.writeHead(200, events), "\n".repeat(65_536)),
  "a flood of fields": (to) =>
    flood(to.writeHead(200, events), "id: 1\nretry: 0\n\n".repeat(5_000)),
  "a flood of other events": (to) =>
    flood(to.writeHead(200, events), "event: x\ndata: CANARY\n\n".repeat(5_000)),
  "a line without an end": (to) => flood(to.writeHead(200, events), ":".repeat(65_536)),
  "a flood of JSON": (to) => flood(to.writeHead(200, json), "[".repeat(65_536)),
  "a redirect with a password": (to) =>
    void to.writeHead(307, { location: `http://user:CANARY@${to.req.headers.host}/mcp` }).end(),
  "a redirect without an address": (to) => void to.writeHead(307).end(),
  "too many choices": (to) => void to.writeHead(300, { location: "/CANARY" }).end(),
  "a request for a password": (to) =>
    void to.writeHead(401, { "www-authenticate": 'Basic realm="CANARY"' }).end(),
  "a proxy's request for a password": (to) =>
    void to.writeHead(407, { "proxy-authenticate": 'Basic realm="CANARY"' }).end(),
  "less than it said": (to) =>
    void to.writeHead(200, { ...json, "content-length": "1000" }).write("{", () => to.destroy()),
  "more than it said": ({ socket }) =>
    void socket?.end(
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}{"CANARY":1}',
    ),
  "two lengths": ({ socket }) =>
    void socket?.end(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{}CANARY!",
    ),
  "an answer that was not asked for": ({ socket }) =>
    void socket?.end(
      "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nCANARY",
    ),
};

async function opened(t: Parameters<typeof homeWithServers>[0]) {
  const home = homeWithServers(t, {});
  const conducts: Conducts = Object.fromEntries(
    Object.entries({ ...bodies, ...unasked }).map(([how, write]) => [
      how,
      ({ response }) => write(response),
    ]),
  );
  conducts["early hints"] = ({ response, reply }) => {
    response.writeEarlyHints({ link: "</CANARY>; rel=preload" });
    response.writeContinue();
    reply({ result });
  };
  const web = await startHttpUpstream(home, conducts);
  const other = await startHttpUpstream(home);
  web.get.by = ({ headers }, response) => {
    if (headers["last-event-id"] === undefined) return void response.writeHead(405).end();
    bodies["a stream that ends again and again"]?.(response);
  };
  writeServers(home, { web: { url: web.url, timeoutMs: 2_000 }, other: { url: other.url } });
  await reviewed(home, "web", "other");
  return { web, client: await openHere(home) };
}

// A response of another protocol left its request open. The abort after an invalid event had no listener.
it.for([
  ["misuses", bodies],
  ["floods, or answers more or less than it was asked", unasked],
] as const)(
  "ends each call that a server over HTTP %s with our error, and sends none twice",
  async ([, kinds], t) => {
    const { web, client } = await opened(t);
    for (const how of Object.keys(kinds)) {
      const { error, text, whole } = await client.call("web__act", { how });
      expect({ how, ...error }, text).toMatchObject({ how, sideEffects: "none" });
      expect(text).toMatch(/^(?:unavailable|timeout|auth): The server web .*\. Nothing was done\./);
      expect(whole).not.toContain("CANARY");
      expect(web.asked.filter((line) => line === `act ${how}`)).toHaveLength(1);
      expect((await client.call("other__act", { how: "ok" })).text).toContain("fine");
      expect((await client.call("web__act", { how: "ok" })).text).toContain("fine");
    }
    expect((await client.call("web__act", { how: "early hints" })).text).toContain("fine");
  },
);
