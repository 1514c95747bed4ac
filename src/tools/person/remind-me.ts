import { z } from "zod";
import { cut } from "../../core/shared/text/clean-text.ts";
import { shownValue } from "../../core/shared/text/visible.ts";
import { ours } from "../../core/tool/untrusted-text.ts";
import { defineTool } from "../../ports/define-tool.ts";
import { readTime, zoneNamed } from "../calendar/event-times.ts";
import { reminderFields, shownReminder } from "./reminder-fields.ts";

export const remindMe = defineTool({
  name: "remind_me",
  title: "Remind the user",
  description: "Remind the user in Telegram, once or repeatedly.",
  risk: "medium",
  operation: "adds",
  needs: ["reminders"],
  input: z.strictObject({
    text: z
      .string()
      .max(1_000)
      .regex(/\S/, { error: "contains no text" })
      .describe("What the user reads"),
    at: z.string().max(40).describe("ISO 8601 time"),
    timeZone: z.string().max(64).optional().describe("IANA name; without it the user's"),
    recurrence: z.string().max(300).optional().describe("RRULE value"),
  }),
  output: z.object({
    ...reminderFields,
    next: ours(z.string()).describe("The first delivery"),
  }),
  execute: async ({ text, at, timeZone, recurrence }, { ports, principal }) => {
    const zone = zoneNamed(timeZone ?? ports.reminders.timeZone);
    const reminder = await ports.reminders.add(principal, {
      text,
      at: readTime("at", at, zone.name),
      timeZone: zone.name,
      recurrence,
    });
    const { next = "", ...shown } = shownReminder(reminder);
    return { ...shown, next };
  },
  text: ({ id, next, recurrence }) => ({
    facts: `Stored as ${id}. The user is reminded at ${next}${recurrence === undefined ? "" : `, then by ${recurrence}`}.`,
  }),
  mentions: ["text", "at"],
  describe: ({ text, at }, output) =>
    output === undefined
      ? `remind you at ${at}: ${shownValue(cut(text, 80))}`
      : `stored a reminder for ${output.next}: ${shownValue(cut(text, 80))}`,
  report: (_args, { next, recurrence }) =>
    `stored a reminder for ${next}${recurrence === undefined ? "" : `, then by ${recurrence}`}`,
});
