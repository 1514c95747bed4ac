import { expect, it } from "vitest";
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
