import { z } from "zod";
import { cut } from "../../core/shared/text/clean-text.ts";
import { shownName, shownValue } from "../../core/shared/text/visible.ts";
import { ours, untrustedText } from "../../core/tool/untrusted-text.ts";
import { defineTool } from "../../ports/define-tool.ts";
import { reminderFields, reminderId, shownReminder } from "./reminder-fields.ts";

export const cancelReminder = defineTool({
  name: "cancel_reminder",
  title: "Cancel a reminder",
  description: "Cancel a reminder with all its repetitions.",
  risk: "medium",
  operation: "removes",
  reads: "private",
  needs: ["reminders"],
  actsOn: ({ id }) => id,
  input: z.strictObject({ id: reminderId.describe("From list_reminders") }),
  output: z.object({
    id: ours(z.string()).describe("Its id"),
    cancelled: z.literal(true).describe("Always true"),
    next: reminderFields.next,
    recurrence: reminderFields.recurrence,
    text: untrustedText(z.string()).describe("With these fields it can be stored again"),
  }),
  prepare: async (args, { ports, principal }) => {
    const reminder = await ports.reminders.find(principal, args.id);
    const { next, recurrence } = shownReminder(reminder);
    const when = next === undefined ? "" : ` at ${next}`;
    const again = recurrence === undefined ? "" : ", with all its repetitions";
    const headline = `Cancel the reminder ${shownName(reminder.text)}${when}${again}`;
    return {
      args,
      effect: { headline, mentions: ["id"], facts: [], isRecorded: true, forClient: "all" },
    };
  },
  execute: async ({ id }, { ports, principal }) => {
    const reminder = await ports.reminders.find(principal, id);
    await ports.reminders.cancel(principal, id);
    return { ...shownReminder(reminder), cancelled: true as const, text: reminder.text };
  },
  text: ({ id, next, text }) => ({
    facts: `Cancelled ${id}${next === undefined ? "" : `, which was for ${next}`}.`,
    untrusted: text,
  }),
  gives: ({ text }, { id }) => [
    { kind: "reminder", id, writtenBy: "assistant", verified: false, texts: [text] },
  ],
  mentions: ["id"],
  describe: ({ id }, output) =>
    output === undefined
      ? `cancel the reminder ${id}`
      : `cancelled the reminder ${shownValue(cut(output.text, 80))}`,
  report: ({ id }, { next }) =>
    `cancelled the reminder ${id}${next === undefined ? "" : `, which was for ${next}`}`,
});
