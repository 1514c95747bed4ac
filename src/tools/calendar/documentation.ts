import type { Documentation } from "../../core/tool/documentation.ts";

const times =
  "Times are ISO 8601 with an offset, or without one beside `timeZone`, an IANA name; `YYYY-MM-DD` for whole days. A time that clocks skip or show twice is refused with what may be meant. `end` is exclusive.";
const dedicated =
  "Only the one calendar that the user dedicated to this server is seen; any other event is `not_found`.";
const noEvent = "There is no such event: look with `get_events_details`.";
const changed = "The event was changed meanwhile: look again before you ask anew.";

export const calendarDocumentation: Readonly<Record<string, Documentation>> = {
  get_events_availability: {
    notes: [
      "Says when the calendar is busy and never with what. Use it to find a free slot; it asks nobody.",
      `${times} ${dedicated}`,
      "`skipped` counts events that could not be read: a slot that looks free may then be taken.",
    ],
    errors: { invalid_input: "`end` must lie after `start`." },
    examples: [
      {
        asks: "When am I free on Monday?",
        arguments: { start: "2026-03-02T00:00:00+01:00", end: "2026-03-03T00:00:00+01:00" },
      },
    ],
  },
  get_events_details: {
    notes: [
      "Events that the assistant created come at once. The user's own events need approval of the call; until then `withheld` counts them and `approval` names the request. That is no error: work with what you have, and tell the user what was asked.",
      `${times} ${dedicated}`,
    ],
    errors: { invalid_input: "`end` must lie after `start`." },
    examples: [
      {
        asks: "What is on next week?",
        arguments: { start: "2026-03-02T00:00:00+01:00", end: "2026-03-09T00:00:00+01:00" },
      },
    ],
  },
  create_event: {
    notes: [
      `${times} \`recurrence\` is an RRULE value as in RFC 5545.`,
      "With an `idempotencyKey` of your own, a repeated call makes the same event and not a second one.",
    ],
    errors: {
      invalid_input: "`end` must lie after `start`, and the recurrence must be an RRULE value.",
      conflict:
        "This `idempotencyKey` was used for another event, or its event has been removed since: choose another.",
    },
    examples: [
      {
        asks: "Put lunch with Ann on Tuesday at noon",
        arguments: {
          title: "Lunch with Ann",
          start: "2026-03-03T12:00:00+01:00",
          end: "2026-03-03T13:00:00+01:00",
        },
      },
    ],
  },
  update_event: {
    notes: [
      "Changes only the fields that are given; everything else of the event stays. `scope` says whether one occurrence of a recurring event is meant or all of them.",
      `${times} ${dedicated}`,
    ],
    errors: { not_found: noEvent, conflict: changed },
    examples: [
      {
        asks: "Move it to three",
        arguments: {
          eventId: "example@countersign",
          start: "2026-03-03T15:00:00+01:00",
          end: "2026-03-03T16:00:00+01:00",
        },
      },
    ],
  },
  delete_event: {
    notes: [
      `Deletes an event, or with \`scope\` one occurrence of it. It cannot be brought back. ${dedicated}`,
    ],
    errors: { not_found: noEvent, conflict: changed },
    examples: [{ asks: "Cancel it", arguments: { eventId: "example@countersign" } }],
  },
};
