import { z } from "zod";
import { canonicalJson, sha256Hex } from "../../core/shared/digest.ts";
import { dateToWall } from "../../core/shared/time-zone.ts";
import { ours } from "../../core/tool/untrusted-text.ts";
import { type ApprovalGuidance, ToolError } from "../../core/tool/tool-error.ts";
import { defineTool } from "../../ports/define-tool.ts";
import type { Calendar, CalendarEvent, EventRange } from "../../ports/calendar/calendar.ts";
import {
  end,
  eventFields,
  givenEvent,
  rangeFields,
  rangeNotices,
  startAsAbove,
  timeZone,
} from "./event-fields.ts";
import { readRange, sameInstant, writeEvent, zoneNamed } from "./event-times.ts";
import { fitting } from "./fitting.ts";
import { formatDays, timeHere, timeThere } from "./format-times.ts";

interface Args {
  start: string;
  end: string;
  timeZone?: string | undefined;
}

const listedEvent = z.object(eventFields);

export const getEventsDetails = defineTool({
  name: "get_events_details",
  title: "See events",
  description: "Events with titles: the assistant's own immediately, the user's after approval.",
  risk: "dynamic",
  operation: "reads",
  openWorld: true,
  reads: "private",
  needs: ["calendar"],
  actsOn: ({ start: from, end: to, timeZone: zone }) =>
    `${sameInstant(from, zone)} to ${sameInstant(to, zone)}`,
  input: z.strictObject({ start: startAsAbove, end, timeZone }),
  output: z.object({
    events: z.array(listedEvent).describe("By start"),
    withheld: z.int().describe("User's events not shown"),
    approval: z
      .object({
        id: ours(z.string()).describe("The request"),
        status: ours(z.string()).describe("Its status"),
        expiresAt: ours(z.string()).describe("When it expires"),
        fingerprint: ours(z.string()).describe("For the user to compare"),
        guidance: ours(z.string()).describe("What to do next"),
      })
      .optional()
      .describe("Request for withheld events"),
    ...rangeFields,
    untrusted: z.literal(true).describe("Titles may be untrusted text"),
  }),
  prepare: async (args, { ports: { calendar }, signal }) => {
    const range = await rangeOf(args, calendar, signal);
    const { events } = await calendar.list(range, { signal });
    const theirs = events.filter(({ origin }) => origin === "user");
    const resolved = { ...args, timeZone: range.timeZone };
    if (theirs.length === 0) return { args: resolved, risk: "low" };
    const times = theirs.map(({ time }) => time);
    const zone = zoneNamed(range.timeZone);
    const isInDays = [args.start, args.end].every((at) => dateToWall(at) !== undefined);
    const span = { allDay: false as const, start: range.from, end: range.to };
    const forYou = isInDays ? [] : timeHere(span, zone);
    const facts = [
      ...forYou,
      { label: "on", value: formatDays(times, zone) },
      { label: "time zone", value: range.timeZone },
    ];
    const version = digestOf(theirs);
    const yours = theirs.length === 1 ? "1 event of yours" : `${theirs.length} events of yours`;
    const headline = {
      headline: `Show the assistant ${yours} with titles, ${isInDays ? `from ${args.start} to ${args.end}` : timeThere(span, zone)}`,
      mentions: isInDays ? (["start", "end"] as const) : (["start", "end", "timeZone"] as const),
    };
    // The client may see this fact: the result contains the number of withheld events in any case.
    const effect = { ...headline, facts, forClient: { ...headline, facts: forYou } };
    return { args: resolved, risk: "high", version, effect };
  },
  execute: async (args, { ports: { calendar }, version, signal }) => {
    const { events, ...rest } = await read(args, calendar, signal);
    const theirs = events.filter(({ origin }) => origin === "user");
    // If there is no version, the calendar had only the assistant's events when it was prepared. Events that appeared
    // since then stay withheld.
    if (version === undefined) return answer(ownOnly(events), theirs.length, rest);
    if (version === digestOf(theirs)) return answer(events, 0, rest);
    throw new ToolError(
      "conflict",
      "The calendar has changed since the user approved. No events were shown.",
      { hint: "Call again. The user is asked about the events as they are now." },
    );
  },
  withoutApproval: async (args, { ports: { calendar }, signal }, approval) => {
    const { events, ...rest } = await read(args, calendar, signal);
    const own = ownOnly(events);
    return answer(own, events.length - own.length, rest, approval);
  },
  text: ({ events, withheld, approval, truncated, skipped }) => ({
    facts: [
      events.length === 0 ? "No events to show." : `${numbered(events.length)}.`,
      ...(approval === undefined
        ? []
        : [
            `Request ${approval.id}, fingerprint ${approval.fingerprint}: ${approval.status}${approval.status === "pending" ? `, until ${approval.expiresAt}` : ""}. ${approval.guidance}`,
          ]),
    ].join("\n"),
    notices: [
      ...(withheld > 0
        ? [`${withheld} of the user's events ${withheld === 1 ? "is" : "are"} withheld.`]
        : []),
      ...rangeNotices({ truncated, skipped }),
    ],
    ...(events.length > 0 && { untrusted: events.map(formatEvent).join("\n") }),
  }),
  gives: ({ events }) => events.map(givenEvent),
  mentions: ["start", "end"],
  describe: (args, output) =>
    output === undefined
      ? `read events from ${args.start} to ${args.end}`
      : `saw ${numbered(output.events.length)} from ${args.start} to ${args.end}`,
});

async function rangeOf(args: Args, calendar: Calendar, signal: AbortSignal): Promise<EventRange> {
  return readRange(args, args.timeZone ?? (await calendar.about({ signal })).timeZone);
}

async function read(args: Args, calendar: Calendar, signal: AbortSignal) {
  const range = await rangeOf(args, calendar, signal);
  const list = await calendar.list(range, { signal });
  return { ...list, timeZone: range.timeZone };
}

/** Computes a digest of events. The approval is for these exact events. */
function digestOf(events: readonly CalendarEvent[]): string {
  const each = events.map(({ eventId, title, time: { start: from, end: to } }) =>
    canonicalJson({ eventId, title, from, to }),
  );
  // Sorted, because simultaneous events have no fixed order.
  return sha256Hex(canonicalJson(each.toSorted()));
}

function ownOnly(events: readonly CalendarEvent[]): CalendarEvent[] {
  return events.filter(({ origin }) => origin === "assistant");
}

function answer(
  events: readonly CalendarEvent[],
  withheld: number,
  {
    truncated,
    skipped,
    timeZone: zoneName,
  }: { truncated: boolean; skipped: number; timeZone: string },
  approval?: ApprovalGuidance,
) {
  const zone = zoneNamed(zoneName);
  const written = events.map((event) => writeEvent(event, zone));
  const { kept, isCut } = fitting(listedEvent, written, formatEvent);
  return {
    events: kept,
    withheld,
    ...(approval !== undefined && {
      approval: {
        id: approval.id,
        status: approval.status,
        expiresAt: approval.expiresAt,
        fingerprint: approval.fingerprint,
        guidance: approval.guidance,
      },
    }),
    truncated: truncated || isCut,
    skipped,
    untrusted: true as const,
  };
}

function formatEvent(event: ReturnType<typeof writeEvent>): string {
  const day = event.allDay ? ", all day" : "";
  return `${event.start} to ${event.end}${day}: ${event.title} (${event.origin}, ${event.id})`;
}

function numbered(events: number): string {
  return events === 1 ? "1 event" : `${events} events`;
}
