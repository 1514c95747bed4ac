import { z } from "zod";
import { defineContract } from "../../ports/define-tool.ts";
import { end, eventFields, eventId, scope, start, timeZone } from "./event-fields.ts";

export const updateEvent = defineContract({
  name: "update_event",
  title: "Change an event",
  description: "Change an event. The user is asked first.",
  risk: "high",
  does: "changes",
  openWorld: true,
  idempotent: true,
  needs: ["calendar"],
  input: z.strictObject({
    eventId,
    title: z.string().min(1).max(500).optional().describe("Title"),
    start: start.optional(),
    end: end.optional(),
    allDay: z.boolean().optional().describe("Whole days"),
    timeZone,
    scope,
  }),
  output: z.object(eventFields),
});
