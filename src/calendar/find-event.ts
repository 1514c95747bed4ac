import { oneLine } from "../core/shared/text/clean-text.ts";
import { dayMs, type TimeZone } from "../core/shared/time-zone.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { CalendarEvent, EventTime } from "../ports/calendar/calendar.ts";
import type { CalendarObject } from "../ports/calendar/calendar-objects.ts";
import { isoDate } from "../core/shared/time-zone.ts";
import { type CalendarFile, type EventSeries, readCalendarFile } from "./event.ts";
import { encodeEventId } from "../ports/calendar/event-id.ts";
import { expandSeries, inSeries, keyOf, type Occurrence, repeats } from "./recurrence/expand.ts";
import { toUtc } from "./values.ts";

/** The farthest that a replacement may have moved its occurrence. Milliseconds. */
const farthestMoveMs = 3 * 366 * dayMs;

/** Titles are cut in results. Characters. */
const maxTitle = 500;

/** One occurrence in an object of the calendar. */
export interface FoundOccurrence {
  file: CalendarFile;
  series: EventSeries;
  occurrence: Occurrence;
}

const read = new WeakMap<CalendarObject, CalendarFile | "unreadable">();

/**
 * Parses an object, with a cache. Undefined if it is not a calendar file.
 * @param zones as in `readCalendarFile`
 */
export function fileOf(object: CalendarObject, zones?: { left: number }): CalendarFile | undefined {
  let file = read.get(object);
  if (file === undefined) {
    try {
      file = readCalendarFile(object.text, zones);
    } catch {
      file = "unreadable";
    }
    // A file that exceeded this listing's limit may be readable in another one.
    if (zones === undefined || zones.left > 0) read.set(object, file);
  }
  return file === "unreadable" ? undefined : file;
}

/** Finds an occurrence by its key. Without a key, finds the event that does not repeat. */
export function findOccurrence(
  file: CalendarFile,
  key: string | undefined,
  reader: TimeZone,
): FoundOccurrence | undefined {
  for (const series of file.series) {
    if (repeats(series) !== (key !== undefined)) continue;
    const at = around(series, key, reader);
    const reach = series.replacements.length > 0 ? farthestMoveMs : 2 * dayMs;
    const window = { from: at - reach, to: at + reach, reader };
    try {
      const occurrence = expandSeries(series, window, 5_000).find((one) => one.key === key);
      if (occurrence !== undefined) return { file, series, occurrence };
    } catch {
      // A series that cannot be expanded is also missing from listings.
    }
  }
  return undefined;
}

/** Returns the first occurrence of an event that is left. Its id is the id of a new event. */
export function firstOccurrence(file: CalendarFile, reader: TimeZone): FoundOccurrence | undefined {
  const [series] = file.series;
  if (series === undefined) return undefined;
  const { main } = series;
  const key = main && repeats(series) ? keyOf(main.start) : undefined;
  const named = main && findOccurrence(file, key, reader);
  return named ?? earliest(file, series, reader);
}

/** Finds the earliest occurrence of a series whose own start was removed or is not in the calendar. */
function earliest(
  file: CalendarFile,
  series: EventSeries,
  reader: TimeZone,
): FoundOccurrence | undefined {
  const at = around(series, undefined, reader);
  const window = { from: at - farthestMoveMs, to: at + farthestMoveMs, reader };
  try {
    const [occurrence] = expandSeries(series, window, 5_000).toSorted(
      (one, other) => one.start - other.start,
    );
    return occurrence && { file, series, occurrence };
  } catch {
    return undefined;
  }
}

export function toEvent(
  name: string,
  { key, event, startWall, endWall, start, end }: Occurrence,
  own: ReadonlySet<string>,
): CalendarEvent {
  const time: EventTime =
    event.start.kind === "date"
      ? { allDay: true, start: isoDate(startWall), end: isoDate(endWall) }
      : { allDay: false, start: new Date(start), end: new Date(end) };
  return {
    eventId: encodeEventId(name, key),
    // Invitations of strangers have titles too. A line feed could imitate another event of a list, and invisible
    // characters can carry text that only a model reads.
    title: oneLine(event.title, maxTitle),
    time,
    ...(event.start.kind === "zoned" && { timeZone: event.start.zone.name }),
    origin: own.has(event.uid) ? "assistant" : "user",
    blocks: event.blocks,
  };
}

export function noSuchEvent(): ToolError {
  return new ToolError("not_found", "The event does not exist in the calendar. Nothing was done.", {
    hint: "get_events_details lists events with their ids.",
  });
}

function around(series: EventSeries, key: string | undefined, reader: TimeZone): number {
  const start = series.main?.start ?? series.replacements[0]?.start;
  if (start === undefined) return 0;
  if (key === undefined) return toUtc(start, reader);
  const [, date = "", time = "000000"] = /^(\d{8})(?:T(\d{6}))?/.exec(key) ?? [];
  const iso = `${date.replace(/(....)(..)(..)/, "$1-$2-$3")}T${time.replace(/(..)(..)(..)/, "$1:$2:$3")}Z`;
  const wall = Date.parse(iso);
  return Number.isNaN(wall) ? 0 : toUtc(inSeries({ kind: "floating", wall }, series.main), reader);
}
