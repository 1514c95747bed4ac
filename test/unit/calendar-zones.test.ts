import { describe, expect, it } from "vitest";
import { knownZone } from "../../src/calendar/file-zones.ts";
import { writeZone } from "../../src/calendar/write-zone.ts";
import { ianaZone, isoInZone, wallToUtc } from "../../src/core/shared/time-zone.ts";

describe("a wall-clock time", () => {
  const berlin = ianaZone("Europe/Berlin")!;

  it("that occurs twice is the first of the two", () => {
    const wall = Date.parse("2026-10-25T02:30:00Z");
    expect(isoInZone(new Date(wallToUtc(wall, berlin)), berlin)).toBe("2026-10-25T02:30:00+02:00");
  });

  it("that does not exist is read with the offset before the gap", () => {
    const wall = Date.parse("2026-03-29T02:30:00Z");
    expect(isoInZone(new Date(wallToUtc(wall, berlin)), berlin)).toBe("2026-03-29T03:30:00+02:00");
  });
});

describe("a zone's name", () => {
  // A dialog showed the former names, which Intl still gives.
  it.each(["Asia/Kolkata", "Europe/Kyiv", "America/Nuuk", "America/Argentina/Buenos_Aires"])(
    "is the present one: %s",
    (name) => {
      expect(ianaZone(name.toLowerCase())?.name).toBe(name);
    },
  );

  it.each([
    ["Europe/Berlin", "Europe/Berlin"],
    ["W. Europe Standard Time", "Europe/Berlin"],
    ["Eastern Standard Time", "America/New_York"],
    ["/mozilla.org/20070129_1/Europe/Berlin", "Europe/Berlin"],
    [
      "/freeassociation.sourceforge.net/Tzfile/America/Argentina/Buenos_Aires",
      "America/Argentina/Buenos_Aires",
    ],
  ])("%s is known", (name, meant) => {
    expect(knownZone(name)?.offsetAt(Date.UTC(2026, 6))).toBe(
      ianaZone(meant)?.offsetAt(Date.UTC(2026, 6)),
    );
  });

  it.each(["Nowhere/Land", "+01:00", "", "My Zone"])("%j is not", (name) => {
    expect(knownZone(name)).toBeUndefined();
  });
});

describe("the VTIMEZONE that this program writes", () => {
  const since = Date.UTC(2026, 5);
  it("is short if a rule covers it", () => {
    expect(writeZone(ianaZone("Europe/Berlin")!, since, "\n")).toBe(
      [
        "BEGIN:VTIMEZONE",
        "TZID:Europe/Berlin",
        "BEGIN:DAYLIGHT",
        "DTSTART:20250330T020000",
        "TZOFFSETFROM:+0100",
        "TZOFFSETTO:+0200",
        "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
        "END:DAYLIGHT",
        "BEGIN:STANDARD",
        "DTSTART:20251026T030000",
        "TZOFFSETFROM:+0200",
        "TZOFFSETTO:+0100",
        "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
        "END:STANDARD",
        "END:VTIMEZONE",
        "",
      ].join("\n"),
    );
  });
});
