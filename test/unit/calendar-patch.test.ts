import { describe, expect, it } from "vitest";
import { changeText, removeFromText } from "../../src/calendar/change-event.ts";
import { parseLines, serialise } from "../../src/calendar/content-lines.ts";
import { ianaZone } from "../../src/core/shared/time-zone.ts";

const reader = ianaZone("Europe/Berlin")!;
const now = new Date("2026-11-21T12:00:00Z");

/** A file of an unknown program: odd order, odd folds, properties of its own. */
const lines = [
  "BEGIN:VCALENDAR",
  "X-WR-CALNAME:Odd\\, but ours",
  "PRODID:-//Odd//EN",
  "VERSION:2.0",
  "BEGIN:VTIMEZONE",
  "TZID:W. Europe Standard Time",
  "BEGIN:STANDARD",
  "DTSTART:16010101T030000",
  "TZOFFSETFROM:+0200",
  "TZOFFSETTO:+0100",
  "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10",
  "END:STANDARD",
  "BEGIN:DAYLIGHT",
  "DTSTART:16010101T020000",
  "TZOFFSETFROM:+0100",
  "TZOFFSETTO:+0200",
  "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3",
  "END:DAYLIGHT",
  "END:VTIMEZONE",
  "BEGIN:VEVENT",
  'X-FIRST;X-P="a;b:c":kept',
  "SUMMARY;LANGUAGE=de:Chor",
  "DESCRIPTION:Eine sehr la",
  "\tnge Beschreibung\\, die",
  " an seltsamen Stellen umbricht",
  'DTSTART;TZID="W. Europe Standard Time":20261102T100000',
  "RRULE:FREQ=WEEKLY;COUNT=4",
  'EXDATE;TZID="W. Europe Standard Time":20261116T100000',
  "DURATION:PT1H",
  "UID:odd@example.org",
  'ATTENDEE;PARTSTAT=NEEDS-ACTION;CN="Bob, the builder":mailto:bob@example.org',
  "SEQUENCE:3",
  "DTSTAMP:20260101T000000Z",
  "BEGIN:VALARM",
  "TRIGGER:-PT15M",
  "ACTION:DISPLAY",
  "END:VALARM",
  "CREATED:20250101T000000Z",
  "END:VEVENT",
  "BEGIN:VEVENT",
  "UID:odd@example.org",
  'RECURRENCE-ID;TZID="W. Europe Standard Time":20261109T100000',
  'DTSTART;TZID="W. Europe Standard Time":20261110T100000',
  'DTEND;TZID="W. Europe Standard Time":20261110T113000',
  "SUMMARY:Chor (verlegt)",
  "DTSTAMP:20260101T000000Z",
  "END:VEVENT",
  "END:VCALENDAR",
  "",
];
const original = lines.join("\r\n");
const nothing = { title: undefined, time: undefined, timeZone: undefined };
const context = { reader, scope: "this" as const, now };

/** Returns the lines that are in only one of two texts. */
function difference(before: string, after: string): { gone: string[]; added: string[] } {
  const [from, to] = [before.split("\r\n"), after.split("\r\n")];
  const left = [...to];
  const gone = from.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return { gone, added: left };
}

describe("a calendar file", () => {
  it("is restored byte for byte, with any folds and line ends", () => {
    for (const text of [
      original,
      original.replaceAll("\r\n", "\n"),
      original.trimEnd(),
      `\n${original}\n\n`,
    ]) {
      expect(serialise(parseLines(text))).toBe(text);
    }
  });

  it("is rejected for mismatched or deeply nested components", () => {
    expect(() => parseLines("BEGIN:VCALENDAR\r\nEND:VEVENT\r\n")).toThrow("does not match");
    expect(() => parseLines("BEGIN:A\r\n".repeat(9))).toThrow("nested");
    expect(() => parseLines("BEGIN:VCALENDAR\r\n")).toThrow("does not end");
  });
});

describe("a change of a calendar file [calendar.patch]", () => {
  it("of a series' title changes only the title and the stamp", () => {
    const { text } = changeText(
      original,
      "20261102T090000Z",
      { ...nothing, title: "Chor; mit, Klavier" },
      { ...context, scope: "all" },
    );
    expect(difference(original, text)).toEqual({
      gone: ["SUMMARY;LANGUAGE=de:Chor", "DTSTAMP:20260101T000000Z"],
      added: ["SUMMARY;LANGUAGE=de:Chor\\; mit\\, Klavier", "DTSTAMP:20261121T120000Z"],
    });
  });

  it("of one occurrence adds one VEVENT with alarm and attendee, and changes no other byte", () => {
    const { text } = changeText(
      original,
      "20261123T090000Z",
      { ...nothing, title: "Solo" },
      context,
    );
    const { gone, added } = difference(original, text);
    expect(gone).toEqual([]);
    const zone = ';TZID="W. Europe Standard Time"';
    expect(added).toContain(`RECURRENCE-ID${zone}:20261123T100000`);
    expect(added).toContain(`DTSTART${zone}:20261123T100000`);
    expect(added).toContain("SUMMARY;LANGUAGE=de:Solo");
    expect(added).toContain("TRIGGER:-PT15M");
    expect(added.some((line) => line.startsWith("RRULE") || line.startsWith("EXDATE"))).toBe(false);
    expect(text.startsWith(original.slice(0, original.indexOf("END:VCALENDAR")))).toBe(true);
  });

  it("of a moved occurrence changes that VEVENT alone, and keeps the zone's name", () => {
    const time = {
      allDay: false,
      start: new Date("2026-11-11T09:00:00Z"),
      end: new Date("2026-11-11T10:00:00Z"),
    } as const;
    const { text } = changeText(original, "20261109T090000Z", { ...nothing, time }, context);
    expect(difference(original, text)).toEqual({
      gone: [
        'DTSTART;TZID="W. Europe Standard Time":20261110T100000',
        'DTEND;TZID="W. Europe Standard Time":20261110T113000',
        "DTSTAMP:20260101T000000Z",
      ],
      added: [
        "DTSTART;TZID=W. Europe Standard Time:20261111T100000",
        "DTEND;TZID=W. Europe Standard Time:20261111T110000",
        "DTSTAMP:20261121T120000Z",
        "SEQUENCE:1",
      ],
    });
  });

  it("of a series' hour moves all references to its starts, but no independent occurrence", () => {
    const time = {
      allDay: false,
      start: new Date("2026-11-02T10:30:00Z"),
      end: new Date("2026-11-02T11:30:00Z"),
    } as const;
    const { text, key } = changeText(
      original,
      "20261102T090000Z",
      { ...nothing, time },
      { ...context, scope: "all" },
    );
    expect(key).toBe("20261102T103000Z");
    const { added } = difference(original, text);
    const zone = ';TZID="W. Europe Standard Time"';
    expect(added).toContain(`EXDATE${zone}:20261116T113000`);
    expect(added).toContain(`RECURRENCE-ID${zone}:20261109T113000`);
    expect(text).toContain(`DTSTART${zone}:20261110T100000`);
  });

  it("of a whole series is refused if its rule would become wrong", () => {
    const byDay = original.replace("FREQ=WEEKLY;", "FREQ=WEEKLY;BYDAY=MO;");
    const time = {
      allDay: false,
      start: new Date("2026-11-03T09:00:00Z"),
      end: new Date("2026-11-03T10:00:00Z"),
    } as const;
    const all = { ...context, scope: "all" as const };
    const attempts = [
      () => changeText(byDay, "20261102T090000Z", { ...nothing, time }, all),
      () =>
        changeText(original, "20261102T090000Z", { ...nothing, time, timeZone: "Asia/Tokyo" }, all),
      () =>
        changeText(
          original,
          "20261102T090000Z",
          { ...nothing, time: { allDay: true, start: "2026-11-02", end: "2026-11-03" } },
          all,
        ),
    ];
    for (const attempt of attempts) expect(attempt).toThrow("cannot be moved");
  });

  // A dialog said "Change none of the shown fields", and the series moved.
  it("of a series is refused through an occurrence that would not change with it", () => {
    const all = { ...context, scope: "all" as const };
    const time = {
      allDay: false,
      start: new Date("2026-11-09T10:30:00Z"),
      end: new Date("2026-11-09T11:30:00Z"),
    } as const;
    const moved = "20261109T090000Z";
    for (const changes of [
      { ...nothing, time },
      { ...nothing, title: "Probe" },
    ])
      expect(() => changeText(original, moved, changes, all)).toThrow("changed on its own");
    const alike = original.replace("Chor (verlegt)", "Chor");
    expect(changeText(alike, moved, { ...nothing, title: "Probe" }, all).text).not.toMatch(
      /Chor$/m,
    );
  });

  it("that removes one occurrence adds one EXDATE", () => {
    const text = removeFromText(original, "20261123T090000Z", context) ?? "";
    expect(difference(original, text)).toEqual({
      gone: ["SEQUENCE:3", "DTSTAMP:20260101T000000Z"],
      added: [
        'EXDATE;TZID="W. Europe Standard Time":20261123T100000',
        "SEQUENCE:4",
        "DTSTAMP:20261121T120000Z",
      ],
    });
  });

  it("that removes a moved occurrence also removes its VEVENT", () => {
    const text = removeFromText(original, "20261109T090000Z", context) ?? "";
    expect(text).not.toContain("Chor (verlegt)");
    expect(text).toContain('EXDATE;TZID="W. Europe Standard Time":20261109T100000');
  });

  it("into another zone adds that zone's VTIMEZONE", () => {
    const single = original
      .replace(/RRULE:FREQ=WEEKLY;COUNT=4\r\nEXDATE[^\r]*\r\n/, "")
      .replace(/BEGIN:VEVENT\r\nUID:odd@example.org\r\nRECURRENCE-ID[\s\S]*?END:VEVENT\r\n/, "");
    const time = {
      allDay: false,
      start: new Date("2026-11-02T09:00:00Z"),
      end: new Date("2026-11-02T10:00:00Z"),
    } as const;
    const { text } = changeText(
      single,
      undefined,
      { ...nothing, time, timeZone: "Asia/Tokyo" },
      context,
    );
    expect(text).toContain("DTSTART;TZID=Asia/Tokyo:20261102T180000");
    expect(text).toMatch(/BEGIN:VTIMEZONE\r\nTZID:Asia\/Tokyo\r\n/);
  });

  // Deleting the object would have deleted the other event with it.
  it.each(["VEVENT", "VTODO"])("is refused if the file has a %s of another UID", (name) => {
    const other = `BEGIN:${name}\r\nUID:other@example.org\r\nDTSTART:20261201T100000Z\r\nEND:${name}\r\n`;
    const text = original.replace("END:VCALENDAR", `${other}END:VCALENDAR`);
    for (const scope of ["this", "all"] as const) {
      const change = { ...nothing, title: "Changed" };
      expect(() => changeText(text, "20261123T090000Z", change, { ...context, scope })).toThrow(
        "together with other events. Nothing was changed.",
      );
      expect(() => removeFromText(text, "20261123T090000Z", { ...context, scope })).toThrow(
        "together with other events. Nothing was changed.",
      );
    }
  });

  // Deleting one of two events with the same UID deleted the other one, which no list had shown.
  it.each([
    ["event", "DTSTART:20261201T100000Z"],
    ["occurrence", "RECURRENCE-ID:20261123T090000Z\r\nDTSTART:20261124T100000Z"],
  ])("is refused if the file has a second %s of the same UID", (_what, start) => {
    const other = `BEGIN:VEVENT\r\nUID:odd@example.org\r\n${start}\r\nEND:VEVENT\r\n`;
    const text = original.replace("END:VCALENDAR", `${other}${other}END:VCALENDAR`);
    const change = { ...nothing, title: "Changed" };
    for (const scope of ["this", "all"] as const) {
      const whole = { ...context, scope };
      const removal = (): unknown => removeFromText(text, "20261123T090000Z", whole);
      expect(removal).toThrow("together with other events. Nothing was changed.");
      expect(() => changeText(text, "20261123T090000Z", change, whole)).toThrow("Nothing was");
    }
  });

  it("is refused if the event has two UIDs", () => {
    const uid = "UID:odd@example.org\r\n";
    const text = original.replace(uid, `${uid}UID:other@example.org\r\n`);
    const change = { ...nothing, title: "Changed" };
    expect(() => changeText(text, "20261123T090000Z", change, context)).toThrow("Nothing was");
  });

  it.each<[string, string]>([
    ["folded", "U\r\n ID:oth\r\n er@example.org\r\n"],
    ["in lower case, with parameters", 'uid;X-A="b:c";x=1:other@example.org\r\n'],
    ["with a blank before the parameters", "UID ;X=1:other@example.org\r\n"],
    ["differing before a colon", "UID:x:odd@example.org\r\n"],
    ["differing in case", "UID:ODD@example.org\r\n"],
    ["differing in an escape", "UID:odd\\@example.org\r\n"],
    ["behind a bare CR", "X-NOTE:a\rUID:other@example.org\r\n"],
    ["in an inner component", "BEGIN:VTODO\r\nUID:other@example.org\r\nEND:VTODO\r\n"],
    [
      "in an inner component of another kind",
      "BEGIN:X-A\r\nBEGIN:VEVENT\r\nUID:other@example.org\r\nEND:VEVENT\r\nEND:X-A\r\n",
    ],
  ])("is refused if a second UID is %s", (_, second) => {
    const uid = "UID:odd@example.org\r\n";
    const text = original.replace(uid, `${uid}${second}`);
    const change = { ...nothing, title: "Changed" };
    expect(() => changeText(text, "20261123T090000Z", change, context)).toThrow("Nothing was");
    expect(() => removeFromText(text, "20261123T090000Z", context)).toThrow("Nothing was");
  });

  it("keeps an alarm and a place with UIDs of their own", () => {
    const parts = ["VALARM", "VLOCATION"].map(
      (name) => `BEGIN:${name}\r\nUID:${name}@example.org\r\nEND:${name}\r\n`,
    );
    const text = original.replace("END:VEVENT\r\n", `${parts.join("")}END:VEVENT\r\n`);
    const change = { ...nothing, title: "Changed" };
    expect(changeText(text, "20261123T090000Z", change, context).text).toContain("VLOCATION@");
  });

  it("keeps the file's LF line ends", () => {
    const { text } = changeText(
      original.replaceAll("\r\n", "\n"),
      "20261123T090000Z",
      { ...nothing, title: "x".repeat(200) },
      context,
    );
    expect(text).not.toContain("\r");
    expect(text.split("\n").every((line) => Buffer.byteLength(line) <= 90)).toBe(true);
  });
});
