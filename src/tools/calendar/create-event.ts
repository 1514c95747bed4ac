import { z } from "zod";
import { shownName } from "../../core/shared/text/visible.ts";
import { defineTool } from "../../ports/define-tool.ts";
import type { NewEvent } from "../../ports/calendar/calendar.ts";
import { end, eventFields, start, timeZone } from "./event-fields.ts";
import {
  daySpan,
  readEventTime,
  sameInstant,
  withOffsets,
  writeEvent,
  zoneNamed,
} from "./event-times.ts";
import { timeHere, timeThere } from "./format-times.ts";
import { findOverlaps } from "./overlaps.ts";

export const createEvent = defineTool({
  name: "create_event",
  title: "Create an event",
  description: "Add an event to the calendar. The user is asked; repeat the call once approved.",
  risk: "high",
  operation: "adds",
  openWorld: true,
  needs: ["calendar"],
  // For denials, the start identifies the event, whatever its title. For another time the user may be asked again.
  actsOn: ({ start: from, timeZone: zone }) => sameInstant(from, zone),
  input: z.strictObject({
    title: z.string().min(1).max(500).describe("Title"),
    start,
    end,
    allDay: z.boolean().default(false).describe("Whole days"),
    timeZone,
    recurrence: z.string().max(500).optional().describe("RRULE value"),
    idempotencyKey: z.string().max(200).optional().describe("Same key, same event"),
  }),
  output: z.object(eventFields),
  prepare: async (args, { ports: { calendar }, principal, signal }) => {
    const about = await calendar.about({ signal });
    const resolved = { ...withOffsets(args), timeZone: args.timeZone ?? about.timeZone };
    const event = newEvent(resolved);
    const zone = zoneNamed(resolved.timeZone);
    const maker = { principal, idempotencyKey: args.idempotencyKey };
    const { earlier, first } = await calendar.preview(event, maker, { signal });
    const overlaps = await findOverlaps(calendar, first, zone, {
      except: earlier?.eventId,
      signal,
    });
    const facts = [
      ...timeHere(first, zone),
      ...(earlier === undefined ? [] : [{ label: "before", value: "it already exists" }]),
      ...(args.recurrence === undefined ? [] : [{ label: "repeats", value: args.recurrence }]),
      { label: "at the same time", value: overlaps },
      { label: "calendar", value: about.name },
    ];
    return {
      args: resolved,
      effect: {
        headline: `Add the event ${shownName(args.title)} on ${timeThere(first, zone)}`,
        mentions: ["title", "start", "end", "allDay", "timeZone", "recurrence"],
        facts,
        isRecorded: true,
        forClient: "all",
      },
    };
  },
  execute: async (args, { ports: { calendar }, principal, callId, signal }) => {
    const zoneName = args.timeZone ?? (await calendar.about({ signal })).timeZone;
    const maker = { principal, idempotencyKey: args.idempotencyKey, callId };
    const event = newEvent({ ...args, timeZone: zoneName });
    return writeEvent(await calendar.create(event, maker, { signal }), zoneNamed(zoneName));
  },
  similar: (args) => {
    const { allDay, timeZone: zone, recurrence } = args;
    // A series has occurrences on other days, so similar events cannot be limited to one.
    if (zone === undefined || recurrence !== undefined) return undefined;
    const days = { between: daySpan(readEventTime(args), zoneNamed(zone)) };
    return {
      title: "any",
      start: days,
      end: days,
      allDay: { is: allDay },
      timeZone: { is: zone },
      recurrence: "absent",
      idempotencyKey: "any",
    };
  },
  text: ({ id, title, start: from, end: until }) => ({
    facts: `Created the event ${id}, ${from} to ${until}.`,
    // An earlier call with the same idempotency key may have given it another title.
    untrusted: `Title: ${title}`,
  }),
  mentions: ["title", "start"],
  describe: ({ title, start: from }, output) =>
    `${output === undefined ? "create" : "created"} the event ${shownName(title)} on ${from}`,
});

interface Args {
  title: string;
  start: string;
  end: string;
  allDay: boolean;
  timeZone: string;
  recurrence?: string | undefined;
}

function newEvent({ title, recurrence, timeZone: zone, ...time }: Args): NewEvent {
  zoneNamed(zone);
  return { title, time: readEventTime(time), timeZone: zone, recurrence };
}
