import { isoInZone, type TimeZone } from "../core/shared/time-zone.ts";
import { invitedTo } from "./invited.ts";
import { fileOf, firstOccurrence, toEvent } from "./find-event.ts";
import { repeats } from "./recurrence/expand.ts";

/**
 * Describes the event of a calendar file for people. The summary contains the title and the first time.
 * `invited` is as in `FoundEvent`.
 */
export function describeFile(
  text: string,
  zone: TimeZone,
): { title: string; summary: string; invited: readonly string[] } {
  const file = fileOf({ name: "", etag: "", text });
  const found = file && firstOccurrence(file, zone);
  const invited = [...new Set(file?.series.flatMap(invitedTo))];
  if (found === undefined)
    return { title: "without a title", summary: "an unreadable event", invited };
  const { title, time } = toEvent("", found.occurrence, new Set());
  const start = time.allDay ? time.start : isoInZone(time.start, zone);
  const end = time.allDay ? "" : ` to ${isoInZone(time.end, zone)}`;
  const series = repeats(found.series) ? ", a series" : "";
  return { title, invited, summary: `${JSON.stringify(title)}, ${start}${end}${series}` };
}
