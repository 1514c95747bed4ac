import type { Documentation } from "../../core/tool/documentation.ts";

const noChat =
  "No Telegram chat belongs to this caller. The user can add one to TELEGRAM_APPROVER_IDS and TELEGRAM_CHAT_ID.";
const noReminder = "You have no such reminder. `list_reminders` lists them.";

export const personDocumentation: Readonly<Record<string, Documentation>> = {
  notify_user: {
    notes: [
      "Sends plain text only to the caller's own private Telegram chat. The message says that the assistant wrote it, and its links are not clickable.",
      "At most 10 messages an hour. In a conversation, say it in your answer instead.",
    ],
    errors: { not_configured: noChat, rate_limited: "10 messages within an hour were sent." },
    examples: [
      { asks: "Send me the address on my phone", arguments: { text: "Harbour Road 12, Bay 4" } },
    ],
  },
  remind_me: {
    notes: [
      "Stores a reminder that is delivered in the user's own Telegram chat. `at` is a time with an offset, or a wall-clock time in `timeZone`, by default the user's zone.",
      "`recurrence` is an RRULE value (RFC 5545), at most hourly, and its first time is `at`. It follows the wall clock of the zone.",
      "Each delivery is sent once, and a late one says so. If the program was stopped while it sent a message, the message is repeated and says that it may have been sent before. Until then, `list_reminders` shows the delivery as `unconfirmed`.",
    ],
    errors: {
      not_configured: noChat,
      too_large: "100 reminders are waiting. Cancel some.",
      invalid_input: "The time is in the past, does not exist, or the rule is not valid.",
    },
    examples: [
      {
        asks: "Remind me every weekday at nine to drink water",
        arguments: {
          text: "Drink a glass of water",
          at: "2026-11-24T09:00",
          recurrence: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
        },
      },
    ],
  },
  list_reminders: {
    notes: [
      "Lists the reminders of this caller. `next` is the next delivery, in the reminder's own zone. `unconfirmed` is a delivery that may not have arrived.",
    ],
    errors: {},
    examples: [{ asks: "What will you remind me of?", arguments: {} }],
  },
  cancel_reminder: {
    notes: [
      "Cancels one reminder with all its repetitions. With the text, time and rule in the result, `remind_me` can store it again.",
    ],
    errors: { not_found: noReminder },
    examples: [
      { asks: "Stop the water reminder", arguments: { id: "rm_aaaaaaaaaaaaaaaaaaaaaaaaaa" } },
    ],
  },
};
