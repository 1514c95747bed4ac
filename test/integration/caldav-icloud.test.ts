import { describe, expect, inject, it, onTestFinished } from "vitest";
import { encodeEventId } from "../../src/ports/calendar/event-id.ts";
import { createCollection } from "../../src/adapters/caldav/collection.ts";
import { createCalendar } from "../../src/calendar/create-calendar.ts";
import { Secret } from "../../src/core/shared/secret.ts";
import { createFakeEventLedger } from "../fakes/event-ledger.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { makeCalendar } from "../servers/caldav.ts";
import { startIcloudProxy } from "../servers/icloud-proxy.ts";

const timeZone = "Europe/Berlin";
const november = {
  from: new Date("2026-11-01T00:00:00Z"),
  to: new Date("2026-12-01T00:00:00Z"),
  timeZone,
};
const event = {
  title: "Standup",
  time: {
    allDay: false,
    start: new Date("2026-11-02T08:00:00Z"),
    end: new Date("2026-11-02T09:00:00Z"),
  },
  timeZone,
  recurrence: "FREQ=WEEKLY;COUNT=3",
} as const;
const maker = { principal: "local", idempotencyKey: undefined };
const { cyrus } = inject("calendarServers");

describe.skipIf(cyrus === undefined)("a server that behaves like iCloud", () => {
  async function setUp() {
    const own = await makeCalendar(cyrus!);
    const proxy = await startIcloudProxy(cyrus!.url);
    onTestFinished(() => proxy.close());
    const waited: number[] = [];
    const objects = createCollection({
      url: proxy.url,
      username: "alice",
      auth: { kind: "basic", password: new Secret("secret") },
      calendar: own.name,
      allowedHosts: ["127.0.0.2"],
      log: quietLog,
      wait: async (ms) => void waited.push(ms),
    });
    const key = new Uint8Array(32);
    const calendar = createCalendar({ objects, ledger: createFakeEventLedger(), key });
    return { own, proxy, waited, calendar };
  }

  it("is read, written and expanded through its partition, without ETags after PUT", async () => {
    const { calendar, proxy } = await setUp();
    proxy.reportDelayMs = 200;
    const made = await calendar.create(event, maker);
    expect((await calendar.list(november)).events).toHaveLength(3);
    const { version } = await calendar.find(made.eventId, timeZone);
    const changes = { title: "Sit-down", time: undefined, timeZone: undefined };
    await calendar.update(made.eventId, changes, { scope: "this", timeZone, version });
    const titles = (await calendar.list(november)).events.map(({ title }) => title);
    expect(titles).toEqual(["Sit-down", "Standup", "Standup"]);
    const written = proxy.requests.filter((one) => one.startsWith("PUT"));
    expect(written).toHaveLength(2);
  });

  it("gets retries when it is busy, for reads only", async () => {
    const { calendar, proxy, waited } = await setUp();
    await calendar.about();
    proxy.busy = 1;
    expect((await calendar.list(november)).events).toEqual([]);
    expect(waited).toEqual([1_000]);
    proxy.busy = 1;
    await expect(calendar.create(event, maker)).rejects.toMatchObject({
      kind: "rate_limited",
      sideEffects: "none",
      retryAfterSeconds: 1,
    });
    expect((await calendar.list(november)).events).toEqual([]);
  });

  it("reveals nothing of the account's second calendar, even by object name [calendar.one]", async () => {
    const { calendar } = await setUp();
    const other = await makeCalendar(cyrus!, `Private ${Math.random()}`);
    const mine = await calendar.create(event, maker);
    const file = [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:x",
      "BEGIN:VEVENT",
      `UID:${Math.random()}`,
    ];
    const rest = [
      "DTSTAMP:20260101T000000Z",
      "DTSTART:20261103T090000Z",
      "DTEND:20261103T100000Z",
      "SUMMARY:canary",
      "END:VEVENT",
    ];
    await other.put("secret.ics", [...file, ...rest, "END:VCALENDAR", ""].join("\r\n"));
    const path = new URL(other.url).pathname;
    const names = [
      "secret.ics",
      `${path}secret.ics`,
      `..${path.slice(path.lastIndexOf("/", path.length - 2))}secret.ics`,
    ];
    for (const name of names) {
      const eventId = encodeEventId(name, undefined);
      await expect(calendar.find(eventId, timeZone), name).rejects.toMatchObject({
        kind: "not_found",
      });
    }
    const { events } = await calendar.list(november);
    expect(events.map(({ title }) => title)).toEqual(["Standup", "Standup", "Standup"]);
    expect(events[0]?.eventId).toBe(mine.eventId);
  });
});
