import type { Log } from "../../core/shared/log.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { Messenger } from "../../ports/people/messenger.ts";
import type { DueReminder, DueReminders } from "../../ports/people/reminders.ts";
import { formatMoment } from "../words.ts";
import { assistantMessage } from "./assistant-message.ts";
import { Trouble } from "./back-off.ts";
import { wasSurelyNotSent } from "./each-chat.ts";

/** A reminder counts as late from this delay on. Milliseconds. */
const lateFromMs = 60_000;
/** Limit on deliveries before other messages have their turn. */
const mostAtOnce = 20;

/**
 * Creates the delivery of reminders. Each is claimed before it is sent. A message that may have been sent, for example
 * before a crash, is repeated, and the repeated one says so.
 */
export function createReminderNews(settings: {
  messenger: Messenger;
  reminders: DueReminders;
  chatsOf: (principal: string) => readonly string[];
  log: Log;
}): () => Promise<void> {
  const { messenger, reminders, chatsOf, log } = settings;
  const trouble = new Trouble();
  let nextPollAt = -Infinity;
  /** Callers whose chat failed. They must not delay other callers. */
  const callers = new Map<string, { trouble: Trouble; quietUntil: number }>();

  function tellTrouble(principal: string, cause: unknown): number {
    return troubleOf(principal).trouble.failed(cause, () =>
      log.warn("sending a reminder to Telegram failed", {
        caller: principal,
        cause,
        ...hintOf(cause),
      }),
    );
  }

  function troubleOf(principal: string) {
    const caller = callers.get(principal) ?? { trouble: new Trouble(), quietUntil: 0 };
    callers.set(principal, caller);
    return caller;
  }

  /** Returns whether the reminder was sent to all of the caller's chats. Rejects if it was sent to none. */
  async function deliver(reminder: DueReminder): Promise<boolean> {
    const { principal, text } = reminder;
    const message = assistantMessage(headOf(reminder, new Date()), text);
    const chats = chatsOf(principal);
    const failures: unknown[] = [];
    for (const chatId of chats)
      await messenger.send(chatId, message).catch((cause: unknown) => failures.push(cause));
    if (chats.length === 0)
      failures.push(
        new ToolError("not_configured", `No Telegram chat belongs to the caller ${principal}.`, {
          hint: "Add the person to TELEGRAM_APPROVER_IDS and TELEGRAM_CHAT_ID.",
        }),
      );
    // A caller with several chats is reminded once, because a repetition for one chat would reach the others too.
    if (failures.length < chats.length) {
      await reminders.sent(reminder);
      if (failures.length > 0) tellTrouble(principal, failures[0]);
      return failures.length === 0;
    }
    if (failures.every(wasSurelyNotSent)) await reminders.release(reminder);
    throw failures[0];
  }

  async function deliverOrPause(reminder: DueReminder): Promise<void> {
    const { principal } = reminder;
    const caller = troubleOf(principal);
    try {
      if (await deliver(reminder))
        caller.trouble.over(() =>
          log.info("sending reminders to Telegram works again", { caller: principal }),
        );
    } catch (cause) {
      caller.quietUntil = performance.now() + tellTrouble(principal, cause);
    }
  }

  return async () => {
    if (performance.now() < nextPollAt) return;
    try {
      for (let count = 0; count < mostAtOnce; count += 1) {
        const paused = [...callers].filter(([, { quietUntil }]) => performance.now() < quietUntil);
        const due = await reminders.take(paused.map(([principal]) => principal));
        if (due === undefined) break;
        await deliverOrPause(due);
      }
      trouble.over(() => log.info("reading reminders works again"));
    } catch (cause) {
      const waitMs = trouble.failed(cause, () =>
        log.warn("reading reminders failed", { cause, ...hintOf(cause) }),
      );
      nextPollAt = performance.now() + waitMs;
    }
  };
}

function hintOf(cause: unknown): { hint?: string } {
  const hint = cause instanceof ToolError ? cause.hint : undefined;
  return hint === undefined ? {} : { hint };
}

function headOf({ at, next, isRepeated }: DueReminder, now: Date): string {
  const isLate = now.getTime() - at.getTime() >= lateFromMs;
  return [
    "Reminder, in your assistant's words.",
    ...(isRepeated ? ["It may have been sent before: the first attempt was interrupted."] : []),
    ...(isLate ? [`Late: it was for ${formatMoment(at)}.`] : []),
    ...(next === undefined ? [] : [`Next: ${formatMoment(next)}.`]),
  ].join(" ");
}
