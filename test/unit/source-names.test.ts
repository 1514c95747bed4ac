import { describe, expect, it } from "vitest";
import { sourceNames } from "../../src/app/compose/source-names.ts";
import { createCalendar } from "../../src/calendar/create-calendar.ts";
import { ToolError } from "../../src/core/tool/tool-error.ts";
import { createFakeCalendarObjects } from "../fakes/calendar-objects.ts";
import { createFakeEventLedger } from "../fakes/event-ledger.ts";

const gone = (): Promise<never> => Promise.reject(new ToolError("not_found", "It is gone."));
const source = { writtenBy: "unknown", verified: false, at: new Date() } as const;

function namesOver(text: string) {
  const objects = createFakeCalendarObjects();
  objects.put("one.ics", text);
  const calendar = createCalendar({
    objects,
    ledger: createFakeEventLedger(),
    key: Buffer.alloc(32),
  });
  const nameOf = sourceNames({
    mail: { read: gone },
    files: { stat: gone },
    calendar,
    findReminder: (id) => Promise.resolve(id === "rm_1" ? { text: "Call Ann" } : undefined),
  });
  return { calendar, objects, nameOf };
}

const event = [
  "BEGIN:VCALENDAR",
  "VERSION:2.0",
  "PRODID:-//Example//EN",
  "BEGIN:VEVENT",
  "UID:3f1c@example.org",
  "DTSTAMP:20261101T080000Z",
  "DTSTART:20261124T090000Z",
  "DTEND:20261124T100000Z",
  "SUMMARY:Dentist 4711",
  "END:VEVENT",
  "END:VCALENDAR",
  "",
].join("\r\n");

describe("names of contents for the person who decides", () => {
  // Events and reminders had their ids there, which say nothing to a person.
  it("have the title and the time of an event", async () => {
    const { calendar, nameOf } = namesOver(event);
    const { events } = await calendar.list({
      from: new Date("2026-11-24"),
      to: new Date("2026-11-25"),
      timeZone: "UTC",
    });
    const id = events[0]?.eventId ?? "";
    expect(await nameOf({ ...source, kind: "event", id })).toMatch(
      /^the event "Dentist 4711", Tue 24 Nov 2026, \d\d:00 to \d\d:00 \(.+\)$/,
    );
  });

  it("say that an event is no longer there, without its id", async () => {
    const { nameOf } = namesOver(event);
    const name = await nameOf({ ...source, kind: "event", id: "ev_unknown" });
    expect(name).toBe("an event that the calendar does not return now");
  });

  it("have the text of a reminder", async () => {
    const { nameOf } = namesOver(event);
    expect(await nameOf({ ...source, kind: "reminder", id: "rm_1" })).toBe(
      'the reminder "Call Ann"',
    );
    expect(await nameOf({ ...source, kind: "reminder", id: "rm_2" })).toBe("a deleted reminder");
  });
});
