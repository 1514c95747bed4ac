import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { startHttpUpstream } from "./http-upstream.ts";
import { homeWithServers, open, reviewed, writeServers } from "./upstream-home.ts";

type Conducts = Parameters<typeof startHttpUpstream>[1];

/** Connects a client of a reviewed server over HTTP that behaves in these ways. */
async function opened(
  t: Parameters<typeof homeWithServers>[0],
  conducts: Conducts,
  timeoutMs = 2_000,
) {
  const home = homeWithServers(t, {});
  const web = await startHttpUpstream(home, conducts);
  writeServers(home, { web: { type: "http", url: web.url, timeoutMs } });
  await reviewed(home, "web");
  return { web, client: await open(home) };
}

const stream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { "content-type": "text/event-stream" });
const event = (fields: object): string =>
  `data: ${JSON.stringify({ jsonrpc: "2.0", ...fields })}\n\n`;
const notice = event({
  method: "notifications/message",
  params: { level: "info", data: "x".repeat(500) },
});

/** Resolves when the connection of a stream that has no end of its own is closed. */
function endless(response: ServerResponse): Promise<void> {
  const more = (): void => {
    if (response.destroyed) return;
    response.write(notice.repeat(50));
    setImmediate(more);
  };
  more();
  return new Promise((resolve) => response.once("close", resolve));
}

it("closes a stream whose call has ended", async (t) => {
  let ended: Promise<void> | undefined;
  const { client } = await opened(t, {
    "never answers": ({ response }) => void (ended = endless(stream(response))),
  });
  const { error, text } = await client.call("web__act", { how: "never answers" });
  expect(error, text).toMatchObject({ sideEffects: "none" });
  await ended;
  expect((await client.call("web__act", { how: "ok" })).text).toContain("fine");
});

it("closes a stream that does not end after the answer", async (t) => {
  let ended: Promise<void> | undefined;
  const { client } = await opened(t, {
    "goes on": ({ message: { id }, response }) => {
      stream(response).write(event({ id, result: { content: [{ type: "text", text: "fine" }] } }));
      ended = endless(response);
    },
  });
  expect((await client.call("web__act", { how: "goes on" })).text).toContain("fine");
  await ended;
});

it("ends the connection of a server that floods it", async (t) => {
  const flood = event({ method: "notifications/message", params: {} }).repeat(60_000);
  const conducts: Conducts = { flood: ({ response }) => void stream(response).end(flood) };
  const { client } = await opened(t, conducts, 60_000);
  const { text } = await client.call("web__act", { how: "flood" });
  expect(text).toContain("The server web sent too many messages before it answered.");
  expect((await client.call("web__act", { how: "ok" })).text).toContain("fine");
});

it.for([404, 400])(
  "reconnects after HTTP %d, which says that the session is gone",
  async (status, t) => {
    const { web, client } = await opened(t, {});
    let session = 1;
    web.intercept.by = ({ message: { method, id }, request, response }) => {
      const given = request.headers["mcp-session-id"];
      if (method === "initialize") response.setHeader("mcp-session-id", `session ${session}`);
      else if (id !== undefined && given !== undefined && given !== `session ${session}`) {
        response.writeHead(status).end();
        return true;
      }
      return false;
    };
    expect((await client.call("web__act", { how: "ok" })).text).toContain("fine");
    session = 2;
    const { error, text } = await client.call("web__act", { how: "ok" });
    expect(error, text).toMatchObject({ kind: "unavailable", sideEffects: "none" });
    expect((await client.call("web__act", { how: "ok" })).text).toContain("fine");
  },
);
