import { describe, expect, it, onTestFinished } from "vitest";
import { createCollection } from "../../src/adapters/caldav/collection.ts";
import type { CaldavSettings } from "../../src/adapters/caldav/settings.ts";
import { createCalendar } from "../../src/calendar/create-calendar.ts";
import { Secret } from "../../src/core/secret.ts";
import { ToolError } from "../../src/core/tool-error.ts";
import { createFakeEventLedger } from "../fakes/event-ledger.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { answerDav, davItem, startOddServer } from "../servers/odd-caldav.ts";

const from = new Date("2026-11-01T00:00:00Z");
const to = new Date("2026-12-01T00:00:00Z");

async function setUp(more: Partial<CaldavSettings> = {}) {
  const server = await startOddServer();
  onTestFinished(() => server.close());
  const waited: number[] = [];
  const settings: CaldavSettings = {
    url: server.url,
    username: "alice",
    auth: { kind: "basic", password: new Secret("hunter2") },
    calendar: "Assistant",
    allowedHosts: [],
    log: quietLog,
    wait: async (ms) => void waited.push(ms),
    ...more,
  };
  const collection = createCollection(settings);
  return { server, collection, waited, settings };
}

const errorOf = async (work: Promise<unknown>): Promise<ToolError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ToolError)) throw new Error(`no ToolError: ${String(error)}`);
  expect(`${error.message} ${error.hint ?? ""}`).not.toMatch(/canary|hunter2/);
  return error;
};

describe("where requests and the password go", () => {
  it("is never another host, whether a redirect or a link names it", async () => {
    const { server, collection } = await setUp();
    const thief = await startOddServer("127.0.0.2");
    onTestFinished(() => thief.close());
    server.odd = (_request, response) => {
      response.writeHead(301, { location: `${thief.url}/` }).end();
      return true;
    };
    const byRedirect = await errorOf(collection.between(from, to));
    expect(byRedirect).toMatchObject({ kind: "unavailable", sideEffects: "none" });
    expect(byRedirect.hint).toContain("CALDAV_ALLOWED_HOSTS");
    server.odd = ({ url }, response) => {
      if (url !== "/.well-known/caldav") return false;
      const home = `<c:calendar-home-set><d:href>${thief.url}/home/</d:href></c:calendar-home-set>`;
      answerDav(response, davItem("/", home));
      return true;
    };
    await errorOf(collection.between(from, to));
    expect(thief.seen).toEqual([]);
  });

  it("follows a partition that is allowed, and resolves its links against it", async () => {
    const partition = await startOddServer("127.0.0.2");
    onTestFinished(() => partition.close());
    const { server, collection } = await setUp({ allowedHosts: [new URL(partition.url).host] });
    server.odd = ({ url }, response) => {
      if (url !== "/.well-known/caldav") return false;
      const home = `<c:calendar-home-set><d:href>${partition.url}/home/</d:href></c:calendar-home-set>`;
      answerDav(response, davItem("/", home));
      return true;
    };
    expect(await collection.between(from, to)).toEqual([]);
    expect(server.seen.map(({ path }) => path)).toEqual(["/.well-known/caldav"]);
    expect(partition.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "PROPFIND /home/",
      "PROPFIND /home/assistant/",
      "REPORT /home/assistant/",
    ]);
  });
});

describe("the one calendar", () => {
  it("is looked for by name; only the doctor's check tells the other names", async () => {
    const { collection } = await setUp({ calendar: "Missing" });
    const error = await errorOf(collection.between(from, to));
    expect(error.kind).toBe("not_configured");
    await expect(collection.check()).rejects.toThrow("Private canary");
  });

  it("is refused where two have the name, and found by its address", async () => {
    const twins = await setUp();
    twins.server.odd = ({ url }, response) => {
      if (url !== "/home/") return false;
      const twin =
        "<d:displayname>Assistant</d:displayname><d:resourcetype><c:calendar/></d:resourcetype>";
      answerDav(response, davItem("/home/one/", twin) + davItem("/home/assistant/", twin));
      return true;
    };
    expect((await errorOf(twins.collection.facts())).message).toContain("2 calendars");
    const byAddress = createCollection({ ...twins.settings, calendar: "/home/assistant" });
    expect((await byAddress.facts()).name).toBe("Assistant");
  });

  it("is looked for anew when it has moved", async () => {
    const { server, collection } = await setUp();
    await collection.between(from, to);
    server.odd = ({ url }, response) => {
      if (url === "/home/assistant/") {
        response.writeHead(410).end();
        return true;
      }
      if (url === "/home/") {
        const moved =
          "<d:displayname>Assistant</d:displayname><d:resourcetype><c:calendar/></d:resourcetype>";
        answerDav(response, davItem("/home/new/", moved));
        return true;
      }
      if (url !== "/home/new/") return false;
      answerDav(response, davItem(url, "<cs:getctag>9</cs:getctag>"));
      return true;
    };
    expect(await collection.between(from, to)).toEqual([]);
    expect(server.seen.at(-1)?.path).toBe("/home/new/");
  });
});

describe("a server that fails", () => {
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
    ["500", () => ({ status: 500, type: "text/plain", text: "canary stack trace" }), "unavailable"],
  ];

  it.each(answers)("with %s is told as it is", async (_what, answer, kind) => {
    const { server, collection } = await setUp();
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

  it("with 401 is told with the setting that has to be renewed", async () => {
    const { server, collection } = await setUp();
    server.odd = (_request, response) => Boolean(response.writeHead(401).end());
    const error = await errorOf(collection.between(from, to));
    expect(error.kind).toBe("auth");
    expect(error.hint).toContain("CALDAV_PASSWORD");
    expect(server.seen).toHaveLength(1);
  });

  it("with 503 is asked again after the time it names, once, and only for reads", async () => {
    const { server, collection, waited } = await setUp();
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

  it("with a long Retry-After is left alone, and the caller is told how long", async () => {
    const { server, collection, waited } = await setUp();
    server.odd = ({ method }, response) =>
      method === "REPORT" && Boolean(response.writeHead(503, { "retry-after": "120" }).end());
    const error = await errorOf(collection.between(from, to));
    expect(error).toMatchObject({ kind: "rate_limited", retryAfterSeconds: 120 });
    expect(waited).toEqual([]);
  });

  it("by closing a connection is asked again for a read, and never for a write", async () => {
    const { server, collection } = await setUp();
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

  it("by saying nothing ends with the time budget, which a write says may have been in vain or not", async () => {
    const { server, collection } = await setUp({ budgetMs: 150 });
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

  it("that is not there did nothing, not even a write", async () => {
    const { server, collection } = await setUp();
    await collection.facts();
    await server.close();
    server.close = async () => undefined;
    // The first meets the connection that was kept, of which nobody can tell what was read.
    await errorOf(collection.create("a.ics", "x"));
    const error = await errorOf(collection.create("a.ics", "x"));
    expect(error).toMatchObject({ kind: "unavailable", sideEffects: "none" });
  });
});

describe("an answer to a write", () => {
  it.each([
    [412, "conflict", "none"],
    [409, "conflict", "none"],
    [403, "forbidden", "none"],
    [413, "too_large", "none"],
    [500, "unavailable", "unknown"],
    [504, "unavailable", "unknown"],
  ] as const)("of %i is %s, side effects %s", async (status, kind, sideEffects) => {
    const { server, collection } = await setUp();
    server.odd = ({ method }, response) =>
      method === "PUT" && Boolean(response.writeHead(status).end());
    const error = await errorOf(collection.replace("a.ics", "x", { etag: '"1"' }));
    expect(error).toMatchObject({ kind, sideEffects });
  });

  it("of 207 is a failure, with what it says inside", async () => {
    const { server, collection } = await setUp();
    let inner =
      "<d:response><d:href>/a</d:href><d:status>HTTP/1.1 412 Precondition Failed</d:status></d:response>";
    server.odd = ({ method }, response) => {
      if (method !== "PUT") return false;
      answerDav(response, inner);
      return true;
    };
    expect((await errorOf(collection.create("a.ics", "x"))).kind).toBe("conflict");
    inner = "";
    expect(await errorOf(collection.create("a.ics", "x"))).toMatchObject({
      sideEffects: "unknown",
    });
  });

  it("without an ETag is believed only when the event can be read back", async () => {
    const { server, collection } = await setUp();
    let isThere = true;
    server.odd = ({ method }, response) => {
      if (method === "PUT") return Boolean(response.writeHead(201).end());
      if (method !== "GET" || !isThere) return false;
      return Boolean(response.writeHead(200, { etag: '"2"' }).end("BEGIN:VCALENDAR"));
    };
    await collection.create("a.ics", "x");
    isThere = false;
    expect(await errorOf(collection.create("a.ics", "x"))).toMatchObject({
      sideEffects: "unknown",
    });
  });
});

describe("making an event over a network that fails", () => {
  const maker = { principal: "local", idempotencyKey: "once" };
  const time = {
    allDay: false,
    start: new Date("2026-11-23T08:00:00Z"),
    end: new Date("2026-11-23T09:00:00Z"),
  } as const;
  const event = { title: "Once", time, timeZone: "Europe/Berlin", recurrence: undefined };

  it("leaves it unknown after a time-out, and looks before it writes again: never two events", async () => {
    const { server, collection } = await setUp({ budgetMs: 300 });
    await collection.facts();
    const ledger = createFakeEventLedger();
    const calendar = createCalendar({ objects: collection, ledger, key: new Uint8Array(32) });
    const kept = new Map<string, string>();
    let isSilent = true;
    server.odd = ({ method, url = "" }, response, body) => {
      if (method === "PUT") {
        kept.set(url, body);
        return isSilent || Boolean(response.writeHead(201, { etag: '"1"' }).end());
      }
      const text = kept.get(url);
      if (method !== "GET" || text === undefined) return false;
      return Boolean(response.writeHead(200, { etag: '"1"' }).end(text));
    };
    const error = await errorOf(calendar.create(event, maker));
    expect(error).toMatchObject({ kind: "timeout", sideEffects: "unknown" });
    expect([...ledger.entries.values()].map(({ confirmed }) => confirmed)).toEqual([false]);
    isSilent = false;
    const made = await calendar.create(event, maker);
    expect(made).toMatchObject({ title: "Once", origin: "assistant" });
    expect(server.seen.filter(({ method }) => method === "PUT")).toHaveLength(1);
    expect([...ledger.entries.values()].map(({ confirmed }) => confirmed)).toEqual([true]);
  });

  it("forgets the ledger's row where the server has something else of that name (412)", async () => {
    const { server, collection } = await setUp();
    const ledger = createFakeEventLedger();
    const calendar = createCalendar({ objects: collection, ledger, key: new Uint8Array(32) });
    server.odd = ({ method }, response) =>
      method === "PUT" && Boolean(response.writeHead(412).end());
    expect((await errorOf(calendar.create(event, maker))).kind).toBe("conflict");
    expect(ledger.entries.size).toBe(0);
  });
});

describe("OAuth", () => {
  it("renews the access token, uses it, and renews it again when it is refused", async () => {
    let tokens = 0;
    const issuer = await startOddServer();
    onTestFinished(() => issuer.close());
    issuer.odd = (_request, response, body) => {
      expect(body).toContain("refresh_token=refresh-me");
      tokens += 1;
      const token = { access_token: `token-${tokens}`, expires_in: 3_600 };
      return Boolean(
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(token)),
      );
    };
    const { server, collection } = await setUp({
      auth: {
        kind: "oauth",
        clientId: "client",
        clientSecret: new Secret("hunter2"),
        refreshToken: new Secret("refresh-me"),
        tokenUrl: `${issuer.url}/token`,
      },
    });
    await collection.facts();
    expect(new Set(server.seen.map(({ authorization }) => authorization))).toEqual(
      new Set(["Bearer token-1"]),
    );
    server.odd = ({ headers }, response) =>
      headers.authorization === "Bearer token-1" && Boolean(response.writeHead(401).end());
    expect(await collection.between(from, to)).toEqual([]);
    expect(tokens).toBe(2);
    issuer.odd = (_request, response) => Boolean(response.writeHead(400).end("{}"));
    server.odd = (_request, response) => Boolean(response.writeHead(401).end());
    const error = await errorOf(collection.between(from, to));
    expect(error.kind).toBe("auth");
    expect(error.hint).toContain("CALDAV_OAUTH_REFRESH_TOKEN");
  });
});
