import { describe, expect, it } from "vitest";
import { readCalendarFile } from "../../src/calendar/event.ts";
import { expandSeries } from "../../src/calendar/recurrence/expand.ts";
import { ianaZone } from "../../src/core/shared/time-zone.ts";

const reader = ianaZone("Europe/Berlin")!;
const year = { from: Date.UTC(2026, 0), to: Date.UTC(2027, 0), reader };

function file(...events: readonly (readonly string[])[]): string {
  const inner = events.flatMap((event) => [
    "BEGIN:VEVENT",
    "UID:a@example.org",
    ...event,
    "END:VEVENT",
  ]);
  return ["BEGIN:VCALENDAR", "VERSION:2.0", ...inner, "END:VCALENDAR", ""].join("\r\n");
}

function expand(text: string, window = year, limit = 5_000) {
  const { series, broken } = readCalendarFile(text);
  const found = series.flatMap((one) => expandSeries(one, window, limit));
  return {
    broken,
    times: found
      .map(({ start, end, event }) => ({
        start: new Date(start).toISOString(),
        minutes: (end - start) / 60_000,
        title: event.title,
        blocks: event.blocks,
      }))
      .toSorted((one, other) => one.start.localeCompare(other.start)),
  };
}

const startsOf = (text: string): string[] => expand(text).times.map(({ start }) => start);

describe("a series", () => {
  const weekly = [
    "DTSTART;TZID=Europe/Berlin:20260302T100000",
    "DURATION:PT1H",
    "RRULE:FREQ=WEEKLY;COUNT=5",
  ];

  it("moves this and every later occurrence (RANGE=THISANDFUTURE), over a clock change", () => {
    const later = [
      "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260316T100000",
      "DTSTART;TZID=Europe/Berlin:20260317T140000",
      "DURATION:PT2H",
      "SUMMARY:Later",
    ];
    expect(expand(file([...weekly, "SUMMARY:First"], later)).times).toEqual([
      { start: "2026-03-02T09:00:00.000Z", minutes: 60, title: "First", blocks: true },
      { start: "2026-03-09T09:00:00.000Z", minutes: 60, title: "First", blocks: true },
      { start: "2026-03-17T13:00:00.000Z", minutes: 120, title: "Later", blocks: true },
      { start: "2026-03-24T13:00:00.000Z", minutes: 120, title: "Later", blocks: true },
      { start: "2026-03-31T12:00:00.000Z", minutes: 120, title: "Later", blocks: true },
    ]);
  });

  // The rule was ignored, so that the excluded days looked busy.
  it.each([
    ["of every second start", "FREQ=WEEKLY;INTERVAL=2", ["03-09", "03-23"]],
    ["with a count", "FREQ=WEEKLY;INTERVAL=2;COUNT=2", ["03-09", "03-23", "03-30"]],
    ["with an end", "FREQ=WEEKLY;UNTIL=20260309T090000Z", ["03-16", "03-23", "03-30"]],
    ["of another month", "FREQ=DAILY;BYMONTH=4", ["03-02", "03-09", "03-16", "03-23", "03-30"]],
    ["that does not name the start", "FREQ=MONTHLY;BYMONTHDAY=9,16", ["03-02", "03-23", "03-30"]],
  ])("loses the starts of a rule that excludes them, %s (RFC 2445)", (_what, rule, days) => {
    const starts = startsOf(file([...weekly, `EXRULE:${rule}`]));
    expect(starts.map((one) => one.slice(5, 10))).toEqual(days);
  });

  it("loses an added date and its own start to a rule that excludes them", () => {
    const dates = ["RDATE;TZID=Europe/Berlin:20260304T100000,20260305T100000"];
    const without = ["EXRULE:FREQ=WEEKLY;BYDAY=MO,WE"];
    expect(startsOf(file([...weekly, ...dates, ...without]))).toEqual(["2026-03-05T09:00:00.000Z"]);
  });

  it("loses a cancelled occurrence", () => {
    const cancelled = [
      "RECURRENCE-ID:20260309T090000Z",
      "DTSTART:20260309T090000Z",
      "STATUS:CANCELLED",
    ];
    expect(startsOf(file(weekly, cancelled))).not.toContain("2026-03-09T09:00:00.000Z");
    expect(startsOf(file(weekly, cancelled))).toHaveLength(4);
  });

  it("shows an occurrence that was moved into the window from far away", () => {
    const moved = [
      "RECURRENCE-ID;TZID=Europe/Berlin:20260309T100000",
      "DTSTART:20261224T100000Z",
      "DURATION:PT1H",
    ];
    const december = { ...year, from: Date.UTC(2026, 11) };
    expect(expand(file(weekly, moved), december).times.map(({ start }) => start)).toEqual([
      "2026-12-24T10:00:00.000Z",
    ]);
  });

  it("with a single occurrence shows that one", () => {
    const alone = ["RECURRENCE-ID:20260309T090000Z", "DTSTART:20260310T090000Z", "DURATION:PT1H"];
    expect(startsOf(file(alone))).toEqual(["2026-03-10T09:00:00.000Z"]);
  });

  it("starts in the gap and the fold of a clock as RFC 5545 requires", () => {
    const daily = ["DTSTART;TZID=Europe/Berlin:20260328T023000", "RRULE:FREQ=DAILY;COUNT=3"];
    expect(startsOf(file(daily))).toEqual([
      "2026-03-28T01:30:00.000Z",
      "2026-03-29T01:30:00.000Z",
      "2026-03-30T00:30:00.000Z",
    ]);
    const autumn = ["DTSTART;TZID=Europe/Berlin:20261024T023000", "RRULE:FREQ=DAILY;COUNT=2"];
    expect(startsOf(file(autumn))).toEqual([
      "2026-10-24T00:30:00.000Z",
      "2026-10-25T00:30:00.000Z",
    ]);
  });
});

describe("an event", () => {
  it("that is free or cancelled blocks no time", () => {
    const free = expand(
      file(["DTSTART:20260302T100000Z", "DTEND:20260302T110000Z", "TRANSP:TRANSPARENT"]),
    );
    expect(free.times.map(({ blocks }) => blocks)).toEqual([false]);
    expect(expand(file(["DTSTART:20260302T100000Z", "STATUS:CANCELLED"])).times).toEqual([]);
  });

  it("without length is found at its moment", () => {
    const text = file(["DTSTART:20260302T100000Z"]);
    const at = Date.UTC(2026, 2, 2, 10);
    expect(expand(text, { ...year, from: at }).times).toHaveLength(1);
    expect(expand(text, { ...year, from: at + 1 }).times).toHaveLength(0);
  });

  it("with a floating time is at the reader's hour, and an all-day event on the reader's days", () => {
    expect(startsOf(file(["DTSTART:20260302T100000"]))).toEqual(["2026-03-02T09:00:00.000Z"]);
    const days = expand(file(["DTSTART;VALUE=DATE:20260328", "DTEND;VALUE=DATE:20260330"])).times;
    expect(days).toMatchObject([{ start: "2026-03-27T23:00:00.000Z", minutes: 47 * 60 }]);
  });

  it.each([
    ["no start", ["SUMMARY:x"]],
    ["a day that is none", ["DTSTART;VALUE=DATE:20260231"]],
    ["an end before its start", ["DTSTART:20260302T100000Z", "DTEND:20260301T100000Z"]],
    ["a date and a time", ["DTSTART;VALUE=DATE:20260302", "DTEND:20260302T100000Z"]],
    ["a rule that is none", ["DTSTART:20260302T100000Z", "RRULE:FREQ=WEEKLY;BYDAY=XX"]],
    ["an interval of nothing", ["DTSTART:20260302T100000Z", "RRULE:FREQ=WEEKLY;INTERVAL=0"]],
    ["a leap month", ["DTSTART:20260302T100000Z", "RRULE:FREQ=YEARLY;BYMONTH=5L"]],
    ["a part that is not known", ["DTSTART:20260302T100000Z", "RRULE:FREQ=YEARLY;BYEASTER=0"]],
    ["a skip that is none", ["DTSTART:20260331T100000Z", "RRULE:FREQ=MONTHLY;SKIP=SOME"]],
    ["skipped weeks", ["DTSTART:20260331T100000Z", "RRULE:FREQ=YEARLY;BYWEEKNO=53;SKIP=FORWARD"]],
    ["another calendar's months", ["DTSTART:20260302T100000Z", "RRULE:RSCALE=CHINESE;FREQ=YEARLY"]],
    ["eternity", ["DTSTART:20260302T100000Z", "DURATION:P999999999W"]],
  ])("with %s is counted as broken, and the others are shown", (_what, lines) => {
    const { broken, times } = expand(file(lines, ["DTSTART:20260302T100000Z"]));
    expect({ broken, found: times.length }).toEqual({ broken: 1, found: 1 });
  });
});

describe("a rule with days that a month lacks (RFC 7529)", () => {
  // SKIP was ignored, so that a day at the end of a short month looked free.
  it.each([
    ["omits them", "MONTHLY", 31, ["01-31", "03-31", "05-31", "07-31"]],
    ["omits them", "MONTHLY;SKIP=OMIT", 31, ["01-31", "03-31", "05-31", "07-31"]],
    ["moves them back", "MONTHLY;SKIP=BACKWARD", 31, ["01-31", "02-28", "03-31", "04-30"]],
    ["moves them on", "MONTHLY;SKIP=FORWARD", 31, ["01-31", "03-01", "03-31", "05-01"]],
    [
      "counts a day once",
      "MONTHLY;BYMONTHDAY=1,31;SKIP=FORWARD",
      31,
      ["01-31", "02-01", "03-01", "03-31"],
    ],
    [
      "counts a day once",
      "MONTHLY;BYMONTHDAY=28,30,31;SKIP=BACKWARD",
      31,
      ["01-31", "02-28", "03-28", "03-30"],
    ],
    [
      "keeps to weekdays",
      "MONTHLY;BYMONTHDAY=31;BYDAY=SA,TH;SKIP=BACKWARD",
      31,
      ["01-31", "02-28", "04-30", "10-31"],
    ],
    [
      "in each month of a year",
      "YEARLY;BYMONTHDAY=31;SKIP=BACKWARD",
      31,
      ["01-31", "02-28", "03-31", "04-30"],
    ],
    [
      "in a month of a year",
      "YEARLY;BYMONTH=2,4;BYMONTHDAY=30;SKIP=FORWARD",
      30,
      ["01-30", "03-01", "04-30"],
    ],
    [
      "takes the last place",
      "MONTHLY;BYMONTHDAY=5,31;BYSETPOS=-1;SKIP=BACKWARD",
      31,
      ["01-31", "02-28", "03-31", "04-30"],
    ],
  ])("%s: %s", (_what, rule, day, days) => {
    const text = file([`DTSTART;VALUE=DATE:202601${day}`, `RRULE:RSCALE=GREGORIAN;FREQ=${rule}`]);
    const berlin = (start: string): string =>
      new Date(Date.parse(start) + 2 * 3_600_000).toISOString().slice(5, 10);
    expect(startsOf(text).map(berlin).slice(0, 4)).toEqual(days);
  });

  it("finds a birthday on 29 February in each year", () => {
    const birthday = [
      "DTSTART;VALUE=DATE:20240229",
      "RRULE:RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=FORWARD",
    ];
    expect(startsOf(file(birthday))).toEqual(["2026-02-28T23:00:00.000Z"]);
  });
});

describe("a second event of the same UID in one file", () => {
  // The second event was left out without a notice, so that its time looked free.
  it.each([
    ["event", [], []],
    ["occurrence", ["RECURRENCE-ID:20260309T090000Z"], ["RRULE:FREQ=WEEKLY;COUNT=2"]],
  ])("is counted: %s", (_what, id, rule) => {
    const first = ["DTSTART:20260302T090000Z", ...rule];
    const [one, other] = ["10", "11"].map((hour) => [...id, `DTSTART:20260309T${hour}0000Z`]);
    const text = id.length === 0 ? file(first, one!) : file(first, one!, other!);
    const { broken, times } = expand(text);
    expect({ broken, found: times.length }).toEqual({ broken: 1, found: 1 + rule.length });
  });
});

describe("an endless rule", () => {
  it("still has many times on many days, within realistic limits", () => {
    const hours = Array.from({ length: 24 }, (_none, at) => at).join(",");
    const text = file([
      "DTSTART:20200101T000000Z",
      `RRULE:FREQ=YEARLY;BYHOUR=${hours};BYDAY=MO,TU`,
    ]);
    expect(startsOf(text)).toHaveLength(2 * 52 * 24);
  });

  it("is cut at the limit", () => {
    const text = file(["DTSTART:20260101T000000Z", "RRULE:FREQ=SECONDLY"]);
    expect(expand(text, year, 50).times).toHaveLength(50);
  });
});
