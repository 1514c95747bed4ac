import { expect, it } from "vitest";
import { invitedTo } from "../../src/calendar/invited.ts";
import { fileOf } from "../../src/calendar/find-event.ts";

function invited(...lines: string[]): readonly string[] {
  const start = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1", "DTSTART:20261124T090000Z"];
  const text = [...start, ...lines, "END:VEVENT", "END:VCALENDAR", ""].join("\r\n");
  const [series] = fileOf({ name: "1.ics", etag: "", text })!.series;
  return invitedTo(series!);
}

it("names the organizer and each attendee once", () => {
  const bob = 'ATTENDEE;CN="Bob: the builder":MAILTO:bob@example.org';
  expect(invited("ORGANIZER:mailto:me@example.org", bob, bob, "ATTENDEE:urn:uuid:1")).toEqual([
    "me@example.org",
    "bob@example.org",
    "urn:uuid:1",
  ]);
  expect(invited("ORGANIZER:mailto:me@example.org")).toEqual([]);
});

it("skips broken lines, and reads at most 200", () => {
  expect(invited("ATTENDEE", 'ATTENDEE;CN="open:mailto:a@b.example')).toEqual([]);
  const many = Array.from({ length: 300 }, (_, number) => `ATTENDEE:mailto:${number}@example.org`);
  expect(invited(...many)).toHaveLength(200);
});
