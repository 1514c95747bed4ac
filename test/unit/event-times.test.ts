import { describe, expect, it } from "vitest";
import { ianaZone } from "../../src/core/shared/time-zone.ts";
import {
  readEventTime,
  readRange,
  sameInstant,
  withOffsets,
} from "../../src/tools/calendar/event-times.ts";
import { formatChange, formatTime, type ZonedTime } from "../../src/tools/calendar/format-times.ts";

const timeZone = "Europe/Berlin";
const event = (start: string, zone?: string) =>
  withOffsets({ start, end: "2026-12-01", ...(zone !== undefined && { timeZone: zone }) }).start;

describe("a time without an offset", () => {
  it("is in the given zone, with or without seconds [calendar.local-times]", () => {
    expect(event("2026-11-24T18:00", timeZone)).toBe("2026-11-24T18:00:00+01:00");
    expect(event("2026-07-24T18:00:30", "America/New_York")).toBe("2026-07-24T18:00:30-04:00");
    expect(event("2026-11-24T18:00:00Z", timeZone)).toBe("2026-11-24T18:00:00Z");
    expect(event("2026-11-24", timeZone)).toBe("2026-11-24");
    const range = { start: "2026-11-24T18:00", end: "2026-11-24T19:00:00+01:00", timeZone };
    expect(readRange(range, "UTC").from).toEqual(new Date("2026-11-24T17:00:00Z"));
  });

  it("is refused without a zone, with both ways to write it [calendar.local-times]", () => {
    const range = { start: "2026-11-24T18:00", end: "2026-11-25" };
    for (const read of [() => event("2026-11-24T18:00"), () => readRange(range, timeZone)]) {
      expect(read).toThrow(/start: it has no offset, and timeZone is missing/);
    }
  });

  it("is refused if clocks skip it or show it twice, with the possible times [calendar.local-times]", () => {
    const hintOf = (start: string): string => {
      try {
        return String(event(start, timeZone));
      } catch (error) {
        return String(Reflect.get(error as Error, "hint"));
      }
    };
    expect(hintOf("2026-03-29T02:30")).toContain("2026-03-29T03:30:00+02:00");
    expect(hintOf("2026-10-25T02:30")).toContain(
      "2026-10-25T02:30:00+02:00 or 2026-10-25T02:30:00+01:00",
    );
    expect(hintOf("2026-10-25T03:00")).toBe("2026-10-25T03:00:00+01:00");
  });

  it("identifies the same target as its instant [calendar.local-times]", () => {
    const same = sameInstant("2026-11-24T18:00:00+01:00");
    expect(sameInstant("2026-11-24T18:00", timeZone)).toBe(same);
    expect(sameInstant("2026-11-24T12:00", "America/New_York")).toBe(same);
    expect(sameInstant("2026-11-24T18:00")).toBe("2026-11-24T18:00");
  });

  it("gets a range error without names of other tools", () => {
    for (const start of ["tomorrow", "2026-11-24T18:00"]) {
      let hint = "";
      try {
        readRange({ start, end: "2026-11-25" }, timeZone);
      } catch (error) {
        hint = String(Reflect.get(error as Error, "hint"));
      }
      expect(hint).toContain("Only this one calendar is covered");
      expect(hint).not.toContain("allDay");
    }
  });
});

describe("a day that does not exist", () => {
  it.each(["2026-02-30", "2026-02-30T09:00", "2026-02-30T09:00:00+01:00", "2026-13-01T09:00Z"])(
    "is named as such: %s",
    (start) => {
      // The error said that the time had no offset, although it had one.
      const why = `start: the day ${start.slice(0, 10)} does not exist. Nothing was done.`;
      expect(() => readRange({ start, end: "2026-12-01" }, timeZone)).toThrow(why);
      const event = { start, end: "2026-12-01", allDay: !start.includes("T") };
      expect(() => readEventTime(event)).toThrow(why);
    },
  );
});

describe("a time in a dialog", () => {
  const time = {
    allDay: false,
    start: new Date("2026-11-24T17:00:00Z"),
    end: new Date("2026-11-24T18:00:00Z"),
  } as const;
  const format = (zone: string, here: string) => formatTime(time, ianaZone(zone)!, ianaZone(here));

  it("is the event's own, with the person's if it differs [calendar.both-zones]", () => {
    expect(format("America/New_York", timeZone)).toBe(
      "Tue 24 Nov 2026, 12:00 to 13:00 (America/New_York); for you Tue 24 Nov 2026, 18:00 to 19:00 (Europe/Berlin)",
    );
    expect(format(timeZone, "Europe/Paris")).toBe(
      "Tue 24 Nov 2026, 18:00 to 19:00 (Europe/Berlin)",
    );
  });
});

describe("a move in words", () => {
  const berlin = ianaZone(timeZone)!;
  const at = (start: string, end: string, zone = berlin) => ({
    time: { allDay: false, start: new Date(start), end: new Date(end) } as const,
    zone,
  });
  const days = (start: string, end: string) => ({
    time: { allDay: true, start, end } as const,
    zone: berlin,
  });
  const was = at("2026-11-24T08:00:00Z", "2026-11-24T09:00:00Z");
  const move = (is: ZonedTime, from: ZonedTime = was) =>
    formatChange("it", { was: from, is, title: undefined });

  // "from 09:00 to 10:00 to 12:00 to 13:00" could not be read, and was cut before the new time.
  it("names the day and the zone once where they are the same", () => {
    expect(move(at("2026-11-24T11:00:00Z", "2026-11-24T11:30:00Z"))).toBe(
      "Move it on Tue 24 Nov 2026 from 09:00-10:00 to 12:00-12:30 (Europe/Berlin)",
    );
    expect(move(at("2026-11-26T11:00:00Z", "2026-11-26T11:30:00Z"))).toBe(
      "Move it from Tue 24 Nov 2026, 09:00-10:00 to Thu 26 Nov 2026, 12:00-12:30 (Europe/Berlin)",
    );
  });

  it("names both zones of an event that changes its zone, and whole days without one", () => {
    const tokyo = ianaZone("Asia/Tokyo")!;
    expect(move(at("2026-11-24T00:00:00Z", "2026-11-24T01:00:00Z", tokyo))).toBe(
      "Move it from Tue 24 Nov 2026, 09:00-10:00 (Europe/Berlin) to Tue 24 Nov 2026, 09:00-10:00 (Asia/Tokyo)",
    );
    expect(move(days("2026-12-06", "2026-12-08"), days("2026-12-05", "2026-12-06"))).toBe(
      "Move it from Sat 5 Dec 2026, all day, to Sun 6 Dec 2026 to Mon 7 Dec 2026, all day",
    );
    expect(move(days("2026-11-24", "2026-11-25"))).toBe(
      "Move it from Tue 24 Nov 2026, 09:00-10:00 (Europe/Berlin) to Tue 24 Nov 2026, all day",
    );
  });
});
