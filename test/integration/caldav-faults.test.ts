import { describe, expect, it } from "vitest";
import { errorOf, from, setUpCollection, to } from "./caldav-world.ts";

describe("a server that fails [calendar.faults]", () => {
  const answers: [
    string,
    (body: string) => { status: number; type: string; text: string },
    string,
  ][] = [
    [
      "HTML instead of XML",
      () => ({ status: 200, type: "text/html", text: "<html>Log in" }),
      "unavailable",
    ],
    [
      "HTML with the status of WebDAV",
      () => ({ status: 207, type: "text/html", text: "<html>" }),
      "unavailable",
    ],
    [
      "XML that ends half-way",
      () => ({ status: 207, type: "text/xml", text: '<d:multistatus xmlns:d="DAV:"><d:resp' }),
      "unavailable",
    ],
    [
      "an entity bomb",
      () => ({ status: 207, type: "text/xml", text: '<!DOCTYPE a [<!ENTITY b "cc">]><a>&b;</a>' }),
      "unavailable",
    ],
    [
      "ten megabytes of XML",
      () => ({
        status: 207,
        type: "text/xml",
        text: `<d:multistatus xmlns:d="DAV:">${"<d:response/>".repeat(800_000)}</d:multistatus>`,
      }),
      "too_large",
    ],
    [
      "elements within each other",
      () => ({
        status: 207,
        type: "text/xml",
        text: `<d:multistatus xmlns:d="DAV:">${"<a>".repeat(500_000)}${"</a>".repeat(500_000)}</d:multistatus>`,
      }),
      "too_large",
    ],
    ["500", () => ({ status: 500, type: "text/plain", text: "canary stack trace" }), "unavailable"],
  ];

  it.each(answers)("with %s is reported as such", async (_what, answer, kind) => {
    const { server, collection } = await setUpCollection();
    await collection.facts();
    server.odd = ({ method }, response, body) => {
      if (method !== "REPORT") return false;
      const { status, type, text } = answer(body);
      response.writeHead(status, { "content-type": type }).end(text);
      return true;
    };
    expect(await errorOf(collection.between(from, to))).toMatchObject({
      kind,
      sideEffects: "none",
    });
  });

  it("with 401 is reported with the setting to renew", async () => {
    const { server, collection } = await setUpCollection();
    server.odd = (_request, response) => Boolean(response.writeHead(401).end());
    const error = await errorOf(collection.between(from, to));
    expect(error.kind).toBe("auth");
    expect(error.hint).toContain("CALDAV_PASSWORD");
    expect(server.seen).toHaveLength(1);
  });

  it("with 503 gets one retry after the time that it names, for reads only", async () => {
    const { server, collection, waited } = await setUpCollection();
    let busy = 1;
    server.odd = ({ method }, response) => {
      if (method === "PROPFIND" || busy === 0) return false;
      busy -= 1;
      return Boolean(response.writeHead(503, { "retry-after": "2" }).end());
    };
    expect(await collection.between(from, to)).toEqual([]);
    expect(waited).toEqual([2_000]);
    busy = 1;
    const error = await errorOf(collection.create("a.ics", "x"));
    expect(error).toMatchObject({
      kind: "rate_limited",
      retryAfterSeconds: 2,
      sideEffects: "none",
    });
    expect(waited).toHaveLength(1);
  });

  it("with a long Retry-After gets no retry, and the caller learns how long to wait", async () => {
    const { server, collection, waited } = await setUpCollection();
    server.odd = ({ method }, response) =>
      method === "REPORT" && Boolean(response.writeHead(503, { "retry-after": "120" }).end());
    const error = await errorOf(collection.between(from, to));
    expect(error).toMatchObject({ kind: "rate_limited", retryAfterSeconds: 120 });
    expect(waited).toEqual([]);
  });

  it("by closing a connection gets a retry for a read, and none for a write", async () => {
    const { server, collection } = await setUpCollection();
    await collection.facts();
    let drops = 1;
    server.odd = ({ method, socket }) => {
      if (method === "PROPFIND" || drops === 0) return false;
      drops -= 1;
      socket.destroy();
      return true;
    };
    expect(await collection.between(from, to)).toEqual([]);
    drops = 1;
    server.seen.length = 0;
    const error = await errorOf(collection.create("a.ics", "x"));
    expect(error).toMatchObject({ kind: "unavailable", sideEffects: "unknown" });
    expect(server.seen.filter(({ method }) => method === "PUT")).toHaveLength(1);
  });

  it("by not answering ends with the time limit, and a write then has an unknown outcome", async () => {
    const { server, collection } = await setUpCollection({ budgetMs: 2_000 });
    await collection.facts();
    server.odd = ({ method }) => method === "REPORT" || method === "PUT";
    expect(await errorOf(collection.between(from, to))).toMatchObject({
      kind: "timeout",
      sideEffects: "none",
    });
    expect(await errorOf(collection.create("a.ics", "x"))).toMatchObject({
      kind: "timeout",
      sideEffects: "unknown",
    });
  });

  it("that is unreachable did nothing, even for a write", async () => {
    const { server, collection } = await setUpCollection();
    await collection.facts();
    await server.close();
    server.close = async () => undefined;
    // The first request uses the kept connection, so it is unknown whether the server has read it.
    await errorOf(collection.create("a.ics", "x"));
    const error = await errorOf(collection.create("a.ics", "x"));
    expect(error).toMatchObject({ kind: "unavailable", sideEffects: "none" });
  });
});
