import { z } from "zod";
import { defineContract } from "../../ports/define-tool.ts";
import { end, eventFields, start, timeZone } from "./event-fields.ts";

export const createEvent = defineContract({
  name: "create_event",
  title: "Create an event",
  description: "Add an event to the calendar. The user is asked first.",
  risk: "high",
  does: "adds",
  openWorld: true,
  needs: ["calendar"],
  input: z.strictObject({
    title: z.string().min(1).max(500).describe("Title"),
    start,
    end,
    allDay: z.boolean().default(false).describe("Whole days"),
    timeZone,
    recurrence: z.string().max(500).optional().describe("RRULE value"),
    idempotencyKey: z.string().max(200).optional().describe("Same key, same event"),
  }),
  output: z.object(eventFields),
});
