import { z } from "zod";
import { defineContract } from "../../ports/define-tool.ts";
import { eventId, scope } from "./event-fields.ts";

export const deleteEvent = defineContract({
  name: "delete_event",
  title: "Delete an event",
  description: "Delete an event. The user is asked first.",
  risk: "high",
  does: "removes",
  openWorld: true,
  needs: ["calendar"],
  input: z.strictObject({ eventId, scope }),
  output: z.object({
    id: z.string().describe("The event"),
    deleted: z.literal(true).describe("It is gone"),
  }),
});
