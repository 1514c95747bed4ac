import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Calendar, CalendarEvent, NewEvent } from "../../src/ports/calendar/calendar.ts";
import { encodeEventId } from "../../src/ports/calendar/event-id.ts";

export interface CalendarWorld {
  calendar: Calendar;
  name: string;
  /** Another program of the user puts and reads objects. */
  put: (objectName: string, text: string) => Promise<void>;
  get: (objectName: string) => Promise<string>;
  objectNames: () => Promise<string[]>;
  /** The same calendar as another process sees it. */
  reopen: () => Calendar;
}

const timeZone = "Europe/Berlin";
const maker = { principal: "local", idempotencyKey: undefined };
const november = {
  from: new Date("2026-11-01T00:00:00Z"),
  to: new Date("2026-12-01T00:00:00Z"),
  timeZone,
};

function meeting(more: Partial<NewEvent> = {}): NewEvent {
  const time = {
    allDay: false,
    start: new Date("2026-11-23T08:00:00Z"),
    end: new Date("2026-11-23T09:00:00Z"),
  } as const;
  return { title: "Standup", time, timeZone, recurrence: undefined, ...more };
}

/** The user's own weekly event: with things that we know nothing of, and one occurrence moved. */
const weeklyText = [
  "BEGIN:VCALENDAR",
  "VERSION:2.0",
  "PRODID:-//Someone//Else//EN",
  "BEGIN:VEVENT",
  "UID:weekly@example.org",
  "DTSTAMP:20261101T000000Z",
  "DTSTART;TZID=Europe/Berlin:20261102T100000",
  "DTEND;TZID=Europe/Berlin:20261102T110000",
  "RRULE:FREQ=WEEKLY;COUNT=4",
  "SUMMARY:Choir",
  "X-COLOR:teal",
  "ATTENDEE;CN=Bob:mailto:bob@example.org",
  "BEGIN:VALARM",
  "ACTION:DISPLAY",
  "DESCRIPTION:Go",
  "TRIGGER:-PT15M",
  "END:VALARM",
  "END:VEVENT",
  "BEGIN:VEVENT",
  "UID:weekly@example.org",
  "DTSTAMP:20261101T000000Z",
  "RECURRENCE-ID;TZID=Europe/Berlin:20261109T100000",
  "DTSTART;TZID=Europe/Berlin:20261110T100000",
  "DTEND;TZID=Europe/Berlin:20261110T110000",
  "SUMMARY:Choir (moved)",
  "END:VEVENT",
  "END:VCALENDAR",
  "",
].join("\r\n");

/** The event has a UID of its own, because Cyrus accepts each UID only once per account (RFC 6638, section 3.2.4.1). */
const weeklyEvent = (): string =>
  weeklyText.replaceAll("weekly@example.org", `${randomUUID()}@example.org`);

const startsOf = (events: readonly CalendarEvent[]): string[] =>
  events.map(({ time }) => (time.allDay ? time.start : time.start.toISOString()));

export function calendarContract(name: string, open: () => Promise<CalendarWorld>): void {
  describe(`a calendar: ${name}`, () => {
    it("returns its name and a time zone", async () => {
      const { calendar, name: calendarName } = await open();
      expect((await calendar.about()).name).toBe(calendarName);
      await calendar.check();
    });

    it("stores a new event with its zone as the assistant's own [calendar.zones]", async () => {
      const { calendar, get, objectNames } = await open();
      const made = await calendar.create(meeting(), maker);
      expect(made).toMatchObject({ title: "Standup", origin: "assistant" });
      const { events, skipped, truncated } = await calendar.list(november);
      expect({ events, skipped, truncated }).toEqual({
        events: [made],
        skipped: 0,
        truncated: false,
      });
      const [objectName = ""] = await objectNames();
      const text = await get(objectName);
      expect(text).toMatch(/DTSTART;TZID=Europe\/Berlin:20261123T090000/);
      expect(text).toMatch(/BEGIN:VTIMEZONE/);
      expect(text).toMatch(/UID:[a-z2-7]{28}@countersign/);
    });

    // An event in the second of two equal hours was stored an hour earlier than approved, or without length.
    it("keeps the times of a night in which clocks are put back", async () => {
      const { calendar } = await open();
      const night = { from: new Date("2026-10-24T12:00Z"), to: new Date("2026-10-25T12:00Z") };
      const times = [
        ["2026-10-25T01:30Z", "2026-10-25T02:30Z"],
        ["2026-10-24T22:30Z", "2026-10-25T01:30Z"],
        ["2026-10-25T00:45Z", "2026-10-25T01:15Z"],
      ].map(([start = "", end = ""]) => ({
        allDay: false as const,
        start: new Date(start),
        end: new Date(end),
      }));
      for (const time of times) {
        const { eventId } = await calendar.create(meeting(), maker);
        const options = { scope: "this", timeZone } as const;
        const { version } = await calendar.find(eventId, timeZone);
        const changes = { title: undefined, time, timeZone: undefined };
        const moved = await calendar.update(eventId, changes, { ...options, version });
        const made = await calendar.create(meeting({ time }), maker);
        expect([moved.time, made.time]).toEqual([time, time]);
        const { events } = await calendar.list({ ...night, timeZone });
        const listed = events.filter((one) => [made.eventId, eventId].includes(one.eventId));
        expect(listed.map((one) => one.time)).toEqual([time, time]);
      }
      const series = meeting({ time: times[0]!, recurrence: "FREQ=DAILY" });
      await expect(calendar.create(series, maker)).rejects.toMatchObject({ kind: "invalid_input" });
    });

    it("keeps an all-day event as dates", async () => {
      const { calendar, get, objectNames } = await open();
      const time = { allDay: true, start: "2026-11-24", end: "2026-11-26" } as const;
      const made = await calendar.create(meeting({ time }), maker);
      expect(made.time).toEqual(time);
      expect(await get((await objectNames())[0] ?? "")).toMatch(/DTSTART;VALUE=DATE:20261124/);
      expect((await calendar.list(november)).events).toEqual([made]);
    });

    it("attributes an event of another program to the user, whatever its UID [calendar.origin]", async () => {
      const { calendar, put } = await open();
      const uid = `${"a".repeat(28)}@countersign`;
      await put("forged.ics", weeklyText.replaceAll("weekly@example.org", uid));
      const { events } = await calendar.list(november);
      expect(new Set(events.map(({ origin }) => origin))).toEqual(new Set(["user"]));
    });

    it("shows a series with its moved occurrence", async () => {
      const { calendar, put } = await open();
      const weekly = weeklyEvent();
      await put("weekly.ics", weekly);
      const { events } = await calendar.list(november);
      expect(startsOf(events)).toEqual([
        "2026-11-02T09:00:00.000Z",
        "2026-11-10T09:00:00.000Z",
        "2026-11-16T09:00:00.000Z",
        "2026-11-23T09:00:00.000Z",
      ]);
      expect(events.map(({ title }) => title)).toEqual([
        "Choir",
        "Choir (moved)",
        "Choir",
        "Choir",
      ]);
    });

    it("changes one occurrence and leaves the rest of the series unchanged", async () => {
      const { calendar, put, get } = await open();
      const weekly = weeklyEvent();
      await put("weekly.ics", weekly);
      const third = (await calendar.list(november)).events[2]!;
      const changes = { title: "Choir without piano", time: undefined, timeZone: undefined };
      const options = { scope: "this", timeZone } as const;
      const { before, after } = await calendar.previewUpdate(third.eventId, changes, options);
      expect([before.event.title, after.title]).toEqual(["Choir", "Choir without piano"]);
      const { version } = before;
      const changed = await calendar.update(third.eventId, changes, { ...options, version });
      expect(changed).toEqual(after);
      const { events } = await calendar.list(november);
      expect(events.map(({ title }) => title)).toEqual([
        "Choir",
        "Choir (moved)",
        "Choir without piano",
        "Choir",
      ]);
      const text = await get("weekly.ics");
      for (const kept of ["X-COLOR:teal", "TRIGGER:-PT15M", "COUNT=4", "mailto:bob@example.org"]) {
        expect(text).toContain(kept);
      }
    });

    it("moves a whole series, and its exceptions with it", async () => {
      const { calendar, put } = await open();
      const weekly = weeklyEvent();
      await put("weekly.ics", weekly);
      const [first] = (await calendar.list(november)).events;
      const { version } = await calendar.find(first!.eventId, timeZone);
      const time = {
        allDay: false,
        start: new Date("2026-11-02T10:00:00Z"),
        end: new Date("2026-11-02T12:00:00Z"),
      } as const;
      const changes = { title: undefined, time, timeZone: undefined };
      await calendar.update(first!.eventId, changes, { scope: "all", timeZone, version });
      expect(startsOf((await calendar.list(november)).events)).toEqual([
        "2026-11-02T10:00:00.000Z",
        "2026-11-10T09:00:00.000Z",
        "2026-11-16T10:00:00.000Z",
        "2026-11-23T10:00:00.000Z",
      ]);
    });

    it("refuses to change or delete an event that changed meanwhile [calendar.if-match]", async () => {
      const { calendar, put } = await open();
      const weekly = weeklyEvent();
      await put("weekly.ics", weekly);
      const [first] = (await calendar.list(november)).events;
      const { version } = await calendar.find(first!.eventId, timeZone);
      await put("weekly.ics", weekly.replaceAll("Choir", "Band"));
      const changes = { title: "Mine", time: undefined, timeZone: undefined };
      const options = { scope: "this", timeZone, version } as const;
      const expected = { kind: "conflict", sideEffects: "none" };
      await expect(calendar.update(first!.eventId, changes, options)).rejects.toMatchObject(
        expected,
      );
      await expect(calendar.remove(first!.eventId, options)).rejects.toMatchObject(expected);
      expect((await calendar.list(november)).events.map(({ title }) => title)).not.toContain(
        "Mine",
      );
    });

    it("deletes one occurrence, then the whole series", async () => {
      const { calendar, put, objectNames } = await open();
      const weekly = weeklyEvent();
      await put("weekly.ics", weekly);
      const [, moved] = (await calendar.list(november)).events;
      const before = await calendar.find(moved!.eventId, timeZone);
      const options = { timeZone, version: before.version };
      await calendar.remove(moved!.eventId, { ...options, scope: "this" });
      const { events } = await calendar.list(november);
      expect(events).toHaveLength(3);
      const last = await calendar.find(events[0]!.eventId, timeZone);
      await calendar.remove(events[0]!.eventId, { timeZone, version: last.version, scope: "all" });
      expect(await objectNames()).toEqual([]);
      await expect(calendar.find(moved!.eventId, timeZone)).rejects.toMatchObject({
        kind: "not_found",
      });
    });

    it("creates one event for one idempotency key, however often it is requested [calendar.at-most-once]", async () => {
      const { calendar, objectNames } = await open();
      const keyed = { ...maker, idempotencyKey: "trip-1" };
      const first = await calendar.create(meeting(), keyed);
      expect(await calendar.create(meeting(), keyed)).toEqual(first);
      expect(await objectNames()).toHaveLength(1);
      const other = calendar.create(meeting({ title: "Another" }), keyed);
      await expect(other).rejects.toMatchObject({ kind: "conflict" });
      const somebody = { principal: "bob", idempotencyKey: "trip-1" };
      expect((await calendar.create(meeting(), somebody)).eventId).not.toBe(first.eventId);
    });

    it("creates a series from a valid rule only", async () => {
      const { calendar } = await open();
      await calendar.create(meeting({ recurrence: "FREQ=WEEKLY;BYDAY=MO;UNTIL=20261215" }), maker);
      const december = { ...november, to: new Date("2027-01-31T00:00:00Z") };
      expect(startsOf((await calendar.list(december)).events)).toEqual([
        "2026-11-23T08:00:00.000Z",
        "2026-11-30T08:00:00.000Z",
        "2026-12-07T08:00:00.000Z",
        "2026-12-14T08:00:00.000Z",
      ]);
      const rules = ["FREQ=SOMETIMES", "COUNT=3", "FREQ=SECONDLY", "FREQ=DAILY\nX:y"];
      // Short rules that name a time each minute or second of a day.
      rules.push("FREQ=DAILY;BYMINUTE=0,1", "FREQ=HOURLY;BYSECOND=0,1");
      // Xandikos could not list a calendar with such an event any more.
      rules.push("RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD", "FREQ=MONTHLY;SKIP=OMIT");
      for (const recurrence of rules) {
        const attempt = calendar.create(meeting({ recurrence }), maker);
        await expect(attempt, recurrence).rejects.toMatchObject({ kind: "invalid_input" });
      }
    });

    it("returns ids of at most 40 characters that any process resolves [calendar.ids]", async () => {
      const { calendar, put, reopen } = await open();
      const name = `${"long-".repeat(30)}name.ics`;
      await put(name, weeklyText);
      const made = await calendar.create(meeting(), maker);
      const { events } = await calendar.list(november);
      expect(events.map(({ eventId }) => eventId)).toContain(made.eventId);
      expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length);
      for (const { eventId, title } of events) {
        expect(eventId.length).toBeLessThanOrEqual(40);
        const { event } = await reopen().find(eventId, timeZone);
        expect(event).toMatchObject({ eventId, title });
      }
    });

    it("rejects an id that it did not issue", async () => {
      const { calendar } = await open();
      const names = ["../other/x.ics", "..", "", "a/b.ics", "%2e%2e%2fx.ics", "x.ics\nbad"];
      for (const eventId of [
        "nonsense",
        "ev_",
        ...names.map((one) => encodeEventId(one, undefined)),
      ]) {
        const found = calendar.find(eventId, timeZone);
        await expect(found, eventId).rejects.toMatchObject({ kind: "not_found" });
      }
    });
  });
}
