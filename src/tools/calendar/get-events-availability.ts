import { z } from "zod";
import { defineContract } from "../../ports/define-tool.ts";
import { end, rangeFields, start, timeZone } from "./event-fields.ts";

export const getEventsAvailability = defineContract({
  name: "get_events_availability",
  title: "See busy times",
  description: "Busy times in the calendar, without titles.",
  risk: "low",
  does: "reads",
  openWorld: true,
  needs: ["calendar"],
  input: z.strictObject({ start, end, timeZone }),
  output: z.object({
    busy: z
      .array(
        z.object({
          start: z.string().describe("Start"),
          end: z.string().describe("End, exclusive"),
          allDay: z.boolean().describe("Whole days"),
        }),
      )
      .describe("Merged"),
    covers: z.array(z.string()).describe("Calendars looked at"),
    ...rangeFields,
  }),
});
