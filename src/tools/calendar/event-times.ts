import {
  dateToWall,
  dayMs,
  ianaZone,
  isoInZone,
  type TimeZone,
  utcToWall,
  wallToUtc,
} from "../../core/time-zone.ts";
import { ToolError } from "../../core/tool-error.ts";
import type { CalendarEvent, EventRange, EventTime } from "../../ports/calendar.ts";

/** The longest range of one question: a leap year. */
const maxRangeDays = 366;
/** The longest single event; a longer one is a typing error. */
const maxEventDays = 366;

/** Throws `invalid_input` for a name that no zone has. */
export function zoneNamed(timeZone: string): TimeZone {
  const zone = ianaZone(timeZone);
  if (zone !== undefined) return zone;
  throw invalid("timeZone", "there is no such time zone", "Use an IANA name like Europe/Berlin.");
}

/** Times or dates; a date is its midnight in `timeZone`. Throws `invalid_input`. */
export function readRange(given: { start: string; end: string }, timeZone: string): EventRange {
  const zone = zoneNamed(timeZone);
  const [from, to] = [instant("start", given.start, zone), instant("end", given.end, zone)];
  if (to <= from) throw invalid("end", "it must lie after start", "The end is exclusive.");
  if (to.getTime() - from.getTime() > maxRangeDays * dayMs) {
    throw invalid("end", `a range has at most ${maxRangeDays} days`, "Ask for less at a time.");
  }
  return { from, to, timeZone };
}

/** One spelling for each instant as calendars know it, however it was written; a date, and what is no time, as it is. */
export function sameInstant(written: string): string {
  const at = /t/i.test(written) ? Date.parse(written) : Number.NaN;
  return Number.isNaN(at) ? written : wholeSecond(at).toISOString();
}

/** When an event is to be. Throws `invalid_input`. */
export function readEventTime(given: { start: string; end: string; allDay: boolean }): EventTime {
  if (given.allDay) {
    const [start, end] = [date("start", given.start), date("end", given.end)];
    checkOrder(start, end, "the end of an all-day event is the day after its last");
    return { allDay: true, start: given.start, end: given.end };
  }
  const [start, end] = [time("start", given.start), time("end", given.end)];
  checkOrder(start.getTime(), end.getTime(), "it must lie after start");
  return { allDay: false, start, end };
}

/** The days that an event touches, from the first one's beginning to the last one's end, as its own times are written. */
export function daySpan(event: EventTime, zone: TimeZone): [from: string, to: string] {
  if (event.allDay) return [event.start, event.end];
  const [start, end] = [event.start, event.end].map((at) => utcToWall(at.getTime(), zone) / dayMs);
  const midnight = (day: number): string => isoInZone(new Date(wallToUtc(day * dayMs, zone)), zone);
  return [midnight(Math.floor(start ?? 0)), midnight(Math.ceil(end ?? 0))];
}

/** Start, end and allDay as tools give them. */
export function writeTime(
  time: EventTime,
  zone: TimeZone,
): { start: string; end: string; allDay: boolean } {
  return time.allDay
    ? { start: time.start, end: time.end, allDay: true }
    : { start: isoInZone(time.start, zone), end: isoInZone(time.end, zone), allDay: false };
}

/** An event as every calendar tool returns it. */
export function writeEvent({ eventId, title, time, origin }: CalendarEvent, zone: TimeZone) {
  return { id: eventId, title, ...writeTime(time, zone), origin };
}

function checkOrder(start: number, end: number, why: string): void {
  if (end <= start) throw invalid("end", why, "The end is exclusive.");
  if (end - start > maxEventDays * dayMs) {
    throw invalid("end", `an event has at most ${maxEventDays} days`, "Check the year.");
  }
}

function instant(field: string, text: string, zone: TimeZone): Date {
  const wall = dateToWall(text);
  return wall === undefined ? time(field, text) : new Date(wallToUtc(wall, zone));
}

function time(field: string, text: string): Date {
  const form = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/i;
  const at = Date.parse(text);
  const day = form.exec(text)?.[1];
  if (day === undefined || Number.isNaN(at) || dateToWall(day) === undefined) {
    throw invalid(
      field,
      "it is not a time with an offset",
      "Write it like 2026-11-23T09:00:00+01:00; for all-day events set allDay and write 2026-11-23.",
    );
  }
  return wholeSecond(at);
}

/** Calendars count in seconds. */
function wholeSecond(at: number): Date {
  return new Date(Math.floor(at / 1000) * 1000);
}

function date(field: string, text: string): number {
  const wall = dateToWall(text);
  if (wall !== undefined) return wall;
  throw invalid(field, "an all-day event has dates", "Write it like 2026-11-23.");
}

function invalid(field: string, why: string, hint: string): ToolError {
  return new ToolError("invalid_input", `${field}: ${why}. Nothing was done.`, { hint });
}
