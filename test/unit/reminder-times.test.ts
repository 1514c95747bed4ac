import { describe, expect, it } from "vitest";
import { nextReminder, reminderRule } from "../../src/calendar/reminder-times.ts";

/** Returns the first deliveries of a reminder, each as the leader claims it. */
function deliveries(start: string, rule: string, count: number, timeZone = "Europe/Berlin") {
  const startAt = new Date(start);
  const recurrence = reminderRule(rule, { startAt, timeZone, recurrence: undefined });
  const times: string[] = [];
  let after = new Date(startAt.getTime() - 1);
  for (let at = 0; at < count; at += 1) {
    const next = nextReminder({ startAt, timeZone, recurrence }, after);
    if (next === undefined) break;
    times.push(next.toISOString().replace(":00.000Z", "Z"));
    after = next;
  }
  return times;
}

describe("a reminder with a recurrence rule [assistant.reminders]", () => {
  it("keeps its wall-clock time when the clocks change", () => {
    expect(deliveries("2027-03-27T08:00:00Z", "FREQ=DAILY", 3)).toEqual([
      "2027-03-27T08:00Z",
      "2027-03-28T07:00Z",
      "2027-03-29T07:00Z",
    ]);
    expect(deliveries("2027-10-29T07:00:00Z", "FREQ=WEEKLY;BYDAY=FR", 2)).toEqual([
      "2027-10-29T07:00Z",
      "2027-11-05T08:00Z",
    ]);
  });

  it("is delivered once at a time that the clocks skip or repeat", () => {
    expect(deliveries("2027-03-27T01:30:00Z", "FREQ=DAILY", 3)).toEqual([
      "2027-03-27T01:30Z",
      "2027-03-28T01:30Z",
      "2027-03-29T00:30Z",
    ]);
    expect(deliveries("2027-10-30T00:30:00Z", "FREQ=DAILY", 3)).toEqual([
      "2027-10-30T00:30Z",
      "2027-10-31T00:30Z",
      "2027-11-01T01:30Z",
    ]);
  });

  it("is delivered at different times each hour, also on a day of 23 or 25 hours", () => {
    for (const start of ["2027-03-27T22:00:00Z", "2027-10-30T21:00:00Z"]) {
      const times = deliveries(start, "FREQ=HOURLY", 8);
      expect(times).toEqual([...new Set(times)].toSorted());
      expect(times).toHaveLength(8);
    }
  });

  it("ends with its rule", () => {
    expect(deliveries("2027-03-27T08:00:00Z", "FREQ=DAILY;COUNT=2", 5)).toHaveLength(2);
  });
});
