import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { startHttpUpstream } from "./http-upstream.ts";
import { decideHere } from "./program.ts";
import { homeWithServers, openHere, review, reviewed, writeServers } from "./upstream-home.ts";

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
  return { home, web, client: await openHere(home) };
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
    // The text sent the user to `doctor`, but the next call works.
    expect(text).toContain("Try again in 1 s.");
    expect(text).not.toContain("doctor");
    expect((await client.call("web__act", { how: "ok" })).text).toContain("fine");
  },
);

describe("a call that a server refuses with HTTP 400", () => {
  const refusal = (id: number | null, message: string): string =>
    JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_602, message } });

  // The session counted as forgotten, so that each call opened another one and none named the cause.
  it("has the error of the server, and the session stays open", async (t) => {
    const { web, client } = await opened(t, {
      wrong: ({ message: { id }, response }) =>
        void response
          .writeHead(400, { "content-type": "application/json" })
          .end(refusal(id, "CANARY wrong")),
    });
    web.intercept.by = ({ message: { method }, response }) => {
      if (method === "initialize") response.setHeader("mcp-session-id", "one");
      return false;
    };
    await client.call("web__act", { how: "ok" });
    const { error, text, whole } = await client.call("web__act", { how: "wrong" });
    expect(error, text).toMatchObject({ kind: "unavailable", sideEffects: "none" });
    expect(text).toContain("The server web answered with the protocol error -32602.");
    expect(whole).not.toContain("CANARY");
    await client.call("web__act", { how: "ok" });
    // Once for the review.
    expect(web.asked.filter((line) => line === "initialize")).toHaveLength(2);
  });

  // Each later call was refused in the same way, until Countersign was started again.
  it("has the error of the server, and the next call opens a new session", async (t) => {
    const { web, client } = await opened(t, {});
    let session = 1;
    web.intercept.by = ({ message: { method, id }, request, response }) => {
      if (method === "initialize") response.setHeader("mcp-session-id", `s${session}`);
      if (method !== "tools/call" || request.headers["mcp-session-id"] === `s${session}`)
        return false;
      const error = { code: -32_001, message: "Session not found" };
      response
        .writeHead(400, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, error }));
      return true;
    };
    await client.call("web__act", { how: "ok" });
    session = 2;
    const { error, text } = await client.call("web__act", { how: "ok" });
    expect(error).toMatchObject({ kind: "unavailable", sideEffects: "none" });
    expect(text).toContain("The server web answered with the protocol error -32001.");
    expect((await client.call("web__act", { how: "ok" })).isError).toBe(false);
  });

  it.for([404, 400])("is sent once if its session is gone (HTTP %d)", async (status, t) => {
    const { home, web, client } = await opened(t, {
      gone: ({ response }) =>
        void response
          .writeHead(status, { "content-type": "application/json" })
          .end(refusal(null, "no such session")),
    });
    web.intercept.by = ({ message: { method }, response }) => {
      if (method === "initialize") response.setHeader("mcp-session-id", "one");
      return false;
    };
    const asked = await client.call("web__change", { how: "gone" });
    const approvalId = asked.error?.approval?.id ?? "";
    await decideHere(home, "approve", approvalId);
    const result = async () => (await client.call("check_approval", { approvalId })).whole;
    await expect.poll(result, { timeout: 30_000 }).toMatch(/"status":"(?:unknown|failed)"/);
    await client.call("web__act", { how: "ok" });
    expect(web.asked.filter((line) => line === "change gone")).toHaveLength(1);
  });
});

describe("an open stream with an event that is not JSON-RPC", () => {
  const conducts: Conducts = {
    "no JSON": ({ response }) => void stream(response).write('data: {"jsonrpc": \n\n'),
    "no message": ({ response }) => void stream(response).write('data: {"CANARY": 1}\n\n'),
    "no result": ({ message: { id }, response }) =>
      void stream(response).write(event({ id, result: null })),
    "after an id": ({ response }) => void stream(response).write("id: 1\ndata: CANARY\n\n"),
    "another event": ({ message: { id }, response }) => {
      stream(response).write("event: ping\ndata: now\n\n: a comment\n\ndata:\n\n");
      response.end(event({ id, result: { content: [{ type: "text", text: "fine" }] } }));
    },
  };

  // The SDK skipped the event, and the call ended at its timeout.
  it("ends its call immediately, and no other", async (t) => {
    let end = (): void => undefined;
    const { client, web } = await opened(
      t,
      {
        ...conducts,
        long: ({ message: { id }, response }) => {
          stream(response).write(": open\n\n");
          end = () =>
            void response.end(event({ id, result: { content: [{ type: "text", text: "long" }] } }));
        },
      },
      600_000,
    );
    const long = client.call("web__act", { how: "long" });
    await expect.poll(() => web.asked, { timeout: 30_000 }).toContain("act long");
    for (const how of ["no JSON", "no message", "no result", "after an id"]) {
      const { error, text, whole } = await client.call("web__act", { how });
      expect(error, text).toMatchObject({ kind: "unavailable", sideEffects: "none" });
      expect(text).toContain("The server web wrote something that is not valid JSON-RPC.");
      expect(whole).not.toContain("CANARY");
      expect(web.asked.filter((line) => line === `act ${how}`)).toHaveLength(1);
    }
    expect((await client.call("web__act", { how: "another event" })).text).toContain("fine");
    end();
    expect((await long).text).toContain("long");
  });
});

it("is named if it closes the stream of its first response, without an internal id", async (t) => {
  const home = homeWithServers(t, {});
  const web = await startHttpUpstream(home);
  writeServers(home, { web: { url: web.url } });
  web.intercept.by = ({ response }) => {
    stream(response).end();
    return true;
  };
  const { stderr } = await review(home, "web");
  expect(stderr).toContain("The server web closed the connection before it answered.");
  expect(stderr).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
});

describe("the wait that a server asks for", () => {
  const limited: Conducts = {
    "HTTP 429": ({ response }) => void response.writeHead(429, { "retry-after": "30" }).end(),
    "HTTP 503": ({ response }) => void response.writeHead(503, { "retry-after": "120" }).end(),
  };

  it.for([
    ["HTTP 429", "rate_limited: The server web limits requests (HTTP status 429).", 30],
    ["HTTP 503", "unavailable: The server web answered with the HTTP status 503.", 120],
  ] as const)("is passed on: %s", async ([how, words, seconds], t) => {
    const { web, client } = await opened(t, limited);
    const { error, text } = await client.call("web__act", { how });
    expect(text).toBe(`${words} Nothing was done.\nTry again in ${seconds} s.`);
    expect(error).toMatchObject({ retryAfterSeconds: seconds, sideEffects: "none" });
    expect(web.asked.filter((line) => line === `act ${how}`)).toHaveLength(1);
  });

  it("is also the wait before its next start", async (t) => {
    const { web, client } = await opened(t, {});
    web.intercept.by = ({ response }) => {
      response.writeHead(429, { "retry-after": "45" }).end();
      return true;
    };
    expect((await client.call("web__act")).text).toContain("Try again in 45 s.");
    const asked = web.asked.length;
    const again = await client.call("web__act");
    expect(again.text).toMatch(/failed to start[^]*Try again in 4[45] s\./);
    expect(web.asked).toHaveLength(asked);
  });

  it("does not invite to repeat a call that may have happened", async (t) => {
    const { home, web, client } = await opened(t, limited);
    const asked = await client.call("web__change", { how: "HTTP 503" });
    const approvalId = asked.error?.approval?.id ?? "";
    await decideHere(home, "approve", approvalId);
    const result = async () => (await client.call("check_approval", { approvalId })).text;
    await expect.poll(result, { timeout: 30_000 }).toContain("unknown");
    expect(await result()).toContain("The effect may have happened: check the target");
    expect(await result()).not.toContain("Try again in");
    expect(web.asked.filter((line) => line === "change HTTP 503")).toHaveLength(1);
  });
});

describe("a stream of events that ends before the answer", () => {
  const primed = "id: 7\nretry: 200\ndata:\n\n";

  it("is continued, and its call is not sent again", async (t) => {
    const { web, client } = await opened(t, {
      primed: ({ message: { id }, response }) => {
        waiting = id;
        stream(response).end(primed);
      },
    });
    let waiting = 0;
    const resumed: unknown[] = [];
    web.get.by = ({ headers }, response) => {
      const last = headers["last-event-id"];
      if (last === undefined) return void response.writeHead(405).end();
      resumed.push(last);
      // The second part of the stream ends without a response too.
      if (resumed.length === 1) return void stream(response).end("id: 8\ndata:\n\n");
      const result = { content: [{ type: "text", text: "late" }] };
      return void stream(response).end(event({ id: waiting, result }));
    };
    expect((await client.call("web__act", { how: "primed" })).text).toContain("late");
    expect(resumed).toEqual(["7", "8"]);
    expect(web.asked.filter((line) => line === "act primed")).toHaveLength(1);
  });

  it("ends its call if it cannot be continued", async (t) => {
    const { web, client } = await opened(
      t,
      { primed: ({ response }) => void stream(response).end(primed) },
      60_000,
    );
    let resumes = 0;
    web.get.by = ({ headers }, response) => {
      if (headers["last-event-id"] !== undefined) resumes += 1;
      response.writeHead(404).end();
    };
    const { text } = await client.call("web__act", { how: "primed" });
    expect(text).toContain("The server web closed the connection before it answered.");
    expect(resumes).toBe(2);
    expect(web.asked.filter((line) => line === "act primed")).toHaveLength(1);
  });
});

it("is used in an older protocol era if it fails at a request of the newest", async (t) => {
  const home = homeWithServers(t, {});
  const web = await startHttpUpstream(home);
  web.intercept.by = ({ message: { method }, response }) => {
    if (method !== "server/discover") return false;
    response.writeHead(500).end();
    return true;
  };
  writeServers(home, { web: { type: "http", url: web.url } });
  await reviewed(home, "web");
  expect((await (await openHere(home)).call("web__act", { how: "ok" })).text).toContain("fine");
});
