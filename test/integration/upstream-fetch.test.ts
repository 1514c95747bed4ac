import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { createGuardedFetch } from "../../src/adapters/mcp-client/guarded-fetch.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { makeCertificate } from "../servers/certificate.ts";

type T = { onTestFinished(cleanUp: () => unknown): void };

/** Starts a server on this machine. Returns its port. */
async function listen(t: T, server: Server): Promise<number | undefined> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return typeof address === "object" ? address?.port : undefined;
}

async function startServer(t: T) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    response.end("hello");
  });
  return { port: await listen(t, server), requests };
}

/** Creates a name service in which every name has this address. */
function fetchFor(t: T, configured: string, address = "127.0.0.1") {
  const family = address.includes(":") ? 6 : 4;
  const guarded = createGuardedFetch(configured, (_name, _options, done) =>
    done(null, [{ address, family }]),
  );
  t.onTestFinished(() => guarded.close());
  return guarded.fetch;
}

const isPrivate = { reason: "leads to a private address, which is not the configured host" };

describe("requests to upstream servers", () => {
  it("reach a private address that is configured, by number or by a local name", async (t) => {
    const { port } = await startServer(t);
    for (const host of ["127.0.0.1", "localhost", "nas", "nas.local", "nas.home.arpa"]) {
      const url = `http://${host}:${port}/mcp`;
      expect(await (await fetchFor(t, url)(url)).text()).toBe("hello");
    }
  });

  it.each(["127.0.0.1", "0.0.0.0", "::1", "::ffff:10.0.0.1", "169.254.169.254", "fd00::1", "::"])(
    "do not reach %s under a public name, whatever the name service says",
    async (address) => {
      const { port, requests } = await startServer({ onTestFinished: () => undefined });
      const url = `http://notes.example.org:${port}/mcp`;
      const guarded = createGuardedFetch(url, (_name, _options, done) =>
        done(null, [{ address, family: address.includes(":") ? 6 : 4 }]),
      );
      await expect(guarded.fetch(url)).rejects.toMatchObject({ ...isPrivate, wasSent: false });
      expect(requests).toEqual([]);
      guarded.close();
    },
  );

  it("do not reach a name with a public and a private address", async (t) => {
    const url = "http://notes.example.org/mcp";
    const guarded = createGuardedFetch(url, (_name, _options, done) =>
      done(null, [
        { address: "198.51.100.7", family: 4 },
        { address: "127.0.0.1", family: 4 },
      ]),
    );
    t.onTestFinished(() => guarded.close());
    await expect(guarded.fetch(url)).rejects.toMatchObject({ ...isPrivate, wasSent: false });
  });

  it("ask for the address of a name at each connection", async (t) => {
    const { port, requests } = await startServer(t);
    const url = `http://nas.local:${port}/mcp`;
    const answers = ["127.0.0.1", "127.0.0.2"];
    const asked: string[] = [];
    const guarded = createGuardedFetch(url, (name, _options, done) => {
      asked.push(name);
      done(null, [{ address: answers.shift() ?? "", family: 4 }]);
    });
    t.onTestFinished(() => guarded.close());
    const headers = { connection: "close" };
    await (await guarded.fetch(url, { headers })).text();
    await expect(guarded.fetch(url, { headers })).rejects.toMatchObject({ wasSent: false });
    expect(asked).toEqual(["nas.local", "nas.local"]);
    expect(requests).toEqual(["/mcp"]);
  });

  it("reach no other private address, even if the configured host is private", async (t) => {
    const { port, requests } = await startServer(t);
    const ask = fetchFor(t, "http://192.168.7.7/mcp");
    for (const host of ["127.0.0.1", "[::1]", "0x7f000001", "localhost", "auth.example.org"])
      await expect(ask(`http://${host}:${port}/`)).rejects.toMatchObject(isPrivate);
    expect(requests).toEqual([]);
  });

  it("follow no redirect from TLS to plain HTTP, which would show a token to the network", async (t) => {
    const { cert, key } = makeCertificate(temporaryDirectory(), ["127.0.0.1"]);
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const server = createTlsServer(
      { cert: readFileSync(cert), key: readFileSync(key) },
      ({ headers }, response) => {
        response.writeHead(307, { location: `http://${headers.host}/plain` }).end();
      },
    );
    t.onTestFinished(() => void vi.unstubAllEnvs());
    const url = `https://127.0.0.1:${await listen(t, server)}/mcp`;
    await expect(fetchFor(t, url)(url)).rejects.toMatchObject({
      reason: "redirects to an address without TLS, which gets no request",
    });
  });

  it("follow at most three redirects", async (t) => {
    let asked = 0;
    const server = createServer(({ url }, response) => {
      asked += 1;
      const left = Number(url?.slice(1));
      if (left === 0) return void response.end("arrived");
      response.writeHead(307, { location: `/${left === 9 ? 9 : left - 1}` }).end();
    });
    const url = `http://127.0.0.1:${await listen(t, server)}`;
    const ask = fetchFor(t, url);
    expect(await (await ask(`${url}/3`)).text()).toBe("arrived");
    asked = 0;
    await expect(ask(`${url}/9`)).rejects.toMatchObject({ reason: "redirects without an end" });
    expect(asked).toBe(4);
  });

  // A browser asks again with GET. The new address would get a request without its content.
  it.for([301, 302, 303])("follow no redirect that drops their content: %i", async (status, t) => {
    const asked: (string | undefined)[] = [];
    const server = createServer(({ url }, response) => {
      asked.push(url);
      response.writeHead(status, { location: "/moved" }).end();
    });
    const url = `http://127.0.0.1:${await listen(t, server)}/mcp`;
    const asking = fetchFor(t, url)(url, { method: "POST", body: "{}" });
    await expect(asking).rejects.toMatchObject({
      reason: "redirects a request in a way that drops its content",
    });
    expect(asked).toEqual(["/mcp"]);
  });

  it("use no other scheme", async (t) => {
    const ask = fetchFor(t, "http://127.0.0.1/mcp");
    await expect(ask("file:///etc/passwd")).rejects.toMatchObject({
      reason: "names an address that is not HTTP",
    });
  });

  it("know if the server may have seen them", async (t) => {
    const server = createServer((request) => void request.socket.destroy()).listen(0, "127.0.0.1");
    await once(server, "listening");
    t.onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const url = `http://127.0.0.1:${port}/`;
    const ask = fetchFor(t, url);
    await expect(ask(url)).rejects.toMatchObject({ wasSent: true });
    await expect(ask("http://127.0.0.1:9/")).rejects.toMatchObject({ wasSent: false });
  });

  // A server that always compresses "did not speak MCP".
  it.for([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const)("read an answer that is compressed with %s", async ([coding, compress], t) => {
    const server = createServer(({ url, headers }, response) => {
      const isEvent = url === "/event";
      response.setHeader("content-type", isEvent ? "text/event-stream" : "application/json");
      response.setHeader("content-encoding", coding);
      const text = url === "/bomb" ? "a".repeat(11 * 1_048_576) : headers["accept-encoding"];
      const bytes = compress(isEvent ? `data: ${text}\n\n` : JSON.stringify(text));
      response.end(url === "/cut" ? bytes.subarray(0, -3) : bytes);
    });
    const url = `http://127.0.0.1:${await listen(t, server)}`;
    const ask = fetchFor(t, url);
    expect(await (await ask(`${url}/`)).json()).toBe("identity");
    expect(await (await ask(`${url}/event`)).text()).toBe("data: identity\n\n");
    await expect(ask(`${url}/bomb`)).rejects.toMatchObject({
      reason: "wrote a message over 10 MB",
    });
    await expect(ask(`${url}/cut`)).rejects.toMatchObject({ wasSent: true });
  });

  // The answer of a server whose stream stays open was read at its timeout only.
  it.for(["\r", "\r\n", "\n"])(
    "read an event whose lines end with %j before anything follows",
    async (end, t) => {
      const message = '{"id":7,"result":{"structuredContent":{"n":12345678901234567890}}}';
      const whole = message.replace("12345678901234567890", '"12345678901234567890"');
      const server = createServer((_request, response) => {
        response.setHeader("content-type", "text/event-stream");
        // The data of the second event has two lines.
        const lines = ["event: message", `data: ${message}`, ""];
        const more = [
          "id: é",
          ...message.split(",").map((part, at) => `data:${at ? "," : ""}${part}`),
          "",
        ];
        const bytes = Buffer.from([...lines, ...more].map((line) => line + end).join(""));
        for (let at = 0; at < bytes.length; at += 1) response.write(bytes.subarray(at, at + 1));
      });
      const url = `http://127.0.0.1:${await listen(t, server)}`;
      const { body } = await fetchFor(t, url)(url);
      const expected = `event: message\ndata:${whole}\n\nid: é\ndata:${whole}\n\n`;
      let read = "";
      for await (const chunk of body!) {
        read += Buffer.from(chunk).toString();
        if (read.length >= expected.length) break;
      }
      expect(read).toBe(expected);
    },
  );

  it("read an answer in JSON whole, and reject one that is cut or too long", async (t) => {
    // The limit is 10 MB, and was 10 MiB.
    const most = 10_000_000;
    const quotes = 2;
    const server = createServer((request, response) => {
      response.setHeader("content-type", "application/json; charset=utf-8");
      const more = { "/most": 0, "/long": 1 }[request.url ?? ""];
      if (more !== undefined)
        return void response.end(JSON.stringify("a".repeat(most - quotes + more)));
      response.write('\ufeff{"word":"h');
      if (request.url === "/cut") return void setImmediate(() => request.socket.destroy());
      setImmediate(() => response.end('\u00e9llo"}'));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    t.onTestFinished(() => void server.close());
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : undefined}`;
    const ask = fetchFor(t, url);
    expect(await (await ask(`${url}/`)).json()).toEqual({ word: "h\u00e9llo" });
    await expect(ask(`${url}/cut`)).rejects.toMatchObject({
      reason: "closed the connection before it answered",
      wasSent: true,
    });
    expect((await (await ask(`${url}/most`)).text()).length).toBe(most);
    await expect(ask(`${url}/long`)).rejects.toMatchObject({
      reason: "wrote a message over 10 MB",
      wasSent: true,
    });
  });
});
