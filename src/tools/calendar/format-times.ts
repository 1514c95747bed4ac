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

/** Limit on days that are named to a person. The number of the others is added. */
const maxDaysNamed = 14;

/**
 * Formats `Mon 23 Nov 2026, 09:00 to 10:00 (Europe/Berlin)`, followed by the person's own time if it differs, or `Mon
 * 23 Nov 2026, all day`.
 * @param zone the event's own zone, or else the calendar's
 * @param here the person's zone
 */
export function formatTime(
  time: EventTime,
  zone: TimeZone,
  here: TimeZone | undefined = ianaZone(machineZone()),
): string {
  return [
    timeThere(time, zone),
    ...timeHere(time, zone, here).map(({ value }) => `for you ${value}`),
  ].join("; ");
}

/** Formats a time in the event's own zone, for a headline. Some clients cut a line after 76 characters. */
export function timeThere(time: EventTime, zone: TimeZone): string {
  return time.allDay ? formatWholeDays(time) : `${clockTimes(time, zone)} (${zone.name})`;
}

/** Returns the person's own time as a fact. Empty if both clocks show the same. */
export function timeHere(
  time: EventTime,
  zone: TimeZone,
  here: TimeZone | undefined = ianaZone(machineZone()),
): Line[] {
  if (time.allDay || here === undefined) return [];
  const own = clockTimes(time, here);
  return own === clockTimes(time, zone)
    ? []
    : [{ label: "for you", value: `${own} (${here.name})` }];
}

function formatWholeDays(time: { start: string; end: string }): string {
  const first = dateToWall(time.start) ?? 0;
  const last = (dateToWall(time.end) ?? 0) - dayMs;
  return last > first
    ? `${formatDay(first)} to ${formatDay(last)}, all day`
    : `${formatDay(first)}, all day`;
}

/** Returns the event's own zone if this machine knows it, or else the given one. */
export function ownZone({ timeZone }: CalendarEvent, usual: TimeZone): TimeZone {
  return (timeZone === undefined ? undefined : ianaZone(timeZone)) ?? usual;
}

function clockTimes(time: { start: Date; end: Date }, zone: TimeZone): string {
  const [from = 0, to = 0] = [time.start, time.end].map((at) => utcToWall(at.getTime(), zone));
  const isSameDay = Math.floor(from / dayMs) === Math.floor(to / dayMs);
  const until = isSameDay ? clock(to) : `${formatDay(to)}, ${clock(to)}`;
  return `${formatDay(from)}, ${clock(from)} to ${until}`;
}

/** Formats a wall-clock day: `Mon 23 Nov 2026`. */
function formatDay(wall: number): string {
  const at = new Date(wall);
  return `${weekdays[at.getUTCDay()]} ${at.getUTCDate()} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
}

/** Lists the days on which events begin, each once, in order. */
export function formatDays(times: readonly EventTime[], zone: TimeZone): string {
  const walls = times.map((time) =>
    time.allDay ? (dateToWall(time.start) ?? 0) : utcToWall(time.start.getTime(), zone),
  );
  const days = [...new Set(walls.map((wall) => Math.floor(wall / dayMs) * dayMs))];
  const named = days.slice(0, maxDaysNamed).map(formatDay).join("; ");
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

/** An event's time, and the zone in which it is shown. */
export interface ZonedTime {
  time: EventTime;
  zone: TimeZone;
}

/**
 * Describes a change of an event.
 * @param change `was` and `is` are its times, `title` is its new title
 */
export function formatChange(
  event: string,
  { was, is, title }: { was: ZonedTime; is: ZonedTime | undefined; title: string | undefined },
): string {
  const named = title === undefined ? "" : ` to ${shownName(title)}`;
  if (is === undefined) {
    const when = timeThere(was.time, was.zone);
    return title === undefined
      ? `Change none of the shown fields of ${event} on ${when}`
      : `Rename ${event}${named} on ${when}`;
  }
  const moved = `Move ${event} ${fromTo(was, is)}`;
  return title === undefined ? moved : `${moved}, and rename it${named}`;
}

/**
 * Formats `on Mon 23 Nov 2026 from 09:00-10:00 to 11:00-12:00 (Europe/Berlin)`. The day and the zone are named once.
 */
function fromTo(was: ZonedTime, is: ZonedTime): string {
  const [from, to] = [was, is].map(({ time, zone }) => daysAndClock(time, zone)) as [
    DaysAndClock,
    DaysAndClock,
  ];
  const [there, here] = [was, is].map(({ time, zone }) => (time.allDay ? "" : ` (${zone.name})`));
  if (there === here && from.days === to.days && from.clock !== "" && to.clock !== "")
    return `on ${from.days} from ${from.clock} to ${to.clock}${here}`;
  const open = there === here ? "" : there;
  // A comma follows "all day". Otherwise the sentence would read as one range.
  const pause = was.time.allDay ? "," : "";
  return `from ${spoken(from)}${open}${pause} to ${spoken(to)}${here}`;
}

interface DaysAndClock {
  days: string;
  /** Empty for an event of whole days or over several days. */
  clock: string;
}

function daysAndClock(time: EventTime, zone: TimeZone): DaysAndClock {
  if (time.allDay) return { days: formatWholeDays(time), clock: "" };
  const [from = 0, to = 0] = [time.start, time.end].map((at) => utcToWall(at.getTime(), zone));
  return Math.floor(from / dayMs) === Math.floor(to / dayMs)
    ? { days: formatDay(from), clock: `${clock(from)}-${clock(to)}` }
    : { days: clockTimes(time, zone), clock: "" };
}

function spoken({ days, clock: times }: DaysAndClock): string {
  return times === "" ? days : `${days}, ${times}`;
}

/** Describes the scope of a change in a series. Empty for an event that does not repeat. */
export function formatScope(scope: "this" | "all", repeats: boolean): string {
  if (!repeats) return "";
  return scope === "all" ? ", the whole series" : ", this occurrence only";
}

export function madeBy({ origin }: Pick<CalendarEvent, "origin">): Line {
  return { label: "made by", value: origin === "user" ? "you" : "the assistant" };
}

function clock(wall: number): string {
  return new Date(wall).toISOString().slice(11, 16);
}
