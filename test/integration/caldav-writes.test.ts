import { describe, expect, it } from "vitest";
import { createCalendar } from "../../src/calendar/create-calendar.ts";
import { createFakeEventLedger } from "../fakes/event-ledger.ts";
import { answerDav, davItem } from "../servers/odd-caldav.ts";
import { errorOf, setUpCollection } from "./caldav-world.ts";

describe("a response to a write", () => {
  it.each([
    [412, "conflict", "none"],
    [409, "conflict", "none"],
    [403, "forbidden", "none"],
    [413, "too_large", "none"],
    [500, "unavailable", "unknown"],
    [504, "unavailable", "unknown"],
    [507, "too_large", "none"],
  ] as const)("of %i is %s, side effects %s", async (status, kind, sideEffects) => {
    const { server, collection } = await setUpCollection();
    server.odd = ({ method }, response) =>
      method === "PUT" && Boolean(response.writeHead(status).end());
    const error = await errorOf(collection.replace("a.ics", "x", { etag: '"1"' }));
    expect(error).toMatchObject({ kind, sideEffects });
  });

  it("of 207 is a failure with the inner status", async () => {
    const { server, collection } = await setUpCollection();
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

  it("without an ETag is accepted only if the event can be read back", async () => {
    const { server, collection } = await setUpCollection();
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

// A proxy that compresses responses changes their ETags, and then each approved change ended as a conflict.
it.each([
  ["a suffix", '"1-gzip"'],
  ["a weak form", 'W/"1"'],
])("a change is accepted if compression gives the ETag %s", async (_what, changed) => {
  const { server, collection } = await setUpCollection();
  server.odd = ({ method, headers, url = "" }, response) => {
    if (method === "PROPFIND" && url.endsWith(".ics")) {
      answerDav(response, davItem(url, '<d:getetag>"1"</d:getetag>'));
      return true;
    }
    if (method === "PUT" && headers["if-match"] !== '"1"')
      return Boolean(response.writeHead(412).end());
    if (method !== "GET") return false;
    const isCompressed = /gzip/.test(String(headers["accept-encoding"])) || changed.startsWith("W");
    response.writeHead(200, { etag: isCompressed ? changed : '"1"' }).end("BEGIN:VCALENDAR");
    return true;
  };
  const object = await collection.get("a.ics");
  await collection.replace("a.ics", "x", { etag: object?.etag ?? "" });
  expect(object?.etag).toBe('"1"');
});

it("a weak ETag of another version is kept, so that a change ends as a conflict", async () => {
  const { server, collection } = await setUpCollection();
  server.odd = ({ method, url = "" }, response) => {
    if (method === "PROPFIND" && url.endsWith(".ics")) {
      answerDav(response, davItem(url, '<d:getetag>"2"</d:getetag>'));
      return true;
    }
    if (method !== "GET") return false;
    return Boolean(response.writeHead(200, { etag: 'W/"1"' }).end("BEGIN:VCALENDAR"));
  };
  expect((await collection.get("a.ics"))?.etag).toBe('W/"1"');
});

describe("a success that changes nothing", () => {
  const page = "<!DOCTYPE html><title>Log in</title>";

  // A login page in front of the server, and a server that dropped the change, were reported as a change.
  it.each([
    ["a login page without an ETag", {}, page],
    ["a login page with an ETag", { etag: '"page"' }, page],
    ["no content", {}, ""],
  ])("is not reported as a change: %s", async (_what, headers, body) => {
    const { server, collection } = await setUpCollection();
    server.odd = ({ method }, response) => {
      if (method === "PUT" || method === "DELETE")
        return Boolean(response.writeHead(200, headers).end(body));
      if (method !== "GET") return false;
      return Boolean(response.writeHead(200, { etag: '"1"' }).end("BEGIN:VCALENDAR"));
    };
    const changed = await errorOf(collection.replace("a.ics", "x", { etag: '"1"' }));
    expect(changed).toMatchObject({ kind: "unavailable", sideEffects: "unknown" });
    expect(changed.message).toContain("still returns the event as it was");
    if (body === "") return;
    const removed = await errorOf(collection.remove("a.ics", { etag: '"1"' }));
    expect(removed).toMatchObject({ kind: "unavailable", sideEffects: "unknown" });
  });

  it("differs from a deletion whose response has a text", async () => {
    const { server, collection } = await setUpCollection();
    server.odd = ({ method }, response) =>
      method === "DELETE" && Boolean(response.writeHead(200).end("<html>Deleted</html>"));
    await collection.remove("a.ics", { etag: '"1"' });
    expect(server.seen.at(-1)?.method).toBe("GET");
  });
});

describe("creating an event over a failing network", () => {
  const maker = { principal: "local", idempotencyKey: "once" };
  const time = {
    allDay: false,
    start: new Date("2026-11-23T08:00:00Z"),
    end: new Date("2026-11-23T09:00:00Z"),
  } as const;
  const event = { title: "Once", time, timeZone: "Europe/Berlin", recurrence: undefined };

  it("leaves it unknown after a timeout, and checks before it writes again: never two events", async () => {
    const { server, collection } = await setUpCollection({ budgetMs: 300 });
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

  it("deletes the ledger's row if the server has another object with that name (412)", async () => {
    const { server, collection } = await setUpCollection();
    const ledger = createFakeEventLedger();
    const calendar = createCalendar({ objects: collection, ledger, key: new Uint8Array(32) });
    server.odd = ({ method }, response) =>
      method === "PUT" && Boolean(response.writeHead(412).end());
    expect((await errorOf(calendar.create(event, maker))).kind).toBe("conflict");
    expect(ledger.entries.size).toBe(0);
  });
});
