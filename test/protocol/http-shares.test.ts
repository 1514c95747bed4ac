import { once } from "node:events";
import { type Socket, connect as connectTcp } from "node:net";
import { type TestContext, describe, expect, it } from "vitest";
import { createGuessLimit, guessLimits } from "../../src/core/network-limits/guess-limit.ts";
import { approvalOf } from "./answer.ts";
import { connect } from "./clients.ts";
import { newHome } from "./home.ts";
import { good, openServer } from "./opened-server.ts";
import { bearer, startHttp } from "./http-server.ts";

interface Line {
  socket: Socket;
  said: () => string;
  isOpen: () => boolean;
  closed: Promise<void>;
}

/** Opens a socket that sends only what the test writes. */
async function line(t: TestContext, port: number, first = ""): Promise<Line> {
  const socket = connectTcp({ port, host: "127.0.0.1" });
  t.onTestFinished(() => void socket.destroy());
  let said = "";
  let isOpen = true;
  socket.on("data", (data) => (said += data.toString()));
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      isOpen = false;
      resolve();
    });
  });
  await once(socket, "connect");
  if (first !== "") socket.write(first);
  return { socket, said: () => said, isOpen: () => isOpen, closed };
}

const openLines = async (lines: readonly Line[]) => lines.filter(({ isOpen }) => isOpen()).length;

describe.concurrent("the connections of the HTTP server [http.shares]", () => {
  it("without a token are closed the oldest first, and a caller's stays", async (t) => {
    const { http, send } = await openServer(t, { limits: { unauthenticatedPerNetwork: 5 } });
    const body = "{}";
    const head = Object.entries({ ...good, host: "localhost", "content-length": body.length });
    const proven = await line(
      t,
      http.port,
      `POST /mcp HTTP/1.1\r\n${head.map((pair) => pair.join(": ")).join("\r\n")}\r\n\r\n${body}`,
    );
    await t.expect.poll(proven.said).toContain("HTTP/1.1 400");
    const idle: Line[] = [];
    for (let index = 0; index < 20; index += 1) idle.push(await line(t, http.port));
    await t.expect.poll(() => openLines(idle)).toBe(5);
    expect(idle.slice(-5).every(({ isOpen }) => isOpen())).toBe(true);
    expect(proven.isOpen()).toBe(true);
    expect((await send()).status).toBe(200);
  });

  it("end if the headers or a public body take too long", async (t) => {
    const page = { fetch: async (asked: Request) => new Response(await asked.text()) };
    const { http } = await openServer(t, {
      mounts: { approvals: page },
      limits: { headersWithin: 300, requestWithin: 600, connectionsCheckedEvery: 50 },
    });
    const slow = [
      "",
      "GET /approvals HTTP/1.1\r\nhost: loc",
      "POST /approvals HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nx",
      "POST /mcp HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n",
    ];
    const lines = await Promise.all(slow.map((first) => line(t, http.port, first)));
    const trickle = setInterval(() => lines.forEach(({ socket }) => socket.write("a")), 100);
    t.onTestFinished(() => clearInterval(trickle));
    await Promise.all(lines.map(({ closed }) => closed));
  });

  it("carry at most a network's share of unfinished forms", async (t) => {
    const page = { fetch: async (asked: Request) => new Response(await asked.text()) };
    const { http, send } = await openServer(t, {
      behindProxy: true,
      mounts: { approvals: page },
      limits: { unauthenticatedRequestsPerNetwork: 3 },
    });
    const slow: Line[] = [];
    for (let index = 0; index < 10; index += 1) {
      const head = `POST /approvals HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n`;
      slow.push(await line(t, http.port, `${head}x-forwarded-for: 2001:db8::${index}\r\n\r\nx`));
    }
    await t.expect.poll(() => openLines(slow)).toBe(3);
    const headers = { "x-forwarded-for": "203.0.113.7" };
    expect(await send({ path: "/approvals", headers }, "form")).toMatchObject({ body: "form" });
  });

  it("answer pipelined requests in order, and at most a caller's share at a time", async (t) => {
    let release = (): void => undefined;
    const held = new Promise<Response>((resolve) => (release = () => resolve(new Response("x"))));
    const { http, send } = await openServer(t, {
      mounts: { slow: { fetch: () => held } },
      limits: { requestsPerCaller: 2 },
    });
    const head = Object.entries({ ...good, host: "localhost", "content-length": 100 });
    const half = `POST /mcp HTTP/1.1\r\n${head.map((pair) => pair.join(": ")).join("\r\n")}\r\n\r\n{`;
    const lines = [await line(t, http.port, half), await line(t, http.port, half)];
    await t.expect.poll(async () => (await send()).status).toBe(429);
    const refused = await send();
    expect(refused.body).toMatch(/2 requests under way.*nothing was done/);
    expect(refused.headers["retry-after"]).toBe("5");
    expect((await send({ headers: { ...good, ...bearer("bob") } })).status).toBe(200);
    lines[0]!.socket.destroy();
    await t.expect.poll(async () => (await send()).status).toBe(200);
    const pipelined = await line(
      t,
      http.port,
      "GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\nGET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n",
    );
    release();
    await t.expect.poll(pipelined.said).toMatch(/200 OK[^]*\r\nx[^]*200 OK[^]*ok\n/);
  });

  it("trust the last address that the proxy added, after any number of headers [http.guessing]", async (t) => {
    const guesses = createGuessLimit(() => performance.now(), { ...guessLimits, narrow: 1 });
    const { http } = await openServer(t, { behindProxy: true, guesses });
    const from = async (claimed: string, address: string) => {
      const many = "a:\r\n".repeat(2_500);
      const own = `authorization: Bearer wrong\r\nx-forwarded-for: ${claimed}\r\n`;
      const added = `x-forwarded-for: ${address}\r\nconnection: close\r\n`;
      const head = `GET /mcp HTTP/1.1\r\nhost: localhost\r\n${own}${many}${added}\r\n`;
      const asked = await line(t, http.port, head);
      await asked.closed;
      return Number(/^HTTP\/1\.1 (\d+)/.exec(asked.said())?.[1]);
    };
    expect(await from("198.51.100.1", "203.0.113.5")).toBe(401);
    expect(await from("198.51.100.2", "203.0.113.5")).toBe(429);
    expect(await from("203.0.113.5", "203.0.113.6")).toBe(401);
  });

  it("are refused for headers that are too large, and say nothing in the log", async (t) => {
    const { http } = await openServer(t);
    const large = await line(
      t,
      http.port,
      `GET /mcp HTTP/1.1\r\nhost: localhost\r\na: ${"x".repeat(20_000)}\r\n\r\n`,
    );
    await large.closed;
    expect(large.said()).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe("a server under a flood [http.shares]", () => {
  // 127 of 131 calls failed while one address held 1 200 idle sockets, and the approval page too.
  it("answers its callers and shows its page while one address holds 1 200 sockets", async (t) => {
    const host = "countersign.example.org";
    const home = newHome(t);
    // A server with an https address would take these sockets for a proxy's, which carries all callers.
    for (const env of [{}, { PUBLIC_URL: `https://${host}` }]) {
      const server = startHttp(home, { env });
      const port = Number(new URL(await server.url).port);
      const idle = await Promise.all(Array.from({ length: 1_200 }, () => line(t, port)));
      const client = await connect(home, "v2 auto", { over: "HTTP", at: server });
      for (let call = 0; call < 30; call += 1) {
        expect((await client.call("list_files")).error).toBeUndefined();
      }
      if ("PUBLIC_URL" in env) {
        const head = `GET /approvals HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
        const page = await line(t, port, head);
        await page.closed;
        expect(page.said()).toContain("Sign in to decide");
      } else await t.expect.poll(() => openLines(idle)).toBeLessThan(600);
      for (const { socket } of idle) socket.destroy();
    }
  }, 60_000);

  // One token had 999 waiting calls, and no other caller was served.
  it("limits a caller's waiting calls, reports the status beyond, and answers others", async (t) => {
    const home = newHome(t, { APPROVAL_WAIT_MS: "20000" });
    const at = startHttp(home);
    const alice = await connect(home, "v2 auto", { over: "HTTP", at, as: "alice" });
    const bob = await connect(home, "v2 auto", { over: "HTTP", at, as: "bob" });
    await bob.call("write_file", { key: "a.md", content: "x" });
    const waits = Array.from({ length: 100 }, () => {
      const gone = new AbortController();
      t.onTestFinished(() => gone.abort());
      const options = { signal: gone.signal };
      return alice.call("delete_file", { key: "a.md" }, options).catch(() => undefined);
    });
    const first = await Promise.race(waits);
    expect(approvalOf(first!).status).toBe("pending");
    for (let call = 0; call < 10; call += 1)
      expect((await bob.call("list_files")).error).toBeUndefined();
    expect((await alice.call("list_files")).error).toBeUndefined();
  }, 60_000);
});
