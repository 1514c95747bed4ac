import {
  dateToWall,
  dayMs,
  ianaZone,
  machineZone,
  type TimeZone,
  utcToWall,
} from "../../core/shared/time-zone.ts";
import { shownName } from "../../core/shared/text/visible.ts";
import type { Line } from "../../core/tool/tool.ts";
import type { CalendarEvent, EventTime } from "../../ports/calendar/calendar.ts";

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"].concat([
  "Jul",
  "Aug",
  "Sep",
  "Oct",
  "Nov",
  "Dec",
]);

/** Days that are named to a person. Further ones are counted. */
const maxDaysNamed = 14;

/**
 * Formats `Mon 23 Nov 2026, 09:00 to 10:00 (Europe/Berlin)`, followed by the person's own time if it differs, or
 * `Mon 23 Nov 2026, all day`.
 * @param zone the event's own, else the calendar's
 * @param here the person's
 */
export function formatTime(
  time: EventTime,
  zone: TimeZone,
  here: TimeZone | undefined = ianaZone(machineZone()),
): string {
  if (time.allDay) {
    const first = dateToWall(time.start) ?? 0;
    const last = (dateToWall(time.end) ?? 0) - dayMs;
    return last > first
      ? `${dayInWords(first)} to ${dayInWords(last)}, all day`
      : `${dayInWords(first)}, all day`;
  }
  const there = clockTimes(time, zone);
  const own = here && clockTimes(time, here);
  return own === undefined || own === there
    ? `${there} (${zone.name})`
    : `${there} (${zone.name}); for you ${own} (${here?.name})`;
}

/** Returns the event's own zone if this machine knows it, else the given one. */
export function ownZone({ timeZone }: CalendarEvent, usual: TimeZone): TimeZone {
  return (timeZone === undefined ? undefined : ianaZone(timeZone)) ?? usual;
}

function clockTimes(time: { start: Date; end: Date }, zone: TimeZone): string {
  const [from = 0, to = 0] = [time.start, time.end].map((at) => utcToWall(at.getTime(), zone));
  const isSameDay = Math.floor(from / dayMs) === Math.floor(to / dayMs);
  const until = isSameDay ? clock(to) : `${dayInWords(to)}, ${clock(to)}`;
  return `${dayInWords(from)}, ${clock(from)} to ${until}`;
}

/** Formats a wall-clock day: `Mon 23 Nov 2026`. */
function dayInWords(wall: number): string {
  const at = new Date(wall);
  return `${weekdays[at.getUTCDay()]} ${at.getUTCDate()} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
}

/** Lists the days on which events begin, each once, in order. */
export function formatDays(times: readonly EventTime[], zone: TimeZone): string {
  const walls = times.map((time) =>
    time.allDay ? (dateToWall(time.start) ?? 0) : utcToWall(time.start.getTime(), zone),
  );
  const days = [...new Set(walls.map((wall) => Math.floor(wall / dayMs) * dayMs))];
  const named = days.slice(0, maxDaysNamed).map(dayInWords).join("; ");
  return days.length > maxDaysNamed ? `${named} and ${days.length - maxDaysNamed} more` : named;
}

/** Describes events at the same time: the assistant's own by title, the user's by number. */
export function formatOverlaps(events: readonly CalendarEvent[]): string {
  const busy = events.filter(({ blocks }) => blocks);
  const own = busy.filter(({ origin }) => origin === "assistant").map(({ title }) => `"${title}"`);
  const others = busy.length - own.length;
  const parts = [
    ...own,
    ...(others > 0 ? [`${others} other event${others === 1 ? "" : "s"}`] : []),
  ];
  return parts.length === 0 ? "nothing" : parts.join(", ");
}

/**
 * Describes a change of an event.
 * @param change `was` and `is` are its times, `title` is its new title
 */
export function changeInWords(
  event: string,
  { was, is, title }: { was: string; is: string | undefined; title: string | undefined },
): string {
  const named = title === undefined ? "" : ` to ${shownName(title)}`;
  if (is === undefined) {
    return title === undefined
      ? `Change none of the shown fields of ${event} on ${was}`
      : `Rename ${event} on ${was}${named}`;
  }
  return title === undefined
    ? `Move ${event} from ${was} to ${is}`
    : `Move ${event} from ${was} to ${is}, and rename it${named}`;
}

/** Describes the scope of a change in a series. Empty for an event that does not repeat. */
export function scopeInWords(scope: "this" | "all", repeats: boolean): string {
  if (!repeats) return "";
  return scope === "all" ? ", the whole series" : ", this occurrence only";
}

export function madeBy({ origin }: Pick<CalendarEvent, "origin">): Line {
  return { label: "made by", value: origin === "user" ? "you" : "the assistant" };
}

function clock(wall: number): string {
  return new Date(wall).toISOString().slice(11, 16);
}
