import { type IncomingHttpHeaders, request } from "node:http";
import { type TestContext, describe, expect, it } from "vitest";
import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { tokenHash } from "../../src/mcp/http/callers.ts";
import { type HttpLimits, httpLimits } from "../../src/mcp/http/limits.ts";
import { type HttpSettings, openHttp } from "../../src/mcp/http/open-http.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { bearer, tokens } from "./http-server.ts";

const accept = "application/json, text/event-stream";
const good = { ...bearer("alice"), "content-type": "application/json", accept };
const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "raw", version: "1" },
  },
});

interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The door alone, with servers that can do nothing; how many were made tells who was let in. */
async function open(
  t: TestContext,
  settings: Partial<Omit<HttpSettings, "limits">> & { limits?: Partial<HttpLimits> } = {},
) {
  const made: string[] = [];
  const door = await openHttp({
    host: "127.0.0.1",
    port: 0,
    hostNames: ["localhost", "127.0.0.1", "[::1]", "mcp.example.org"],
    behindProxy: false,
    callers: [
      { principal: "alice", tokenHash: tokenHash(tokens.alice) },
      { principal: "bob", tokenHash: tokenHash(tokens.bob) },
    ],
    serverFor: ({ principal, era }) => {
      made.push(`${principal} ${era}`);
      return new McpServer({ name: "nothing", version: "1" }, { capabilities: { tools: {} } });
    },
    mounts: {},
    isHealthy: () => Promise.resolve(true),
    log: quietLog,
    ...settings,
    limits: { ...httpLimits, ...settings.limits },
  });
  t.onTestFinished(() => door.close());

  const send = (
    { method = "POST", path = "/mcp", headers = good }: Sending = {},
    body: string | readonly string[] = initialize,
  ): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const sent = request(
        { port: door.port, host: "127.0.0.1", method, path, headers, agent: false },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
          response.on("end", () => {
            const { statusCode: status = 0, headers: got } = response;
            resolve({ status, headers: got, body: text });
          });
        },
      );
      sent.on("error", reject);
      if (method === "POST") for (const chunk of [body].flat()) sent.write(chunk);
      sent.end();
    });
  return { door, send, made };
}

interface Sending {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
}

const sessionOf = ({ headers }: Reply): string => z.string().parse(headers["mcp-session-id"]);

describe.concurrent("the HTTP door", () => {
  it.for([
    ["no token", {}, 401],
    ["a token that is not known", { authorization: "Bearer alice-token-9999999999" }, 401],
    ["a token with more behind it", { authorization: `Bearer ${tokens.alice}x` }, 401],
    ["a caller's name for a token", { authorization: "Bearer alice" }, 401],
    ["another scheme", { authorization: `Basic ${tokens.alice}` }, 401],
  ] as const)("answers %s with 401, and makes no server", async ([, authorization, status], t) => {
    const { send, made } = await open(t);
    const headers = { "content-type": "application/json", accept, ...authorization };
    const reply = await send({ headers });
    expect(reply.status).toBe(status);
    expect(reply.headers["www-authenticate"]).toMatch(/^Bearer realm="countersign"/);
    expect(reply.headers["mcp-session-id"]).toBeUndefined();
    expect(made).toEqual([]);
    expect(reply.body).not.toContain("alice");
  });

  it.for([
    ["a Host of another name", { host: "evil.example" }, 403],
    ["a Host that only begins like ours", { host: "localhost.evil.example" }, 403],
    ["a page of another origin", { origin: "https://evil.example" }, 403],
    ["a page without an origin", { origin: "null" }, 403],
    ["text", { "content-type": "text/plain" }, 415],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, 415],
    ["a type that only begins like JSON", { "content-type": "application/jsonish" }, 415],
    ["a client that takes no streams", { accept: "application/json" }, 406],
  ] as const)("refuses %s, and makes no server", async ([, headers, status], t) => {
    const { send, made } = await open(t);
    const reply = await send({ headers: { ...good, ...headers } });
    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.body)).toMatchObject({ jsonrpc: "2.0", error: {}, id: null });
    expect(made).toEqual([]);
  });

  it("answers under each of its names, whatever the port and the case", async (t) => {
    const { send } = await open(t);
    for (const host of ["localhost", "127.0.0.1:8080", "[::1]:1", "MCP.example.org"]) {
      const origin = `https://${host}`;
      expect((await send({ headers: { ...good, host, origin } })).status, host).toBe(200);
    }
  });

  it("has nothing at other paths and no other methods", async (t) => {
    const { send } = await open(t);
    for (const path of ["/", "/mcp/", "/mcp2", "/MCP", "/approvals", "/.env", "//mcp"]) {
      expect((await send({ path })).status, path).toBe(404);
    }
    const put = await send({ method: "PUT" });
    expect(put).toMatchObject({ status: 405, headers: { allow: "POST, GET, DELETE" } });
  });

  it("stops reading where a body is too large, be its length told or not", async (t) => {
    const { send, made } = await open(t, { limits: { bodyBytes: 10_000 } });
    const large = "x".repeat(20_000);
    const told = await send({ headers: { ...good, "content-length": "20000" } }, large);
    expect(told.status).toBe(413);
    const untold = await send({}, ["x".repeat(9_000), large]);
    expect(untold.status).toBe(413);
    // A stranger does not even get to send one.
    expect((await send({ headers: { "content-length": "20000" } }, large)).status).toBe(401);
    expect(made).toEqual([]);
  });

  it("answers what is no JSON with 400, and a first message that is no handshake too", async (t) => {
    const { send, made } = await open(t);
    expect(await send({}, "{")).toMatchObject({ status: 400 });
    expect(JSON.parse((await send({}, "{")).body)).toMatchObject({ error: { code: -32700 } });
    const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect((await send({}, list)).status).toBe(400);
    expect((await send({}, "null")).status).toBe(400);
    expect(made).toEqual([]);
  });

  it("tells browsers nothing that they could misuse", async (t) => {
    const { send } = await open(t);
    for (const sending of [{}, { path: "/x" }, { headers: {} }, { path: "/healthz" }]) {
      const { headers } = await send(sending);
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      });
      expect(headers["cache-control"]).toMatch(/no-store|no-cache/);
      expect(headers["access-control-allow-origin"]).toBeUndefined();
      expect(headers["x-powered-by"]).toBeUndefined();
    }
  });

  it("says at /healthz whether calls can be answered, and nothing else", async (t) => {
    const well = await open(t);
    const probe = { method: "GET", path: "/healthz", headers: { host: "10.0.0.7:8080" } };
    expect(await well.send(probe)).toMatchObject({ status: 200, body: "ok\n" });
    const ill = await open(t, { isHealthy: () => Promise.reject(new Error("secret")) });
    expect(await ill.send(probe)).toMatchObject({ status: 503, body: "unavailable\n" });
    const stuck = await open(t, {
      isHealthy: () => new Promise(() => undefined),
      limits: { healthWithin: 20 },
    });
    expect(await stuck.send(probe)).toMatchObject({ status: 503 });
  });

  it("hands a mounted path over as it came, behind the same checks of Host and Origin", async (t) => {
    const page = {
      fetch: async (asked: Request) =>
        new Response(`${asked.method} ${asked.url} ${await asked.text()}`, {
          headers: { "content-security-policy": "default-src 'self'" },
        }),
    };
    const { send } = await open(t, { mounts: { approvals: page } });
    const headers = { host: "mcp.example.org" };
    const reply = await send({ path: "/approvals/sign-in?x=1", headers }, "secret=1");
    expect(reply.body).toBe("POST http://mcp.example.org/approvals/sign-in?x=1 secret=1");
    expect(reply.headers["content-security-policy"]).toBe("default-src 'self'");
    expect((await send({ path: "/approvals", headers: { host: "evil.example" } })).status).toBe(
      403,
    );
    expect((await send({ path: "/approvalsx", headers })).status).toBe(404);
  });

  it("lets an address that shows wrong tokens wait, and goes on answering who was right before", async (t) => {
    const { send, made } = await open(t, { limits: { failedAttempts: 3 } });
    expect((await send()).status).toBe(200);
    const wrong = { headers: { ...good, authorization: "Bearer wrong" } };
    const statuses = [];
    for (let attempt = 0; attempt < 4; attempt += 1) statuses.push((await send(wrong)).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    const told = await send(wrong);
    expect(Number(told.headers["retry-after"])).toBeGreaterThan(0);
    // Bob's token is right, and would be the answer to a guess.
    const bob = { headers: { ...good, ...bearer("bob") } };
    expect((await send(bob)).status).toBe(429);
    expect((await send()).status).toBe(200);
    expect(made).toEqual(["alice legacy", "alice legacy"]);
  });

  it("behind a proxy tells addresses apart by what the proxy says, not by what its client says", async (t) => {
    const { send } = await open(t, { behindProxy: true, limits: { failedAttempts: 1 } });
    const from = (forwarded: string, authorization = "Bearer wrong") =>
      send({ headers: { ...good, authorization, "x-forwarded-for": forwarded } });
    expect((await from("203.0.113.5")).status).toBe(401);
    expect((await from("198.51.100.1, 203.0.113.5")).status).toBe(429);
    expect((await from("203.0.113.5, 198.51.100.1", `Bearer ${tokens.alice}`)).status).toBe(200);
  });
});

describe.concurrent("a session of the 2025 era", () => {
  it("does not exist for another caller, in the same words as one that never was", async (t) => {
    const { send } = await open(t);
    const session = sessionOf(await send());
    const ping = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" });
    const using = (sessionId: string, who: "alice" | "bob", method = "POST") =>
      send({ method, headers: { ...good, ...bearer(who), "mcp-session-id": sessionId } }, ping);
    const absent = await using("00000000-0000-4000-8000-000000000000", "bob");
    expect(absent.status).toBe(404);
    for (const method of ["POST", "GET", "DELETE"]) {
      const foreign = await using(session, "bob", method);
      expect([foreign.status, foreign.body], method).toEqual([404, absent.body]);
    }
    expect((await using(session, "alice")).status).toBe(200);
    expect((await using(session, "alice", "DELETE")).status).toBe(200);
    expect((await using(session, "alice")).status).toBe(404);
  });

  it("makes room for a new one of the same caller, the longest unused first, and for nobody else's", async (t) => {
    const { send } = await open(t, { limits: { sessionsPerPrincipal: 2 } });
    const bob = sessionOf(await send({ headers: { ...good, ...bearer("bob") } }));
    const [first, second] = [sessionOf(await send()), sessionOf(await send())];
    const ping = async (sessionId: string, who: "alice" | "bob" = "alice") => {
      const headers = { ...good, ...bearer(who), "mcp-session-id": sessionId };
      return (await send({ headers }, JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" })))
        .status;
    };
    expect(await ping(first)).toBe(200);
    const third = sessionOf(await send());
    expect(await Promise.all([ping(first), ping(second), ping(third)])).toEqual([200, 404, 200]);
    expect(await ping(bob, "bob")).toBe(200);
  });
});
