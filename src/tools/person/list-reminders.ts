import { z } from "zod";
import { defineTool } from "../../ports/define-tool.ts";
import { untrusted } from "../email/email-fields.ts";
import { inZone, listedReminder, shownReminder } from "./reminder-fields.ts";

export const listReminders = defineTool({
  name: "list_reminders",
  title: "List reminders",
  description: "List the user's reminders, the next one first.",
  risk: "low",
  operation: "reads",
  reads: "private",
  needs: ["reminders"],
  input: z.strictObject({}),
  output: z.object({
    reminders: z.array(listedReminder).describe("The next one first"),
    untrusted,
  }),
  execute: async (_args, { ports, principal }) => {
    const reminders = await ports.reminders.list(principal);
    return {
      reminders: reminders.map((reminder) => ({
        ...shownReminder(reminder),
        text: reminder.text,
        ...(reminder.unconfirmed !== undefined && {
          unconfirmed: inZone(reminder.unconfirmed, reminder.timeZone),
        }),
      })),
      untrusted: true as const,
    };
  },
  text: ({ reminders }) => ({
    facts: reminders.length === 0 ? "No reminders." : `${reminders.length} reminders:`,
    ...(reminders.length > 0 && {
      untrusted: reminders
        .map(({ id, next, recurrence, text, unconfirmed }) =>
          [
            [id, next ?? "over", recurrence].filter((part) => part !== undefined).join(" "),
            ...(unconfirmed === undefined ? [] : [`May have been lost: ${unconfirmed}`]),
            text,
          ].join("\n"),
        )
        .join("\n\n"),
    }),
  }),
  // An assistant wrote the texts, and may have copied them from other people.
  gives: ({ reminders }) =>
    reminders.map(({ id, text }) => ({
      kind: "reminder",
      id,
      writtenBy: "assistant",
      verified: false,
      texts: [text],
    })),
  describe: (_args, output) => `${output === undefined ? "list" : "listed"} your reminders`,
});
