import {
  dateToWall,
  isoDate,
  type TimeZone,
  utcToWall,
  wallToUtc,
} from "../../core/shared/time-zone.ts";
import type { EventTime } from "../../ports/calendar/calendar.ts";

interface Span {
  from: number;
  to: number;
  allDay: boolean;
}

/**
 * Merges overlapping and adjacent times, in order. A slot is all-day if only all-day events are in it. Events without
 * duration are left out.
 */
export function mergeBusy(times: readonly EventTime[], zone: TimeZone): EventTime[] {
  const spans = times
    .map((time) => spanOf(time, zone))
    .filter(({ from, to }) => to > from)
    .toSorted((one, other) => one.from - other.from);
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last === undefined || span.from > last.to) merged.push({ ...span });
    else {
      // A meeting within an all-day slot does not change the slot.
      const isInside = last.allDay && span.to <= last.to;
      last.allDay = isInside || (last.allDay && span.allDay);
      last.to = Math.max(last.to, span.to);
    }
  }
  return merged.map(({ from, to, allDay }) =>
    allDay
      ? { allDay, start: isoDate(utcToWall(from, zone)), end: isoDate(utcToWall(to, zone)) }
      : { allDay, start: new Date(from), end: new Date(to) },
  );
}

function spanOf(time: EventTime, zone: TimeZone): Span {
  if (!time.allDay) return { from: time.start.getTime(), to: time.end.getTime(), allDay: false };
  const at = (date: string): number => wallToUtc(dateToWall(date) ?? 0, zone);
  return { from: at(time.start), to: at(time.end), allDay: true };
}
