import { z } from "zod";

/** Times as the calendar tools take and give them (PRODUCT section 2). */
export const start = z
  .string()
  .max(40)
  .describe("ISO 8601 with offset or timeZone; YYYY-MM-DD if all-day");
export const end = z.string().max(40).describe("Exclusive");
export const timeZone = z.string().max(60).optional().describe("IANA name");
export const eventId = z.string().max(400).describe("From get_events_details");
export const scope = z.enum(["this", "all"]).default("this").describe("One occurrence or all");

/** An event as every calendar tool returns it. */
export const eventFields = {
  id: z.string().describe("The event"),
  title: z.string().describe("Its title"),
  start: z.string().describe("Start"),
  end: z.string().describe("End, exclusive"),
  allDay: z.boolean().describe("Whole days"),
  origin: z.enum(["assistant", "user"]).describe("Who made it"),
};

export const rangeFields = {
  truncated: z.boolean().describe("There were more than fit"),
  skipped: z.int().describe("Events that could not be read"),
};
