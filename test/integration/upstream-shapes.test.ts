import { mkdtempSync, rmSync } from "node:fs";
import { type ServerResponse, createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { connector } from "../../src/app/upstream/connector.ts";
import type {
  ServerEntry,
  ServerTarget,
  UpstreamConnection,
} from "../../src/ports/upstream/upstream-server.ts";
import { listenLocally } from "../fakes/listen-locally.ts";
import { quietLog } from "../fakes/quiet-log.ts";

type T = { onTestFinished(cleanUp: () => unknown): void };

/** A server that speaks the protocol by hand. The text that follows it changes what it does. */
const ordinary = `
const { createInterface } = require("node:readline");
const write = (text) => process.stdout.write(text + "\\n");
const send = (message) => write(JSON.stringify({ jsonrpc: "2.0", ...message }));
const fine = (id) => send({ id, result: { content: [{ type: "text", text: "fine" }] } });
const stay = () => setInterval(() => undefined, 1_000);
const act = { name: "act", inputSchema: { type: "object" } };
let tools = [act];
let answer = fine;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const { protocolVersion } = params ?? {};
  const serverInfo = { name: "shapes", version: "1" };
  if (method === "server/discover") send({ id, error: { code: -32601, message: "not known" } });
  if (method === "initialize") send({ id, result: { protocolVersion, serverInfo, capabilities: { tools: {} } } });
  if (method === "tools/list") send({ id, result: { tools } });
  if (method === "tools/call") answer(id, params);
});
`;

function entryOf(target: ServerTarget, timeoutMs: number): ServerEntry {
  const labels = { reads: "private", sends: true } as const;
  return {
    name: "odd",
    place: "",
    identity: "odd",
    tools: {},
    preview: {},
    target,
    timeoutMs,
    ...labels,
  };
}

/** Starts a program as an upstream server. */
async function opened(t: T, code: string, before = ordinary): Promise<UpstreamConnection> {
  const dir = mkdtempSync(join(tmpdir(), "countersign-shapes-"));
  t.onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const args = ["-e", `${before}${code}`];
  const target = {
    kind: "process",
    command: process.execPath,
    args,
    env: {},
    directory: dir,
  } as const;
  const connection = await connector(dir, quietLog)(entryOf(target, 2_000));
  t.onTestFinished(() => connection.close());
  return connection;
}

interface Asked {
  id?: number;
  method: string;
}

/** Starts a server over HTTP whose sessions have an id. `call` answers its calls. */
async function openedHttp(t: T, call: (response: ServerResponse, asked: Asked) => void) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    if (request.method === "DELETE") {
      seen.push(`DELETE ${String(request.headers["mcp-session-id"])}`);
      return void response.end();
    }
    if (request.method !== "POST") return void response.writeHead(405).end();
    void json(request).then((body) => {
      const asked = body as Asked;
      seen.push(asked.method);
      if (asked.method === "tools/call") return call(response, asked);
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: "2025-06-18",
          serverInfo: { name: "shapes", version: "1" },
          capabilities: { tools: {} },
        },
        "tools/list": { tools: [{ name: "act", inputSchema: { type: "object" } }] },
      };
      const result = results[asked.method];
      if (asked.id === undefined) return response.writeHead(202).end();
      response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "s1" });
      const answer = result === undefined ? { error: { code: -32_601, message: "" } } : { result };
      return response.end(JSON.stringify({ jsonrpc: "2.0", id: asked.id, ...answer }));
    });
  });
  const origin = await listenLocally(server, (stop) => t.onTestFinished(stop));
  const target = { kind: "http", url: `${origin}/mcp`, headers: {} } as const;
  const connection = await connector(tmpdir(), quietLog)(entryOf(target, 2_000));
  t.onTestFinished(() => connection.close());
  return { connection, seen };
}

async function called(connection: UpstreamConnection): Promise<unknown> {
  const { signal } = new AbortController();
  return await connection.call({
    tool: "act",
    arguments: {},
    acts: true,
    timeoutMs: 2_000,
    signal,
  });
}

const fine = { isError: false, blocks: [{ kind: "text", text: "fine" }] };

describe("a call of a server", () => {
  it.concurrent.for<[shape: string, code: string, problem: string]>([
    [
      "an id of another type",
      "answer = (id) => send({ id: String(id), result: {} })",
      "sent a response with an unknown id",
    ],
    [
      "no id",
      "answer = () => send({ id: null, error: { code: -32700, message: 'x' } })",
      "sent a response with an unknown id",
    ],
    [
      "half a message before it ends",
      `answer = (id) => process.stdout.write('{"jsonrpc":"2.0","id":' + id, () => process.exit(0))`,
      "ended",
    ],
    [
      "a message without its line end before it ends",
      `answer = (id) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [] } }), () => process.exit(0))`,
      "ended",
    ],
  ])("that writes %s ends with an unknown outcome", async ([, code, problem], t) => {
    await expect(called(await opened(t, code))).rejects.toMatchObject({
      message: `The server odd ${problem} before it answered. The effect may have happened: check the target before calling again.`,
      sideEffects: "unknown",
    });
  });

  // The call waited until its timeout.
  it("that no longer reads ends immediately, and the process ends too", async (t) => {
    const connection = await opened(
      t,
      'answer = (id) => { require("node:fs").closeSync(0); fine(id); stay(); }',
    );
    expect(await called(connection)).toEqual(fine);
    await expect(called(connection)).rejects.toThrow(
      "The server odd closed its input before it answered.",
    );
    expect(connection.isClosed).toBe(true);
  });

  // The server's id 9007199254740993 became 9007199254740992.
  it("keeps the digits of long numbers in structured content, as text", async (t) => {
    const json = String.raw`{"id":9007199254740993,"s":"a\"12345678901234567890","ids":[-12345678901234567890,7,1e20],"most":1e400,"t":1.5}`;
    const connection = await opened(
      t,
      `answer = (id) => write('{"jsonrpc":"2.0","id":' + id + ',"result":{"content":[],"structuredContent":' + ${JSON.stringify(json)} + '}}')`,
    );
    expect(await called(connection)).toMatchObject({
      structured: {
        id: "9007199254740993",
        s: 'a"12345678901234567890',
        ids: ["-12345678901234567890", 7, 1e20],
        most: "1e400",
        t: 1.5,
      },
    });
  });

  it.concurrent.for<[shape: string, code: string]>([
    [
      "asks with the id of the call",
      `answer = (id) => { send({ id, method: "elicitation/create" }); send({ id, method: "ping" }); fine(id); }`,
    ],
    [
      "reports progress of another call",
      `answer = (id) => { for (const progressToken of [999, "x", null, -1]) send({ method: "notifications/progress", params: { progressToken, progress: 1 } }); send({ method: "notifications/progress", params: null }); fine(id); }`,
    ],
    [
      "asks and answers in one batch",
      `answer = (id) => write(JSON.stringify([{ jsonrpc: "2.0", id: "q", method: "sampling/createMessage" }, { jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "fine" }] } }]))`,
    ],
    [
      "says without a pause that its list changed",
      `setInterval(() => { for (let n = 0; n < 200; n += 1) send({ method: "notifications/tools/list_changed" }); }, 5)`,
    ],
    // A line of such a log ended the server, and the call failed.
    [
      "logs in JSON to its output",
      `answer = (id) => { write('{"level":30,"time":1,"msg":"called","id":7,"method":"act"}'); fine(id); }`,
    ],
    [
      "ends its lines as Windows does",
      `answer = (id) => write(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "fine" }] } }) + "\\r\\n\\r")`,
    ],
  ])("that %s is answered", async ([, code], t) => {
    expect(await called(await opened(t, code))).toEqual(fine);
  });
});

describe("the list of a server", () => {
  it("has only tools with plain names and schemas of objects", async (t) => {
    const names = `["act", "Act", "\\u0430ct", "caf\\u00e9", "cafe\\u0301", "act\\u200b", "", "__proto__", "a\\nb", "\\ud800"]`;
    const schemas = `[true, null, [], undefined]`;
    const code = `tools = [...${names}.map((name) => ({ ...act, name })), ...${schemas}.map((inputSchema, at) => ({ name: "s" + at, inputSchema }))]`;
    const listed = await (await opened(t, code)).list();
    expect(listed.map(({ name }) => name)).toEqual(["act", "Act"]);
  });
});

describe("the start of a server", () => {
  // Such a server failed to start.
  it("succeeds if it answers notifications with an error without an id", async (t) => {
    // First, so that the error comes before the list. Later it could be that of the call.
    const code = `process.stdin.prependListener("data", (lines) => { if (String(lines).includes("initialized")) send({ id: null, error: { code: -32601, message: "x" } }); })`;
    const connection = await opened(t, code);
    expect((await connection.list()).map(({ name }) => name)).toEqual(["act"]);
    expect(await called(connection)).toEqual(fine);
  });

  // Such a server "did not speak MCP".
  it.each<[string, Partial<ServerTarget & { kind: "process" }>, string]>([
    [
      "NUL in an argument",
      { args: ["a\0b"] },
      "an argument or a variable contains a NUL character",
    ],
    [
      "NUL in a variable",
      { env: { A: "\0" } },
      "an argument or a variable contains a NUL character",
    ],
    [
      "a long argument",
      { args: ["x".repeat(3_000_000)] },
      "its arguments and variables are too long",
    ],
    [
      "a directory that is a file",
      { directory: fileURLToPath(import.meta.url) },
      "its directory cannot be created",
    ],
  ])("fails with the cause: %s", async (_case, more, cause) => {
    const target = { command: process.execPath, args: [], env: {}, directory: tmpdir() };
    const entry = entryOf({ kind: "process", ...target, ...more }, 1);
    await expect(connector(tmpdir(), quietLog)(entry)).rejects.toMatchObject({
      kind: "unavailable",
      message: `The server odd could not be started: ${cause}. Nothing was done.`,
    });
  });

  // The sentence asked to correct the command, which was right.
  it("without tools says so", async (t) => {
    const none = ordinary.replace(
      "send({ id, result: { tools } })",
      "send({ id, error: { code: -32601, message: 'x' } })",
    );
    await expect((await opened(t, "", none)).list()).rejects.toMatchObject({
      kind: "not_configured",
      message: "The server odd offers no tools. Nothing was done.",
    });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it("ends after 30 s, for a program and for an address", async (t) => {
    let heard: () => void = () => undefined;
    const request = new Promise<void>((resolve) => (heard = resolve));
    const origin = await listenLocally(
      createServer(() => heard()),
      (stop) => t.onTestFinished(stop),
    );
    const url = { kind: "http", url: `${origin}/mcp`, headers: {} } as const;
    // Loads the client, which takes real time.
    await opened(t, "");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const starts = [
      connector(tmpdir(), quietLog)(entryOf(url, 1)),
      opened(
        t,
        "stay()",
        "const stay = () => setInterval(() => undefined, 1_000); process.stdin.resume();",
      ),
    ];
    const ends = Promise.allSettled(starts);
    await request;
    await vi.advanceTimersByTimeAsync(29_000);
    const early = await Promise.race([ends, Promise.resolve("open")]);
    expect(early).toBe("open");
    await vi.advanceTimersByTimeAsync(1_000);
    const message = "The server odd did not start within 30 s. Nothing was done.";
    expect(await ends).toMatchObject([{ reason: { message } }, { reason: { message } }]);
  });
});

describe("a server over HTTP", () => {
  // "Nothing was done" invited to repeat a call that a proxy had given up waiting for.
  it.concurrent.for([408, 499, 504])(
    "that answers a change with HTTP %d leaves open what happened",
    async (status, t) => {
      const { connection, seen } = await openedHttp(t, (response) => {
        response.writeHead(status).end();
      });
      await expect(called(connection)).rejects.toMatchObject({
        message: `The server odd answered with the HTTP status ${status}. The effect may have happened: check the target before calling again.`,
        sideEffects: "unknown",
      });
      expect(seen.filter((method) => method === "tools/call")).toHaveLength(1);
    },
  );

  // Such a server kept every session until its own limit.
  it("is notified of the end of its session", async (t) => {
    const { connection, seen } = await openedHttp(t, () => undefined);
    await connection.close();
    expect(seen.at(-1)).toBe("DELETE s1");
  });
});
