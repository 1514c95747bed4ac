import {
  createReminderRows,
  type StoredReminder,
} from "../../../adapters/libsql/chat/reminder-rows.ts";
import type { Database } from "../../../adapters/libsql/driver/database.ts";
import { nextReminder, reminderRule } from "../../../calendar/reminder-times.ts";
import type { Config } from "../../../config.ts";
import { randomId } from "../../../core/shared/digest.ts";
import { machineZone } from "../../../core/shared/time-zone.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import type { DueReminder, DueReminders, Reminders } from "../../../ports/people/reminders.ts";
import { requireOwnChats } from "./open-own-chat.ts";

/** Waiting reminders of one caller. More are a loop of a model. */
const mostWaiting = 100;

/** Creates the reminders of callers. */
export function openReminders(
  telegram: NonNullable<Config["telegram"]>,
  database: Database,
): Reminders {
  const rows = createReminderRows(database);

  async function find(principal: string, reminderId: string): Promise<StoredReminder> {
    const known = await rows.list(principal);
    const found = known.find((each) => each.reminderId === reminderId);
    if (found === undefined) throw unknown();
    return found;
  }

  return {
    timeZone: machineZone(),
    add: async (principal, { text, at: startAt, timeZone, recurrence: given }) => {
      requireOwnChats(telegram, principal, "No reminder was stored.");
      const once = { startAt, timeZone, recurrence: undefined };
      const recurrence = given === undefined ? undefined : reminderRule(given, once);
      const dueAt = nextReminder({ startAt, timeZone, recurrence }, new Date());
      if (dueAt === undefined)
        throw new ToolError("invalid_input", "at: it is in the past. No reminder was stored.", {
          hint: "Give a time in the future.",
        });
      const reminder = { reminderId: randomId("rm"), text, timeZone, recurrence, dueAt };
      if (!(await rows.add({ ...reminder, principal, startAt }, mostWaiting)))
        throw new ToolError(
          "too_large",
          `${mostWaiting} reminders are waiting already. No reminder was stored.`,
          { hint: "Cancel some: list_reminders, cancel_reminder." },
        );
      return { ...reminder, unconfirmed: undefined };
    },
    list: (principal) => rows.list(principal),
    find,
    cancel: async (principal, reminderId) => {
      if (!(await rows.cancel(principal, reminderId))) throw unknown();
    },
  };
}

/** Creates the deliveries of reminders, for the leader. */
export function openDueReminders(database: Database): DueReminders {
  const rows = createReminderRows(database);

  async function takeAgain(except: readonly string[]): Promise<DueReminder | undefined> {
    for (;;) {
      const found = await rows.unconfirmed(except);
      if (found === undefined) return undefined;
      const { reminderId, principal, text, unconfirmed: at, dueAt: next } = found;
      if (await rows.claimAgain(reminderId, at))
        return { reminderId, principal, text, at, next, isRepeated: true };
    }
  }

  return {
    take: async (except) => {
      for (;;) {
        const due = await rows.earliest(except);
        if (due === undefined) return await takeAgain(except);
        const { reminderId, principal, text, dueAt: at } = due;
        // Times that were missed meanwhile are left out.
        const next = due.recurrence === undefined ? undefined : nextReminder(due, new Date());
        if (await rows.claim(reminderId, at, next))
          return { reminderId, principal, text, at, next, isRepeated: false };
      }
    },
    sent: (reminder) => rows.sent(reminder),
    release: (reminder) => rows.release(reminder),
  };
}

function unknown(): ToolError {
  return new ToolError("not_found", "You have no such reminder. Nothing was cancelled.", {
    hint: "list_reminders lists them.",
  });
}
