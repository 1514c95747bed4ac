import type { Documentation } from "../../core/tool/documentation.ts";

const times =
  "Times are ISO 8601 with an offset, or without one together with `timeZone`, an IANA name. All-day dates are `YYYY-MM-DD`. A time that clocks skip or show twice is refused, and the error lists the possible times. `end` is exclusive.";
const dedicated =
  "Only the one calendar that the user dedicated to this server is visible. Any other event is `not_found`.";
const noEvent = "The event does not exist. Find it with `get_events_details`.";
const changed = "The event has changed. Read it again before you repeat the call.";

export const calendarDocumentation: Readonly<Record<string, Documentation>> = {
  get_events_availability: {
    notes: [
      "Returns when the calendar is busy, without titles. Use it to find a free slot. It needs no approval.",
      `${times} ${dedicated}`,
      "`skipped` counts events that could not be read. A slot that looks free may then be busy.",
    ],
    errors: { invalid_input: "`end` must be after `start`." },
    examples: [
      {
        asks: "When am I free on Monday?",
        arguments: { start: "2026-03-02T00:00:00+01:00", end: "2026-03-03T00:00:00+01:00" },
      },
    ],
  },
  get_events_details: {
    notes: [
      "Events that the assistant created are returned immediately. The user's own events need approval of the call. Until then `withheld` counts them and `approval` names the request. This is not an error: work with what you have, and tell the user about the request.",
      `${times} ${dedicated}`,
    ],
    errors: { invalid_input: "`end` must be after `start`." },
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
      "With an `idempotencyKey`, a repeated call returns the same event and does not create a second one.",
    ],
    errors: {
      invalid_input: "`end` must be after `start`, and the recurrence must be an RRULE value.",
      conflict:
        "This `idempotencyKey` was used for another event, or its event was deleted. Choose another one.",
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
      "Changes only the given fields. All other fields of the event are kept. `scope` selects one occurrence of a recurring event or all of them.",
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
      `Deletes an event or, with \`scope\`, one occurrence of it. The user can restore it with undo. ${dedicated}`,
    ],
    errors: { not_found: noEvent, conflict: changed },
    examples: [{ asks: "Cancel it", arguments: { eventId: "example@countersign" } }],
  },
};
