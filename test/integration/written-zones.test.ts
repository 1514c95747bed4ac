import { expect, it } from "vitest";
import { parseLines, isComponent } from "../../src/calendar/content-lines.ts";
import { zonesOf } from "../../src/calendar/file-zones.ts";
import { writeZone } from "../../src/calendar/write-zone.ts";
import { dayMs, ianaZone } from "../../src/core/shared/time-zone.ts";

const since = Date.UTC(2026, 5);
// The difficult zones, and every twelfth of the rest. All zones take half a minute.
const hard = ["Africa/Casablanca", "Africa/Cairo", "Asia/Gaza", "Europe/Dublin", "America/Nuuk"];
const some = Intl.supportedValuesOf("timeZone").filter((_name, at) => at % 12 === 0);
const names = [...hard, "Australia/Lord_Howe", "America/Sao_Paulo", "Asia/Kathmandu", ...some];

it("a VTIMEZONE that this program writes equals this machine's tables in every zone, for ten years", () => {
  const wrong: string[] = [];
  for (const name of names) {
    const zone = ianaZone(name)!;
    // An unknown name, so that the file's own definition is read.
    const text = writeZone({ ...zone, name: "X Written" }, since, "\r\n");
    const root = parseLines(`BEGIN:VCALENDAR\r\n${text}END:VCALENDAR\r\n`);
    const [calendar] = root.items;
    const read = calendar && isComponent(calendar) ? zonesOf(calendar)("X Written") : undefined;
    for (let at = since; at < since + 3_650 * dayMs; at += 5 * dayMs) {
      if (read?.offsetAt(at) === zone.offsetAt(at)) continue;
      wrong.push(`${name} ${new Date(at).toISOString()}`);
      break;
    }
  }
  expect(wrong).toEqual([]);
});
