import { describe, expect, it } from "vitest";
import { createCalendar } from "../../src/calendar/create-calendar.ts";
import { createFakeEventLedger } from "../fakes/event-ledger.ts";
import { answerDav, davItem } from "../servers/odd-caldav.ts";
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

  it("by closing a connection gets one retry for a read, and none for a write", async () => {
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

  it("by being unreachable has certainly done nothing, even for a write", async () => {
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

describe("a listing in which events are missing [calendar.faults]", () => {
  const file = (uid: string): string =>
    `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:20261124T090000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
  const data = (uid: string): string =>
    `<d:getetag>"1"</d:getetag><c:calendar-data>${file(uid)}</c:calendar-data>`;
  const status = (href: string, code: string): string =>
    `<d:response><d:href>${href}</d:href><d:status>HTTP/1.1 ${code}</d:status></d:response>`;
  const refused = `<d:response><d:href>/home/assistant/b.ics</d:href><d:propstat><d:prop><d:getetag>"1"</d:getetag></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat><d:propstat><d:prop><c:calendar-data/></d:prop><d:status>HTTP/1.1 403 Forbidden</d:status></d:propstat></d:response>`;

  async function setUp(second: string) {
    const { server, collection } = await setUpCollection();
    server.odd = ({ method }, response) => {
      if (method !== "REPORT") return false;
      answerDav(response, davItem("/home/assistant/a.ics", data("a")) + second);
      return true;
    };
    const ledger = createFakeEventLedger();
    return createCalendar({ objects: collection, ledger, key: new Uint8Array(32) });
  }

  // Such events were left out without a notice, so that their times looked free.
  it.each([
    ["an event without its file", davItem("/home/assistant/b.ics", '<d:getetag>"1"</d:getetag>')],
    ["an event with an empty file", davItem("/home/assistant/b.ics", "<c:calendar-data/>")],
    ["an event whose file is refused", refused],
    ["an event with an error", status("/home/assistant/b.ics", "500 Internal Server Error")],
    ["an event with a slash in its name", davItem("/home/assistant/b%2Fc.ics", data("b"))],
    ["an event with a broken address", davItem("/home/assistant/%E9.ics", data("b"))],
  ])("counts %s as skipped", async (_what, second) => {
    const calendar = await setUp(second);
    const { events, skipped } = await calendar.list({ from, to, timeZone: "UTC" });
    expect({ found: events.length, skipped }).toEqual({ found: 1, skipped: 1 });
  });

  it.each([
    ["the collection itself", davItem("/home/assistant/", "")],
    ["a folder", davItem("/home/assistant/inner/", "")],
    ["an event that was deleted meanwhile", status("/home/assistant/b.ics", "404 Not Found")],
  ])("skips nothing for %s", async (_what, second) => {
    const calendar = await setUp(second);
    expect(await calendar.list({ from, to, timeZone: "UTC" })).toMatchObject({ skipped: 0 });
  });

  it("fails if it says that there are more (507), and names the reason", async () => {
    const calendar = await setUp(status("/home/assistant/", "507 Insufficient Storage"));
    const error = await errorOf(calendar.list({ from, to, timeZone: "UTC" }));
    expect(error).toMatchObject({ kind: "too_large", sideEffects: "none" });
    expect(error.message).toContain("only a part of the events");
  });
});

// A missing calendar was reported as an event that does not exist.
it("a server without the calendar is reported as such", async () => {
  const { server, collection } = await setUpCollection();
  await collection.facts();
  server.odd = ({ method }, response) =>
    ["REPORT", "PUT"].includes(method ?? "") && Boolean(response.writeHead(404).end());
  for (const work of [collection.between(from, to), collection.create("a.ics", "x")]) {
    const error = await errorOf(work);
    expect(error).toMatchObject({ kind: "not_found", sideEffects: "none" });
    expect(error.message).toBe("The calendar was not found on its server. Nothing was done.");
    expect(error.hint).toContain("`doctor`");
  }
});
