import { describe, expect, it } from "vitest";
import {
  type GuessLimits,
  createGuessLimit,
  guessLimits,
} from "../../src/core/network-limits/guess-limit.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { accept, good, openServer } from "./opened-server.ts";
import { bearer, tokens } from "./http-server.ts";

const guessesOf = (limits: Partial<GuessLimits>) =>
  createGuessLimit(() => performance.now(), { ...guessLimits, ...limits });

describe.concurrent("the HTTP server", () => {
  it.for([
    ["no token", {}, 401],
    ["a token that is not known", { authorization: "Bearer alice-token-9999999999" }, 401],
    ["a token with more behind it", { authorization: `Bearer ${tokens.alice}x` }, 401],
    ["a caller's name for a token", { authorization: "Bearer alice" }, 401],
    ["another scheme", { authorization: `Basic ${tokens.alice}` }, 401],
  ] as const)(
    "answers %s with 401, and makes no server [http.token]",
    async ([, authorization, status], t) => {
      const { send, made } = await openServer(t);
      const headers = { "content-type": "application/json", accept, ...authorization };
      const reply = await send({ headers });
      expect(reply.status).toBe(status);
      expect(reply.headers["www-authenticate"]).toMatch(/^Bearer realm="countersign"/);
      expect(reply.headers["mcp-session-id"]).toBeUndefined();
      expect(made).toEqual([]);
      expect(reply.body).not.toContain("alice");
    },
  );

  it.for([
    ["a Host of another name", { host: "evil.example" }, 403],
    ["a Host that only begins like ours", { host: "localhost.evil.example" }, 403],
    ["a page of another origin", { origin: "https://evil.example" }, 403],
    ["a page without an origin", { origin: "null" }, 403],
    ["text", { "content-type": "text/plain" }, 415],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, 415],
    ["a type that only begins like JSON", { "content-type": "application/jsonish" }, 415],
    ["a client that takes no streams", { accept: "application/json" }, 406],
  ] as const)(
    "refuses %s, and makes no server [http.headers-first]",
    async ([, headers, status], t) => {
      const { send, made } = await openServer(t);
      const reply = await send({ headers: { ...good, ...headers } });
      expect(reply.status).toBe(status);
      expect(JSON.parse(reply.body)).toMatchObject({ jsonrpc: "2.0", error: {}, id: null });
      expect(made).toEqual([]);
    },
  );

  // The SDK compares the header as text, so the default of curl was refused in its words.
  it("serves a client that accepts everything [http.headers-first]", async (t) => {
    const { send } = await openServer(t);
    for (const all of ["*/*", "application/*, text/*;q=0.1", "TEXT/*, application/json"]) {
      const headers = { ...good, accept: all };
      const opened = await send({ headers });
      expect(opened.status, opened.body).toBe(200);
      const session = { "mcp-session-id": String(opened.headers["mcp-session-id"]) };
      const ping = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" });
      expect((await send({ headers: { ...headers, ...session } }, ping)).status).toBe(200);
    }
    const none = await send({ method: "GET", headers: { ...good, accept: "application/json" } });
    expect(none.status).toBe(406);
    expect(none.body).toContain("Accept must name text/event-stream.");
  });

  it("answers under each of its names, whatever the port and the case", async (t) => {
    const { send } = await openServer(t);
    for (const host of ["localhost", "127.0.0.1:8080", "[::1]:1", "MCP.example.org"]) {
      const origin = `https://${host}`;
      expect((await send({ headers: { ...good, host, origin } })).status, host).toBe(200);
    }
  });

  it("refuses other paths and methods", async (t) => {
    const { send } = await openServer(t);
    for (const path of ["/", "/mcp/", "/mcp2", "/MCP", "/approvals", "/.env", "//mcp"]) {
      expect((await send({ path })).status, path).toBe(404);
    }
    const put = await send({ method: "PUT" });
    expect(put).toMatchObject({ status: 405, headers: { allow: "POST, GET, DELETE" } });
  });

  it("stops reading a body that is too large, with and without a Content-Length [http.bounded]", async (t) => {
    const { send, made } = await openServer(t, { limits: { bodyBytes: 10_000 } });
    const large = "x".repeat(20_000);
    const told = await send({ headers: { ...good, "content-length": "20000" } }, large);
    expect(told.status).toBe(413);
    const untold = await send({}, ["x".repeat(9_000), large]);
    expect(untold.status).toBe(413);
    // Only a client with a token can send one.
    expect((await send({ headers: { "content-length": "20000" } }, large)).status).toBe(401);
    expect(made).toEqual([]);
  });

  it("answers 400 to a body that is not JSON, and to a first message that is not a handshake", async (t) => {
    const { send, made } = await openServer(t);
    expect(await send({}, "{")).toMatchObject({ status: 400 });
    expect(JSON.parse((await send({}, "{")).body)).toMatchObject({ error: { code: -32700 } });
    const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect((await send({}, list)).status).toBe(400);
    expect((await send({}, "null")).status).toBe(400);
    expect(made).toEqual([]);
  });

  it("sends browsers nothing that they could misuse", async (t) => {
    const { send } = await openServer(t);
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

  it("says at /healthz whether calls can be answered, and nothing else [http.health]", async (t) => {
    const well = await openServer(t);
    const probe = { method: "GET", path: "/healthz", headers: { host: "10.0.0.7:8080" } };
    expect(await well.send(probe)).toMatchObject({ status: 200, body: "ok\n" });
    const ill = await openServer(t, { isHealthy: () => Promise.reject(new Error("secret")) });
    expect(await ill.send(probe)).toMatchObject({ status: 503, body: "unavailable\n" });
    const stuck = await openServer(t, {
      isHealthy: () => new Promise(() => undefined),
      limits: { healthWithin: 20 },
    });
    expect(await stuck.send(probe)).toMatchObject({ status: 503 });
  });

  it("passes a mounted path on unchanged, after the same checks of Host and Origin", async (t) => {
    const page = {
      fetch: async (asked: Request) =>
        new Response(`${asked.method} ${asked.url} ${await asked.text()}`, {
          headers: [
            ["content-security-policy", "default-src 'self'"],
            ["set-cookie", "a=1"],
            ["set-cookie", "b=2"],
          ],
        }),
    };
    const { send } = await openServer(t, { mounts: { approvals: page } });
    const headers = { host: "mcp.example.org" };
    const reply = await send({ path: "/approvals/sign-in?x=1", headers }, "secret=1");
    expect(reply.body).toBe("POST http://localhost/approvals/sign-in?x=1 secret=1");
    expect(reply.headers["content-security-policy"]).toBe("default-src 'self'");
    expect(reply.headers["set-cookie"]).toEqual(["a=1", "b=2"]);
    expect((await send({ path: "/approvals", headers: { host: "evil.example" } })).status).toBe(
      403,
    );
    expect((await send({ path: "/approvalsx", headers })).status).toBe(404);
  });

  it("accepts small forms for a mounted path, even without a token [http.bounded]", async (t) => {
    const page = { fetch: async (asked: Request) => new Response(await asked.text()) };
    const { send } = await openServer(t, { mounts: { approvals: page } });
    const to = { path: "/approvals/sign-in", headers: {} };
    const form = "x".repeat(16 * 1024);
    expect(await send(to, form)).toMatchObject({ status: 200, body: form });
    const more = await send(to, [form, "x"]);
    expect(more.status).toBe(413);
    expect(more.body).toContain("16384 bytes");
  });

  it("refuses invalid requests for a mounted path, without a log line", async (t) => {
    const asked: string[] = [];
    const errors: string[] = [];
    const { send } = await openServer(t, {
      mounts: {
        approvals: { fetch: async ({ method }) => new Response((asked.push(method), "")) },
      },
      log: { ...quietLog, error: (text) => void errors.push(text) },
    });
    for (const method of ["TRACE", "PUT", "DELETE", "OPTIONS"]) {
      const reply = await send({ method, path: "/approvals", headers: {} });
      expect(reply, method).toMatchObject({ status: 405, headers: { allow: "GET, HEAD, POST" } });
    }
    for (const method of ["GET", "HEAD"]) {
      const plain = { method, path: "/approvals", headers: {} };
      expect((await send(plain)).status, method).toBe(200);
      const withBody = { ...plain, headers: { "content-length": "1" } };
      expect((await send(withBody, "x")).status, method).toBe(400);
    }
    expect(asked).toEqual(["GET", "HEAD"]);
    expect(errors).toEqual([]);
  });

  it("delays an address that shows wrong tokens, and still answers a caller that authenticated before [http.guessing]", async (t) => {
    const { send, made } = await openServer(t, { guesses: guessesOf({ narrow: 3 }) });
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

  it("behind a proxy takes the address from the proxy, not from its client", async (t) => {
    const { send } = await openServer(t, {
      behindProxy: true,
      guesses: guessesOf({ narrow: 1 }),
    });
    const from = (forwarded: string, authorization = "Bearer wrong") =>
      send({ headers: { ...good, authorization, "x-forwarded-for": forwarded } });
    expect((await from("203.0.113.5")).status).toBe(401);
    expect((await from("198.51.100.1, 203.0.113.5")).status).toBe(429);
    expect((await from("203.0.113.5, 198.51.100.1", `Bearer ${tokens.alice}`)).status).toBe(200);
  });
});
