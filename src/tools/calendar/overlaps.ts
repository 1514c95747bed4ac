import { dateToWall, type TimeZone, wallToUtc } from "../../core/shared/time-zone.ts";
import type { Calendar, CalendarEvent, EventTime } from "../../ports/calendar/calendar.ts";
import { formatOverlaps } from "./format-times.ts";

/**
 * Describes other events at the same time.
 * @param except the event itself
 */
export async function findOverlaps(
  calendar: Calendar,
  time: EventTime,
  zone: TimeZone,
  { except, signal }: { except: string | undefined; signal: AbortSignal },
): Promise<string> {
  const at = (date: string): Date => new Date(wallToUtc(dateToWall(date) ?? 0, zone));
  const [from, to] = time.allDay ? [at(time.start), at(time.end)] : [time.start, time.end];
  const { events } = await calendar.list({ from, to, timeZone: zone.name }, { signal });
  const others = events.filter((event: CalendarEvent) => event.eventId !== except);
  return formatOverlaps(others);
}
