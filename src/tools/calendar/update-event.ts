import { z } from "zod";
import { shownName } from "../../core/shared/text/visible.ts";
import { isoInZone, type TimeZone } from "../../core/shared/time-zone.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { defineTool } from "../../ports/define-tool.ts";
import { eventOf } from "../../ports/calendar/event-id.ts";
import type { EventChanges, EventTime } from "../../ports/calendar/calendar.ts";
import { invitedLines } from "../../ports/calendar/invited-people.ts";
import { beyondSpace, noSpaceLeft } from "../undo-space.ts";
import {
  changeForClient,
  end,
  eventFields,
  eventId,
  givenEvent,
  scope,
  startAsAbove,
  timeZone,
} from "./event-fields.ts";
import { readEventTime, withOffsets, writeEvent, writeTime, zoneNamed } from "./event-times.ts";
import {
  formatChange,
  formatTime,
  madeBy,
  ownZone,
  formatScope,
  timeHere,
  timeThere,
  type ZonedTime,
} from "./format-times.ts";
import { findOverlaps } from "./overlaps.ts";

export const updateEvent = defineTool({
  name: "update_event",
  title: "Change an event",
  description: "Change an event. The user is asked; repeat the call once approved.",
  risk: "high",
  operation: "changes",
  openWorld: true,
  idempotent: true,
  reads: "private",
  needs: ["calendar"],
  // The whole series, so a denial for one occurrence covers all of them.
  actsOn: ({ eventId: id }) => eventOf(id),
  input: z.strictObject({
    eventId,
    title: z.string().min(1).max(500).optional().describe("Title"),
    start: startAsAbove.optional(),
    end: end.optional(),
    allDay: z.boolean().optional().describe("Whole days"),
    timeZone,
    scope,
  }),
  output: z.object(eventFields),
  prepare: async (args, { ports: { calendar }, principal, signal }) => {
    const zone = zoneNamed(args.timeZone ?? (await calendar.about({ signal })).timeZone);
    const options = { scope: args.scope, timeZone: zone.name, signal };
    const { event } = await calendar.find(args.eventId, zone.name, { signal });
    const resolved = { ...args, ...completed(withOffsets(args), event.time, zone) };
    const { before, after } = await calendar.previewUpdate(
      args.eventId,
      changes(resolved),
      options,
    );
    const overlaps = await findOverlaps(calendar, after.time, zone, {
      except: args.eventId,
      signal,
    });
    const was = { time: before.event.time, zone: ownZone(before.event, zone) };
    const now = { time: after.time, zone: ownZone(after, zone) };
    const isMoved = there(now) !== there(was);
    const time = { was, is: isMoved ? now : undefined };
    const change = { ...time, title: after.title === before.event.title ? undefined : after.title };
    // The client must not learn whether the requested title equals the present one.
    const asked = { ...time, title: args.title };
    const isKept = await calendar.keepsMore(principal, before.bytes);
    const forYou = timeHere(now.time, now.zone);
    const others = [
      { label: "at the same time", value: overlaps },
      madeBy(before.event),
      ...(isKept ? [] : [beyondSpace()]),
    ];
    const compared = [
      ...(change.title === undefined
        ? []
        : [
            { label: "title before", value: before.event.title },
            { label: "title after", value: change.title },
          ]),
      ...(isMoved
        ? [
            { label: "before", value: formatTime(was.time, was.zone) },
            { label: "after", value: there(now) },
          ]
        : []),
    ];
    const named = `the event ${shownName(before.event.title)}`;
    const forClient = (name: string): string =>
      `${formatChange(name, asked)}${formatScope(args.scope, args.scope === "all")}`;
    return {
      args: resolved,
      version: before.version,
      ...(!isKept && { onlyPerson: noSpaceLeft }),
      effect: {
        headline: `${formatChange(named, change)}${formatScope(args.scope, before.repeats)}`,
        mentions,
        facts: [...forYou, ...invitedLines(before.invited), ...others],
        compared,
        isRecorded: true,
        forClient: changeForClient(before, forClient, {
          mentions,
          facts: forYou,
          own: [...forYou, ...others, ...compared],
        }),
      },
    };
  },
  execute: async (args, context) => {
    const { ports, version = "", signal, principal, callId, isDecided } = context;
    const { calendar } = ports;
    const zone = zoneNamed(args.timeZone ?? (await calendar.about({ signal })).timeZone);
    const by = { principal, callId, isDecided };
    const options = { scope: args.scope, timeZone: zone.name, version, signal, by };
    return writeEvent(await calendar.update(args.eventId, changes(args), options), zone);
  },
  text: (event) => ({
    facts: `Changed the event ${event.id}: ${event.start} to ${event.end}.`,
    untrusted: `Title: ${event.title}`,
  }),
  // A new title is the caller's own text.
  gives: (event, { title }) => (title === undefined ? [givenEvent(event)] : []),
  mentions: ["eventId"],
  describe: ({ eventId: id }, output) =>
    output === undefined
      ? `change the event ${id}`
      : `changed the event ${JSON.stringify(output.title)}, which is now on ${output.start}`,
  // An unchanged title may be untrusted, so the report only refers to it.
  report: ({ eventId: id }, output) =>
    `changed the event with the title above (${id}), which is now on ${output.start}`,
});

/** The arguments that the headline covers in full. */
const mentions = ["eventId", "title", "start", "end", "allDay", "timeZone", "scope"] as const;

interface Args {
  title?: string | undefined;
  start?: string | undefined;
  end?: string | undefined;
  allDay?: boolean | undefined;
  timeZone?: string | undefined;
}

/** Completes the new time. Missing fields keep their values, and a new start without an end keeps the duration. */
function completed(
  args: Args,
  now: EventTime,
  zone: TimeZone,
): Pick<Args, "start" | "end" | "allDay"> {
  const { title, start: from, end: to } = args;
  const allDay = args.allDay ?? now.allDay;
  if (from === undefined && to === undefined) {
    if (allDay !== now.allDay) throw incomplete("start and end");
    if (args.timeZone !== undefined && !now.allDay) return writeTime(now, zone);
    if (title === undefined) {
      throw new ToolError("invalid_input", "The call names no change. Nothing was done.", {
        hint: "Name the title, the time, or both.",
      });
    }
    return {};
  }
  const current = writeTime(now, zone);
  if (allDay !== now.allDay && (from === undefined || to === undefined)) {
    throw incomplete(from === undefined ? "start" : "end");
  }
  if (from === undefined) return { start: current.start, end: to, allDay };
  return { start: from, end: to ?? sameLength(from, now, zone), allDay };
}

function sameLength(from: string, now: EventTime, zone: TimeZone): string {
  const lengthMs = Date.parse(String(toIso(now.end))) - Date.parse(String(toIso(now.start)));
  const end = Date.parse(from) + lengthMs;
  // Invalid times are refused later, when they are parsed.
  if (Number.isNaN(end)) return from;
  return now.allDay ? new Date(end).toISOString().slice(0, 10) : isoInZone(new Date(end), zone);
}

function there({ time, zone }: ZonedTime): string {
  return timeThere(time, zone);
}

function toIso(at: string | Date): string {
  return typeof at === "string" ? at : at.toISOString();
}

function changes(args: Args): EventChanges {
  const { title, start: from, end: to, allDay = false } = args;
  const time =
    from === undefined || to === undefined
      ? undefined
      : readEventTime({ start: from, end: to, allDay });
  return { title, time, timeZone: args.timeZone };
}

function incomplete(what: string): ToolError {
  return new ToolError(
    "invalid_input",
    `${what}: required when allDay changes. Nothing was done.`,
    {
      hint: "Give start and end as dates for all-day events, otherwise as times with an offset.",
    },
  );
}
