import { dayMs, type TimeZone } from "../core/shared/time-zone.ts";
import { makeLine } from "./content-lines.ts";

interface Change {
  /** On the wall clock before the change. */
  wall: number;
  from: number;
  to: number;
}

/**
 * Number of years whose changes are examined. Changes that repeat through all of them become a rule, others become
 * single dates.
 */
const yearsAhead = 25;
/** The least number of years that proves a rule. */
const leastYears = 8;

const weekdays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];

/**
 * Writes the VTIMEZONE of a zone, correct from the year before `since` (RFC 5545, section 3.6.5). Every timed event
 * gets one, because repeating events with bare UTC times drift in iOS and Thunderbird.
 * @param since milliseconds since 1970
 */
export function writeZone(zone: TimeZone, since: number, eol: string): string {
  const firstYear = new Date(since).getUTCFullYear() - 1;
  const begin = Date.UTC(firstYear, 0);
  const groups = new Map<string, Change[]>();
  const changes = changesOf(zone, begin, Date.UTC(firstYear + yearsAhead, 0));
  for (const change of changes) {
    const key = `${change.from} ${change.to}`;
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  const [first] = changes;
  const lines = ["BEGIN:VTIMEZONE", `TZID:${zone.name}`];
  // An observance must also cover the time before the first change.
  if (first === undefined || first.wall - first.from > since) {
    const offset = zone.offsetAt(begin);
    lines.push(...observance({ wall: begin + offset, from: offset, to: offset }));
  }
  for (const group of groups.values())
    lines.push(...observances(group, firstYear + yearsAhead - 1));
  lines.push("END:VTIMEZONE");
  return lines.map((line) => makeLine(line, eol).raw).join("");
}

function changesOf(zone: TimeZone, begin: number, end: number): Change[] {
  const changes: Change[] = [];
  let from = zone.offsetAt(begin);
  for (let at = begin; at < end; at += dayMs) {
    const to = zone.offsetAt(at + dayMs);
    if (to === from) continue;
    let [low, high] = [at, at + dayMs];
    while (high - low > 1000) {
      const middle = low + Math.floor((high - low) / 2000) * 1000;
      if (zone.offsetAt(middle) === from) low = middle;
      else high = middle;
    }
    changes.push({ wall: high + from, from, to });
    from = to;
  }
  return changes;
}

/** Returns the longest final run of years that one yearly rule describes, and single dates for earlier changes. */
function observances(group: readonly Change[], lastYear: number): string[] {
  let best: { from: number; rule: string } | undefined;
  for (const nthOf of [nthFromStart, nthFromEnd]) {
    const last = group.at(-1);
    if (last === undefined || yearOf(last) !== lastYear) continue;
    let from = group.length - 1;
    while (from > 0) {
      const before = group[from - 1];
      if (before === undefined || yearOf(before) !== yearOf(last) - (group.length - from)) break;
      if (placeOf(before, nthOf) !== placeOf(last, nthOf)) break;
      from -= 1;
    }
    if (group.length - from >= leastYears && (best === undefined || from < best.from)) {
      const at = new Date(last.wall);
      const day = `${nthOf(at)}${weekdays[at.getUTCDay()]}`;
      best = { from, rule: `RRULE:FREQ=YEARLY;BYMONTH=${at.getUTCMonth() + 1};BYDAY=${day}` };
    }
  }
  const dates = group.slice(0, best?.from);
  const [firstDate] = dates;
  const firstOfRule = best && group[best.from];
  return [
    ...(firstDate
      ? observance(
          firstDate,
          dates.slice(1).map(({ wall }) => `RDATE:${wallText(wall)}`),
        )
      : []),
    ...(firstOfRule && best ? observance(firstOfRule, [best.rule]) : []),
  ];
}

function observance({ wall, from, to }: Change, more: readonly string[] = []): string[] {
  const kind = to > from ? "DAYLIGHT" : "STANDARD";
  return [
    `BEGIN:${kind}`,
    `DTSTART:${wallText(wall)}`,
    `TZOFFSETFROM:${offsetText(from)}`,
    `TZOFFSETTO:${offsetText(to)}`,
    ...more,
    `END:${kind}`,
  ];
}

function placeOf({ wall }: Change, nthOf: (at: Date) => number): string {
  const at = new Date(wall);
  return `${at.getUTCMonth()} ${nthOf(at)} ${at.getUTCDay()} ${wall % dayMs}`;
}

function nthFromStart(at: Date): number {
  return Math.floor((at.getUTCDate() - 1) / 7) + 1;
}

function nthFromEnd(at: Date): number {
  const days = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  return -Math.floor((days - at.getUTCDate()) / 7) - 1;
}

function yearOf({ wall }: Change): number {
  return new Date(wall).getUTCFullYear();
}

/** Formats a time on the wall clock for a calendar file: `20261128T090000`. */
export function wallText(wall: number): string {
  return new Date(wall).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
}

function offsetText(offset: number): string {
  const seconds = Math.abs(offset) / 1000;
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const rest = seconds % 60 === 0 ? "" : two(seconds % 60);
  return `${offset < 0 ? "-" : "+"}${two(seconds / 3600)}${two((seconds / 60) % 60)}${rest}`;
}
