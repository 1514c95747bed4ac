import {
  dateToWall,
  dayMs,
  ianaZone,
  instantsOf,
  isoInZone,
  type TimeZone,
  utcToWall,
  wallToUtc,
} from "../../core/shared/time-zone.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { CalendarEvent, EventRange, EventTime } from "../../ports/calendar/calendar.ts";

/** The longest range of one query: a leap year. */
const maxRangeDays = 366;
/** The longest single event. A longer one is probably a typing error. */
const maxEventDays = 366;

/**
 * Returns the zone with an IANA name.
 * @throws {ToolError} `invalid_input` for an unknown name
 */
export function zoneNamed(timeZone: string): TimeZone {
  const zone = ianaZone(timeZone);
  if (zone !== undefined) return zone;
  throw invalid("timeZone", "the time zone does not exist", "Use an IANA name like Europe/Berlin.");
}

interface Given {
  start: string;
  end: string;
  timeZone?: string | undefined;
}

/**
 * Reads a range of times or dates. A date means its midnight, and a time without an offset is in the given `timeZone`.
 * @param usual the zone if the caller gives none
 * @throws {ToolError} `invalid_input`
 */
export function readRange(given: Given, usual: string): EventRange {
  const zone = zoneNamed(given.timeZone ?? usual);
  const at = (field: "start" | "end"): Date => {
    const wall = dateToWall(given[field]);
    if (wall !== undefined) return new Date(wallToUtc(wall, zone));
    return time(field, withOffset(field, given[field], given.timeZone, rangeForm), rangeForm);
  };
  const [from, to] = [at("start"), at("end")];
  if (to <= from) throw invalid("end", "it must be after start", "The end is exclusive.");
  if (to.getTime() - from.getTime() > maxRangeDays * dayMs) {
    throw invalid("end", `a range has at most ${maxRangeDays} days`, "Request a shorter range.");
  }
  return { from, to, timeZone: zone.name };
}

/**
 * Returns one spelling for each instant, to the second. Dates and invalid texts stay unchanged.
 * @param timeZone the zone of a time without an offset
 */
export function sameInstant(written: string, timeZone?: string): string {
  const wall = localTime(written);
  const zone = timeZone === undefined ? undefined : ianaZone(timeZone);
  const [utc] = wall === undefined || zone === undefined ? [] : instantsOf(wall, zone);
  if (utc !== undefined) return wholeSecond(utc).toISOString();
  const at = wall === undefined && /t/i.test(written) ? Date.parse(written) : Number.NaN;
  return Number.isNaN(at) ? written : wholeSecond(at).toISOString();
}

/**
 * Adds the offset of `timeZone` to times without one. Dates and times with an offset stay unchanged.
 * @throws {ToolError} `invalid_input` if no zone is given, or for times that its clocks skip or show twice
 */
export function withOffsets<Args extends { start?: string | undefined; end?: string | undefined }>(
  args: Args & { timeZone?: string | undefined },
): Args {
  const written = (field: "start" | "end") => {
    const text = args[field];
    return text === undefined ? {} : { [field]: withOffset(field, text, args.timeZone, eventForm) };
  };
  return { ...args, ...written("start"), ...written("end") };
}

/**
 * Reads one time. A time without an offset is in `timeZone`.
 * @throws {ToolError} `invalid_input`, also for times that the zone's clocks skip or show twice
 */
export function readTime(field: string, text: string, timeZone: string): Date {
  return time(field, withOffset(field, text, timeZone, timeForm), timeForm);
}

/** Parses a wall-clock time without an offset. Undefined for any other text. */
function localTime(text: string): number | undefined {
  const [, day, clock] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/i.exec(text) ?? [];
  if (day === undefined || clock === undefined || dateToWall(day) === undefined) return undefined;
  const wall = Date.parse(`${day}T${clock}Z`);
  return Number.isNaN(wall) ? undefined : Math.floor(wall / 1000) * 1000;
}

function withOffset(
  field: string,
  text: string,
  timeZone: string | undefined,
  form: string,
): string {
  const wall = localTime(text);
  if (wall === undefined) return text;
  if (timeZone === undefined)
    throw invalid(field, "it has no offset, and timeZone is missing", form);
  const zone = zoneNamed(timeZone);
  const written = (utc: number): string => isoInZone(new Date(utc), zone);
  const [utc, again] = instantsOf(wall, zone);
  if (utc === undefined) {
    const next = written(wallToUtc(wall, zone));
    const why = `${text} does not exist in ${zone.name}, because clocks are put forward over it`;
    throw invalid(field, why, `Ask the user which time is meant. ${next} is right after it.`);
  }
  if (again !== undefined) {
    const hint = `Ask the user which is meant: ${written(utc)} or ${written(again)}.`;
    throw invalid(field, `${text} occurs twice in ${zone.name}, because clocks are put back`, hint);
  }
  return written(utc);
}

/**
 * Parses the time of an event.
 * @throws {ToolError} `invalid_input`
 */
export function readEventTime(given: { start: string; end: string; allDay: boolean }): EventTime {
  if (given.allDay) {
    const [start, end] = [date("start", given.start), date("end", given.end)];
    checkOrder(start, end, "the end of an all-day event is the day after its last");
    return { allDay: true, start: given.start, end: given.end };
  }
  const [start, end] = [time("start", given.start), time("end", given.end)];
  checkOrder(start.getTime(), end.getTime(), "it must be after start");
  return { allDay: false, start, end };
}

/** Returns the span of days that an event touches, in the form of its own times. */
export function daySpan(event: EventTime, zone: TimeZone): [from: string, to: string] {
  if (event.allDay) return [event.start, event.end];
  const [start, end] = [event.start, event.end].map((at) => utcToWall(at.getTime(), zone) / dayMs);
  const midnight = (day: number): string => isoInZone(new Date(wallToUtc(day * dayMs, zone)), zone);
  return [midnight(Math.floor(start ?? 0)), midnight(Math.ceil(end ?? 0))];
}

/** Formats start, end and allDay for tools. */
export function writeTime(
  time: EventTime,
  zone: TimeZone,
): { start: string; end: string; allDay: boolean } {
  return time.allDay
    ? { start: time.start, end: time.end, allDay: true }
    : { start: isoInZone(time.start, zone), end: isoInZone(time.end, zone), allDay: false };
}

/** Formats an event as every calendar tool returns it. */
export function writeEvent({ eventId, title, time, origin }: CalendarEvent, zone: TimeZone) {
  return { id: eventId, title, ...writeTime(time, zone), origin };
}

function checkOrder(start: number, end: number, why: string): void {
  if (end <= start) throw invalid("end", why, "The end is exclusive.");
  if (end - start > maxEventDays * dayMs) {
    throw invalid("end", `an event has at most ${maxEventDays} days`, "Check the year.");
  }
}

const rangeForm =
  "Write it like 2026-11-23T09:00:00+01:00, or like 2026-11-23T09:00:00 and give timeZone. A date means its midnight. Only this one calendar is covered.";
const timeForm =
  "Write it like 2026-11-23T09:00:00+01:00, or like 2026-11-23T09:00:00 and give timeZone.";
const eventForm =
  "Write it like 2026-11-23T09:00:00+01:00, or like 2026-11-23T09:00:00 and give timeZone. For all-day events set allDay and write 2026-11-23.";

function time(field: string, text: string, form = eventForm): Date {
  const [, day] =
    /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/i.exec(text) ??
    [];
  assertDay(field, text);
  const at = Date.parse(text);
  if (day === undefined || Number.isNaN(at)) {
    throw invalid(field, "it is not a time with an offset", form);
  }
  return wholeSecond(at);
}

/** Rounds down to seconds, the precision of calendars. */
function wholeSecond(at: number): Date {
  return new Date(Math.floor(at / 1000) * 1000);
}

function date(field: string, text: string): number {
  const wall = dateToWall(text);
  if (wall !== undefined) return wall;
  assertDay(field, text);
  throw invalid(field, "an all-day event has dates", "Write it like 2026-11-23.");
}

/** Refuses days such as 30 February, which models write in the right form. */
function assertDay(field: string, text: string): void {
  const [day] = /^\d{4}-\d{2}-\d{2}(?=T|$)/i.exec(text) ?? [];
  if (day !== undefined && dateToWall(day) === undefined)
    throw invalid(field, `the day ${day} does not exist`, "Ask the user which day is meant.");
}

function invalid(field: string, why: string, hint: string): ToolError {
  return new ToolError("invalid_input", `${field}: ${why}. Nothing was done.`, { hint });
}
