import { describe, expect, it } from "vitest";
import { createCalendar } from "../../src/calendar/create-calendar.ts";
import { createFakeEventLedger } from "../fakes/event-ledger.ts";
import { answerDav } from "../servers/odd-caldav.ts";
import { errorOf, setUpCollection } from "./caldav-world.ts";

describe("a response to a write", () => {
  it.each([
    [412, "conflict", "none"],
    [409, "conflict", "none"],
    [403, "forbidden", "none"],
    [413, "too_large", "none"],
    [500, "unavailable", "unknown"],
    [504, "unavailable", "unknown"],
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
