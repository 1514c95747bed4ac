import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { createProofReader, tokenHash } from "../../src/mcp/http/callers.ts";
import { httpLimits } from "../../src/mcp/http/limits.ts";
import { createSessions } from "../../src/mcp/http/sessions.ts";
import { quietLog } from "../fakes/quiet-log.ts";

/** Creates a clock that moves only on request. */
function testClock() {
  let at = 1_000_000;
  return { now: () => at, pass: (ms: number) => void (at += ms) };
}

describe("a bearer token", () => {
  const prove = createProofReader([
    { principal: "alice", tokenHash: tokenHash("alice-token-0123456789") },
    { principal: "bob", tokenHash: tokenHash("bob-token-0123456789ab") },
  ]);

  it("identifies its caller, whether first or last in the list", () => {
    expect(prove("Bearer alice-token-0123456789")).toEqual({
      given: true,
      found: { principal: "alice" },
    });
    expect(prove("bearer  bob-token-0123456789ab ")).toEqual({
      given: true,
      found: { principal: "bob" },
    });
  });

  it.for([
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "Basic YTpi",
    "Bearer a b",
    "alice-token-0123456789",
  ])("is not in %j", (header) => expect(prove(header)).toEqual({ given: false }));

  it.for(["Bearer x", "Bearer alice-token-012345678", "Bearer alice-token-01234567890"])(
    "that is wrong identifies no caller: %s",
    (header) => expect(prove(header)).toEqual({ given: true, found: undefined }),
  );
});

describe("sessions", () => {
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "unit", version: "1" },
    },
  };

  const setUp = () => {
    const clock = testClock();
    const sessions = createSessions({
      serverFor: () => new McpServer({ name: "nothing", version: "1" }),
      limits: httpLimits,
      now: clock.now,
      log: quietLog,
    });
    const open = async () => {
      const request = new Request("http://localhost/mcp", { method: "POST", headers });
      const response = await sessions.fetch(request, { principal: "alice" }, initialize);
      return response.headers.get("mcp-session-id") ?? "none";
    };
    const listen = async (sessionId: string) => {
      const gone = new AbortController();
      const request = new Request("http://localhost/mcp", {
        headers: { ...headers, "mcp-session-id": sessionId },
        signal: gone.signal,
      });
      expect((await sessions.fetch(request, { principal: "alice" }, undefined)).status).toBe(200);
      return () => gone.abort();
    };
    return { clock, sessions, open, listen };
  };

  it("end after this idle time", async () => {
    const { clock, sessions, open } = setUp();
    await open();
    clock.pass(httpLimits.sessionIdle);
    await open();
    await sessions.sweep();
    expect(sessions.size()).toBe(2);
    clock.pass(1);
    await sessions.sweep();
    expect(sessions.size()).toBe(1);
    await sessions.close();
    expect(sessions.size()).toBe(0);
  });

  it("with a listening client stay in use until it has been gone for this time", async () => {
    const { clock, sessions, open, listen } = setUp();
    const hangUp = await listen(await open());
    clock.pass(httpLimits.sessionIdle * 10);
    await sessions.sweep();
    expect(sessions.size()).toBe(1);
    hangUp();
    await sessions.sweep();
    expect(sessions.size()).toBe(1);
    clock.pass(httpLimits.sessionIdle + 1);
    await sessions.sweep();
    expect(sessions.size()).toBe(0);
  });

  it("are not created by a failed handshake", async () => {
    const { sessions } = setUp();
    const request = new Request("http://localhost/mcp", { method: "POST" });
    const response = await sessions.fetch(request, { principal: "alice" }, initialize);
    expect(response.status).toBe(406);
    expect(sessions.size()).toBe(0);
  });
});
