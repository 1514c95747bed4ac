import { z } from "zod";
import { defineContract } from "../../ports/define-tool.ts";
import { end, eventFields, rangeFields, start, timeZone } from "./event-fields.ts";

export const getEventsDetails = defineContract({
  name: "get_events_details",
  title: "See events",
  description: "Events with titles: the assistant's own at once, the user's after approval.",
  risk: "dynamic",
  does: "reads",
  openWorld: true,
  needs: ["calendar"],
  input: z.strictObject({ start, end, timeZone }),
  output: z.object({
    events: z.array(z.object(eventFields)).describe("By start"),
    withheld: z.int().describe("The user's events not shown"),
    approval: z
      .object({
        id: z.string().describe("The request"),
        status: z.string().describe("How it stands"),
        expiresAt: z.string().describe("Until when"),
      })
      .optional()
      .describe("For what is withheld"),
    ...rangeFields,
    untrusted: z.literal(true).describe("Strangers may have written titles"),
  }),
});
