import { describe, expect, inject, it } from "vitest";
import { createCollection } from "../../src/adapters/caldav/collection.ts";
import { createCalendar } from "../../src/calendar/create-calendar.ts";
import { Secret } from "../../src/core/shared/secret.ts";
import { ToolError } from "../../src/core/tool/tool-error.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { getEventsDetails } from "../../src/tools/calendar/get-events-details.ts";
import { createFakeCalendarObjects } from "../fakes/calendar-objects.ts";
import { createFakeEventLedger } from "../fakes/event-ledger.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { makeCalendar } from "../servers/caldav.ts";
import type { CalendarServer } from "../servers/calendar-server.ts";
import { calendarContract } from "./calendar.ts";

const key = new Uint8Array(32).fill(7);

calendarContract("the fake", async () => {
  const objects = createFakeCalendarObjects();
  const ledger = createFakeEventLedger();
  const reopen = () => createCalendar({ objects, ledger, key });
  return {
    calendar: reopen(),
    reopen,
    name: "Assistant",
    put: async (name, text) => objects.put(name, text),
    get: async (name) => objects.kept.get(name)?.text ?? "",
    objectNames: async () => [...objects.kept.keys()],
  };
});

describe("a change of an event", () => {
  // The ledger was read again after the change. If that failed, the result said that nothing had been changed.
  it("is refused if the ledger cannot be read", async () => {
    const objects = createFakeCalendarObjects();
    const ledger = createFakeEventLedger();
    const calendar = createCalendar({ objects, ledger, key });
    const time = {
      allDay: false,
      start: new Date("2026-11-23T08:00:00Z"),
      end: new Date("2026-11-23T09:00:00Z"),
    } as const;
    const { eventId } = await calendar.create(
      { title: "Standup", time, timeZone: "UTC", recurrence: undefined },
      { principal: "local", idempotencyKey: undefined },
    );
    const { version } = await calendar.find(eventId, "UTC");
    const before = [...objects.kept.values()];
    ledger.find = async () => {
      throw new ToolError("unavailable", "The database is locked. Nothing was changed.");
    };
    const changes = { title: "Mine", time: undefined, timeZone: undefined };
    const options = { scope: "all", timeZone: "UTC", version } as const;
    await expect(calendar.update(eventId, changes, options)).rejects.toMatchObject({
      kind: "unavailable",
      sideEffects: "none",
    });
    expect([...objects.kept.values()]).toEqual(before);
  });
});

describe("an approval to see the user's events", () => {
  const args = { start: "2026-11-23", end: "2026-11-30", timeZone: "UTC" };
  const text = (hour: string, title: string): string =>
    [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Someone//Else//EN",
      "BEGIN:VEVENT",
      "UID:theirs@example.org",
      "DTSTAMP:20261101T000000Z",
      `DTSTART:20261124T${hour}0000Z`,
      "DURATION:PT1H",
      `SUMMARY:${title}`,
      "END:VEVENT",
      "END:VCALENDAR",
      "",
    ].join("\r\n");

  async function asked() {
    const objects = createFakeCalendarObjects();
    objects.put("one.ics", text("09", "Choir"));
    objects.put("two.ics", text("09", "Dentist"));
    const calendar = createCalendar({ objects, ledger: createFakeEventLedger(), key });
    const context = {
      ports: { calendar } as Ports,
      principal: "local",
      callId: "call_1",
      signal: new AbortController().signal,
      cancellation: new AbortController().signal,
    };
    const { version: target } = (await getEventsDetails.prepare?.(args, context)) ?? {};
    return { objects, show: () => getEventsDetails.execute(args, { ...context, version: target }) };
  }

  it("applies to the same events in any order", async () => {
    const { objects, show } = await asked();
    const [first] = objects.kept.keys();
    objects.kept.delete(first ?? "");
    objects.put("one.ics", text("09", "Choir"));
    expect(await show()).toMatchObject({ events: [{}, {}], withheld: 0 });
  });

  // The approval covered a number of events, so other events could take their place.
  it.each([
    ["another in the place of one", "three.ics", text("09", "Choir")],
    ["one at another time", "one.ics", text("10", "Choir")],
    ["one with another title", "one.ics", text("09", "Surgery")],
  ])("does not apply to %s [calendar.details]", async (_what, name, changed) => {
    const { objects, show } = await asked();
    objects.kept.delete("one.ics");
    objects.put(name, changed);
    await expect(show()).rejects.toMatchObject({ kind: "conflict", sideEffects: "none" });
  });
});

const { radicale, cyrus } = inject("calendarServers");
real("Radicale", radicale);
real("Cyrus", cyrus);

/** Opens a calendar for one test, beside the others on the same account. */
function real(name: string, server: CalendarServer | undefined): void {
  describe.skipIf(server === undefined)(`on ${name}`, () => {
    calendarContract(name, async () => {
      const own = await makeCalendar(server!);
      const objects = createCollection({
        url: server!.url,
        username: "alice",
        auth: { kind: "basic", password: new Secret("secret") },
        calendar: own.name,
        allowedHosts: [],
        log: quietLog,
      });
      const ledger = createFakeEventLedger();
      const reopen = () => createCalendar({ objects, ledger, key });
      return { ...own, calendar: reopen(), reopen };
    });
  });
}
