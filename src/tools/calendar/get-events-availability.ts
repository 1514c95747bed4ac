import { z } from "zod";
import { ours } from "../../core/tool/untrusted-text.ts";
import { defineTool } from "../../ports/define-tool.ts";
import { end, rangeFields, rangeNotices, start, timeZone } from "./event-fields.ts";
import { readRange, writeTime, zoneNamed } from "./event-times.ts";
import { fitting } from "./fitting.ts";
import { mergeBusy } from "./merge-busy.ts";

const busySlot = z.object({
  start: ours(z.string()).describe("Start"),
  end: ours(z.string()).describe("End, exclusive"),
  allDay: z.boolean().describe("Whole days"),
});

export const getEventsAvailability = defineTool({
  name: "get_events_availability",
  title: "See busy times",
  description: "Busy times in this calendar only, without titles.",
  risk: "low",
  operation: "reads",
  openWorld: true,
  needs: ["calendar"],
  input: z.strictObject({ start, end, timeZone }),
  output: z.object({
    busy: z.array(busySlot).describe("Merged"),
    // The user chose these names.
    covers: z.array(ours(z.string())).describe("Calendars searched"),
    ...rangeFields,
  }),
  execute: async (args, { ports: { calendar }, signal }) => {
    const about = await calendar.about({ signal });
    const range = readRange(args, about.timeZone);
    const zone = zoneNamed(range.timeZone);
    const { events, truncated, skipped } = await calendar.list(range, { signal });
    const times = events.filter(({ blocks }) => blocks).map(({ time }) => time);
    const slots = mergeBusy(times, zone).map((time) => writeTime(time, zone));
    const { kept, isCut } = fitting(busySlot, slots, (slot) => `${slot.start} to ${slot.end}`);
    return { busy: kept, covers: [about.name], truncated: truncated || isCut, skipped };
  },
  text: ({ busy, truncated, skipped, covers }) => ({
    facts: [
      busy.length === 0 ? "No busy times." : "Busy:",
      ...busy.map((slot) => `${slot.start} to ${slot.end}${slot.allDay ? ", all day" : ""}`),
      // The user chose the calendar's name. Quotes prevent it from being read as our sentence.
      `Calendars: ${covers.map((name) => JSON.stringify(name)).join(", ")}. Others are not covered.`,
    ].join("\n"),
    notices: rangeNotices({ truncated, skipped }),
  }),
  mentions: ["start", "end"],
  describe: (args, output) =>
    `${output === undefined ? "check" : "checked"} busy times from ${args.start} to ${args.end}`,
});
