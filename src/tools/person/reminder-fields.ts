import { z } from "zod";
import { ianaZone, isoInZone, utcZone } from "../../core/shared/time-zone.ts";
import { ours, untrustedText } from "../../core/tool/untrusted-text.ts";
import type { Reminder } from "../../ports/people/reminders.ts";

export const reminderId = z
  .string()
  .max(40)
  .regex(/^rm_[a-z2-7]{26}$/, { error: "is not the id of a reminder" });

export const reminderFields = {
  id: ours(z.string()).describe("For cancel_reminder"),
  next: ours(z.string()).optional().describe("The next delivery"),
  recurrence: ours(z.string()).optional().describe("Its rule"),
};

export const listedReminder = z.object({
  ...reminderFields,
  text: untrustedText(z.string()).describe("The stored text"),
  unconfirmed: ours(z.string()).optional().describe("This delivery may have been lost"),
});

/** Returns the fields of a reminder that are ours. */
export function shownReminder({ reminderId: id, dueAt, timeZone, recurrence }: Reminder) {
  return {
    id,
    ...(dueAt !== undefined && { next: inZone(dueAt, timeZone) }),
    ...(recurrence !== undefined && { recurrence }),
  };
}

/** Formats a time in the zone of its reminder. */
export function inZone(at: Date, timeZone: string): string {
  return isoInZone(at, ianaZone(timeZone) ?? utcZone);
}
