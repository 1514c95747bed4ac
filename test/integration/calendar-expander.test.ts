import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { readCalendarFile } from "../../src/calendar/event.ts";
import { expandSeries } from "../../src/calendar/recurrence/expand.ts";
import { dayMs, ianaZone, isoDate } from "../../src/core/shared/time-zone.ts";
import { generatedFile, type IcsFile } from "../fixtures/ics/generated.ts";
import { rfcRules } from "../fixtures/ics/rfc-5545-rules.ts";
import { explained } from "../fixtures/ics/explained-differences.ts";

const zone = "Europe/Berlin";
const reader = ianaZone(zone)!;
const published = new URL("../fixtures/ics/published/", import.meta.url);

function publishedFiles(): IcsFile[] {
  return readdirSync(published)
    .filter((name) => name.endsWith(".ics"))
    .flatMap((name) => {
      const raw = readFileSync(new URL(name, published), "utf8");
      const text = /BEGIN:VCALENDAR/.test(raw)
        ? raw
        : `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n${raw.trimEnd()}\r\nEND:VCALENDAR\r\n`;
      const year = Number(/DTSTART[^:]*:(\d{4})/.exec(raw)?.[1] ?? "");
      if (!(year > 1900)) return [];
      return [
        { name, text, from: new Date(Date.UTC(year, 0)), to: new Date(Date.UTC(year + 2, 0)) },
      ];
    });
}

function rfcFiles(): IcsFile[] {
  return rfcRules.map(([start, rule]) => {
    const from = Date.UTC(Number(start.slice(0, 4)), Number(start.slice(4, 6)) - 1);
    const text = [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:x",
      "BEGIN:VEVENT",
      "UID:rfc@example.org",
      "DTSTAMP:19970101T000000Z",
      `DTSTART;TZID=America/New_York:${start}`,
      "DURATION:PT1H",
      `RRULE:${rule}`,
      "END:VEVENT",
      "END:VCALENDAR",
      "",
    ].join("\r\n");
    return {
      name: `RFC 5545: ${rule}`,
      text,
      from: new Date(from),
      to: new Date(from + 1_500 * dayMs),
    };
  });
}

const answer = z.record(
  z.string(),
  z.object({
    times: z
      .array(z.tuple([z.union([z.number(), z.string()]), z.union([z.number(), z.string()])]))
      .optional(),
    error: z.string().optional(),
  }),
);

function theirs(files: readonly IcsFile[]): z.output<typeof answer> {
  const script = fileURLToPath(new URL("../servers/independent-expander.py", import.meta.url));
  const input = JSON.stringify(files.map((file) => ({ ...file, zone })));
  const { stdout, stderr } = spawnSync("/usr/bin/python3", [script], {
    input,
    encoding: "utf8",
    maxBuffer: 256 * 1_048_576,
  });
  if (stdout === "") throw new Error(stderr);
  return answer.parse(JSON.parse(stdout));
}

function ours({ text, from, to }: IcsFile): string[] {
  const window = { from: from.getTime(), to: to.getTime(), reader };
  return readCalendarFile(text)
    .series.flatMap((series) => expandSeries(series, window, 100_000))
    .map(({ event, startWall, endWall, start, end }) =>
      event.start.kind === "date" ? `${isoDate(startWall)} ${isoDate(endWall)}` : `${start} ${end}`,
    )
    .toSorted();
}

describe.skipIf(inject("missingServers").includes("recurring-ical-events"))(
  "expansion [calendar.expansion]",
  () => {
    it(
      "finds the same as an independent expander in hundreds of calendar files",
      { timeout: 120_000 },
      () => {
        const generated = Array.from({ length: 300 }, (_, number) => generatedFile(number));
        const files = [...generated, ...rfcFiles(), ...publishedFiles()];
        expect(files.length).toBeGreaterThan(380);
        const answers = theirs(files);
        const differences: string[] = [];
        for (const file of files) {
          const { times, error } = answers[file.name] ?? {};
          const expected = times?.map(([start, end]) => `${start} ${end}`).toSorted();
          let found: string[] | string;
          try {
            found = ours(file);
          } catch (thrown) {
            found = `cannot: ${String(thrown)}`;
          }
          if (JSON.stringify(found) === JSON.stringify(expected)) continue;
          if (process.env["SHOW"]) {
            const a = new Set(expected ?? []);
            const b = new Set(Array.isArray(found) ? found : []);
            console.log(
              file.name,
              "| theirs only:",
              [...a].filter((x) => !b.has(x)).slice(0, 3),
              "| ours only:",
              [...b].filter((x) => !a.has(x)).slice(0, 3),
              error ?? "",
              Array.isArray(found) ? "" : found,
            );
          }
          differences.push(file.name);
        }
        expect(differences.toSorted()).toEqual(Object.keys(explained).toSorted());
      },
    );
  },
);
