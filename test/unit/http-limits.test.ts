import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { createProofReader, tokenHash } from "../../src/mcp/http/callers.ts";
import { createFailedAttempts } from "../../src/mcp/http/failed-attempts.ts";
import { httpLimits } from "../../src/mcp/http/limits.ts";
import { createSessions } from "../../src/mcp/http/sessions.ts";
import { quietLog } from "../fakes/quiet-log.ts";

/** A clock that stands still until it is told. */
function testClock() {
  let at = 1_000_000;
  return { now: () => at, pass: (ms: number) => void (at += ms) };
}

describe("failed attempts", () => {
  const setUp = () => {
    const clock = testClock();
    const attempts = createFailedAttempts(httpLimits, clock.now);
    const fail = (address: string, times: number = httpLimits.failedAttempts) => {
      for (let time = 0; time < times; time += 1) attempts.failed(address);
    };
    const wait = (address: string, principal?: string) => attempts.waitSeconds(address, principal);
    return { clock, attempts, fail, wait };
  };

  it("pause an address, and only that one, for as long as it is told to wait", () => {
    const { clock, fail, wait } = setUp();
    fail("192.0.2.1", httpLimits.failedAttempts - 1);
    expect(wait("192.0.2.1")).toBeUndefined();
    fail("192.0.2.1", 1);
    expect(wait("192.0.2.1")).toBe(60);
    expect(wait("192.0.2.2")).toBeUndefined();
    clock.pass(59_001);
    expect(wait("192.0.2.1")).toBe(1);
    clock.pass(1_000);
    expect(wait("192.0.2.1")).toBeUndefined();
  });

  it("that are far apart are mistakes and not guesses", () => {
    const { clock, fail, wait } = setUp();
    for (let day = 0; day < 30; day += 1) {
      fail("192.0.2.1", 1);
      clock.pass(httpLimits.failedAttemptsWithin + 1);
    }
    expect(wait("192.0.2.1")).toBeUndefined();
  });

  it("of one IPv6 network count together, however its addresses are written", () => {
    const { fail, wait } = setUp();
    fail("2001:db8:0:1::7", 4);
    fail("2001:db8:0:1:ffff::1", 3);
    fail("2001:db8::1:2:3:4:5", 9);
    fail("2001:db8:0:1:1:2:3:4", 3);
    expect(wait("2001:db8:0:1::9999")).toBe(60);
    expect(wait("2001:db8:0:2::1")).toBeUndefined();
    fail("::ffff:192.0.2.1");
    expect(wait("192.0.2.1")).toBe(60);
  });

  it("leave who was right before alone, and nobody else", () => {
    const { attempts, fail, wait } = setUp();
    attempts.succeeded("192.0.2.1", "alice");
    fail("192.0.2.1");
    expect(wait("192.0.2.1", "alice")).toBeUndefined();
    expect(wait("192.0.2.1", "bob")).toBe(60);
  });

  it("of ever new addresses take no more room than so much", () => {
    const clock = testClock();
    const attempts = createFailedAttempts(
      { ...httpLimits, addresses: 2, failedAttempts: 1 },
      clock.now,
    );
    for (const address of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) attempts.failed(address);
    const waits = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map((address) =>
      attempts.waitSeconds(address, undefined),
    );
    expect(waits).toEqual([undefined, 60, 60]);
  });
});

describe("a bearer token", () => {
  const prove = createProofReader([
    { principal: "alice", tokenHash: tokenHash("alice-token-0123456789") },
    { principal: "bob", tokenHash: tokenHash("bob-token-0123456789ab") },
  ]);

  it("proves the one it belongs to, first or last", () => {
    expect(prove("Bearer alice-token-0123456789")).toEqual({ given: true, principal: "alice" });
    expect(prove("bearer  bob-token-0123456789ab ")).toEqual({ given: true, principal: "bob" });
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
    "that is wrong proves nobody: %s",
    (header) => expect(prove(header)).toEqual({ given: true, principal: undefined }),
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
      const response = await sessions.fetch(request, "alice", initialize);
      return response.headers.get("mcp-session-id") ?? "none";
    };
    const listen = async (sessionId: string) => {
      const gone = new AbortController();
      const request = new Request("http://localhost/mcp", {
        headers: { ...headers, "mcp-session-id": sessionId },
        signal: gone.signal,
      });
      expect((await sessions.fetch(request, "alice", undefined)).status).toBe(200);
      return () => gone.abort();
    };
    return { clock, sessions, open, listen };
  };

  it("end when nobody has used them for so long", async () => {
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

  it("whose client listens are in use until it has gone for so long", async () => {
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

  it("are not made by what is no handshake after all", async () => {
    const { sessions } = setUp();
    const request = new Request("http://localhost/mcp", { method: "POST" });
    const response = await sessions.fetch(request, "alice", initialize);
    expect(response.status).toBe(406);
    expect(sessions.size()).toBe(0);
  });
});
