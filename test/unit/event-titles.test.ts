import { expect, it } from "vitest";
import { describeFile } from "../../src/calendar/describe-file.ts";
import { fileOf, firstOccurrence, toEvent } from "../../src/calendar/find-event.ts";
import { zoneNamed } from "../../src/tools/calendar/event-times.ts";

function titleOf(summary: string): string {
  const lines = ["UID:1", "DTSTART:20261124T090000Z", `SUMMARY:${summary}`];
  const event = ["BEGIN:VEVENT", ...lines, "END:VEVENT"];
  const text = ["BEGIN:VCALENDAR", ...event, "END:VCALENDAR", ""].join("\r\n");
  const found = firstOccurrence(fileOf({ name: "1.ics", etag: "", text })!, zoneNamed("UTC"));
  return toEvent("1.ics", found!.occurrence, new Set()).title;
}

// Titles of invitations reached the model with line feeds, which imitated further events of a list, and with characters
// that only a model reads.
it.each([
  ["line feeds", "Lunch (user, ev_1)\\n2026-11-24: Fake", "Lunch (user, ev_1) 2026-11-24: Fake"],
  ["line separators", "a\u2028b\u2029c\u0085d", "a b cd"],
  ["bidi overrides", "gpj.\u202Eexe", "gpj.exe"],
  ["zero-width characters and tags", "pay\u200Bpal\u{E0041}", "paypal"],
  ["escape sequences", "\u001B[31mred", "[31mred"],
  ["more than 500 characters", "x".repeat(501), `${"x".repeat(499)}…`],
  ["several scripts", "Grüße, 日本語, العربية 🎉", "Grüße, 日本語, العربية 🎉"],
])("a title with %s has one readable line", (_what, summary, title) => {
  expect(titleOf(summary)).toBe(title);
});

// Undo said "Restored the event "without a title"", and showed "an unreadable event".
it.each([
  [
    "whose first occurrence was deleted",
    ["DTSTART:20261123T090000Z", "RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20261123T090000Z"],
  ],
  [
    "of which the calendar has one occurrence",
    ["DTSTART:20261124T090000Z", "RECURRENCE-ID:20261120T090000Z"],
  ],
])("a series %s is described by the next one", (_what, lines) => {
  const event = ["BEGIN:VEVENT", "UID:1", ...lines, "SUMMARY:Lunch", "END:VEVENT"];
  const text = ["BEGIN:VCALENDAR", ...event, "END:VCALENDAR", ""].join("\r\n");
  expect(describeFile(text, zoneNamed("UTC"))).toMatchObject({
    title: "Lunch",
    summary: expect.stringMatching(
      /^"Lunch", 2026-11-24T09:00:00\+00:00 to .+, a series$/,
    ) as string,
  });
});
