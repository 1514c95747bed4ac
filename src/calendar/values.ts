import ICAL from "ical.js";
import {
  dayMs,
  type TimeZone,
  utcToWall,
  utcZone,
  type WallTime,
  wallToUtc,
} from "../core/shared/time-zone.ts";
import type { ContentLine } from "./content-lines.ts";
import type { Frequency, RecurrenceRule } from "./recurrence/recurrence-rule.ts";

/** A DATE or DATE-TIME of a calendar file: a wall-clock time and its zone. */
export type Moment =
  | { kind: "date" | "floating"; wall: WallTime }
  | { kind: "utc" | "zoned"; wall: WallTime; zone: TimeZone };

/** A duration: whole days follow the wall clock, the rest is exact (RFC 5545, section 3.3.6). */
export interface Length {
  days: number;
  exactMs: number;
}

export type ZoneOf = (tzid: string) => TimeZone | undefined;

/** Characters of a line with one time. Its only common parameter is a zone's name. */
const maxMomentCharacters = 10_000;

const form = /^[^:;]+((?:;[^=:;]+=(?:"[^"]*"|[^":;,]*)(?:,(?:"[^"]*"|[^":;,]*))*)*):(.*)$/s;

/** Returns the text between name and value as written: `;TZID=Europe/Berlin`. */
export function parameterText({ text }: ContentLine): string {
  return form.exec(text)?.[1] ?? "";
}

export function valueOf({ text, name }: ContentLine): string {
  const value = form.exec(text)?.[2];
  if (value === undefined) throw new Error(`${name} is not a content line`);
  return value;
}

export function parameter(line: ContentLine, name: string): string | undefined {
  const found = new RegExp(`;${name}=("[^"]*"|[^;:]*)`, "i").exec(parameterText(line))?.[1];
  return found?.replaceAll('"', "");
}

export function textValue(line: ContentLine): string {
  return valueOf(line).replaceAll(/\\([\\;,nN])/g, (_all, character: string) =>
    character.toLowerCase() === "n" ? "\n" : character,
  );
}

/**
 * Parses the moment of DTSTART, DTEND or RECURRENCE-ID.
 * @throws if it is not a date
 */
export function momentOf(line: ContentLine, zoneOf: ZoneOf): Moment {
  if (line.text.length > maxMomentCharacters) throw new Error(`${line.name} is too long`);
  return readMoment(valueOf(line).trim(), parameter(line, "TZID"), zoneOf);
}

/** The moments of RDATE and EXDATE lines. They are parsed on demand, because there may be very many. */
export interface Dates {
  isEmpty: boolean;
  /**
   * Yields the moments. A PERIOD has its own length.
   * @throws if one is not a date
   */
  read(): Generator<{ moment: Moment; length: Length | undefined }>;
}

export function datesOf(written: readonly ContentLine[], zoneOf: ZoneOf): Dates {
  return {
    isEmpty: written.every((line) => !/[^\s,]/.test(valueOf(line))),
    *read() {
      for (const line of written) yield* momentsOf(line, zoneOf);
    },
  };
}

function* momentsOf(line: ContentLine, zoneOf: ZoneOf): ReturnType<Dates["read"]> {
  const tzid = parameter(line, "TZID");
  for (const part of valueOf(line).split(",")) {
    const value = part.trim();
    if (value === "") continue;
    const [first = "", second] = value.split("/");
    const moment = readMoment(first, tzid, zoneOf);
    if (second === undefined) yield { moment, length: undefined };
    else if (/^[+-]?P/.test(second)) yield { moment, length: readLength(second) };
    else yield { moment, length: lengthBetween(moment, readMoment(second, tzid, zoneOf)) };
  }
}

/** Returns the time from DTSTART to DTEND: days between dates, exact time between times (RFC 5545, section 3.8.5.3). */
export function lengthBetween(start: Moment, end: Moment): Length {
  if ((start.kind === "date") !== (end.kind === "date")) {
    throw new Error("start and end mix a date and a time");
  }
  if (start.kind === "date") return { days: (end.wall - start.wall) / dayMs, exactMs: 0 };
  return { days: 0, exactMs: toUtc(end, utcZone) - toUtc(start, utcZone) };
}

/**
 * Parses a duration.
 * @throws {Error} if it is not a duration
 */
export function readLength(value: string): Length {
  const { weeks, days, hours, minutes, seconds, isNegative } = ICAL.Duration.fromString(value);
  const sign = isNegative ? -1 : 1;
  return {
    days: sign * (weeks * 7 + days),
    exactMs: sign * ((hours * 60 + minutes) * 60 + seconds) * 1000,
  };
}

/** Converts to an instant. Dates and floating times are in the reader's zone. */
export function toUtc(moment: Moment, reader: TimeZone): number {
  return wallToUtc(moment.wall, "zone" in moment ? moment.zone : reader);
}

/** Enough for a rule that names every day of a year from both ends. */
const maxRuleCharacters = 8_000;

const weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

const bounds = {
  BYSECOND: [0, 60],
  BYMINUTE: [0, 59],
  BYHOUR: [0, 23],
  BYMONTHDAY: [1, 31],
  BYYEARDAY: [1, 366],
  BYWEEKNO: [1, 53],
  BYMONTH: [1, 12],
  BYSETPOS: [1, 366],
} as const;

/**
 * Parses an RRULE's value with ical.js and checks what ical.js does not. UNTIL is converted to the wall clock of
 * `start`.
 * @throws {Error} if it is not a rule
 */
export function readRule(value: string, start: Moment): RecurrenceRule {
  if (value.length > maxRuleCharacters) throw new Error("a rule is too long");
  const recur = ICAL.Recur.fromString(value);
  const parts = recur.parts as Readonly<Record<string, unknown>>;
  const numbers = (name: keyof typeof bounds): number[] => {
    const [low, high] = bounds[name];
    const list = [parts[name] ?? []].flat().map(Number);
    const isSound = (one: number): boolean =>
      Number.isInteger(one) && Math.abs(one) >= low && Math.abs(one) <= high;
    if (!list.every((one) => isSound(one) && (one >= 0 || low === 1))) {
      throw new Error(`${name} is out of its bounds`);
    }
    return [...new Set(list)];
  };
  const { interval, count } = recur;
  // ical.js changes an INTERVAL of 0 to 1.
  if (
    !(interval >= 1) ||
    /(?:^|;)INTERVAL=0*(?:;|$)/i.test(value) ||
    (count !== null && !(count >= 1))
  ) {
    throw new Error("INTERVAL and COUNT must be at least 1");
  }
  if (!/(?:^|;)FREQ=/i.test(value)) throw new Error("FREQ is missing");
  assertKnown(value);
  const [byMonthDay, byYearDay, byWeekNo] = [
    numbers("BYMONTHDAY"),
    numbers("BYYEARDAY"),
    numbers("BYWEEKNO"),
  ];
  const skip = skipOf(value);
  const mayLack = byYearDay.length + byWeekNo.length > 0 || byMonthDay.some((day) => day < -28);
  if (skip !== "OMIT" && mayLack) throw new Error("SKIP with these days is not supported");
  return {
    // ical.js has rejected every other word.
    freq: recur.freq as Frequency,
    interval,
    count: count ?? undefined,
    until: untilOf(value, start),
    weekStart: weekdays.indexOf(/(?:^|;)WKST=(\w\w)/i.exec(value)?.[1]?.toUpperCase() ?? "MO"),
    bySecond: numbers("BYSECOND"),
    byMinute: numbers("BYMINUTE"),
    byHour: numbers("BYHOUR"),
    byDay: [...new Set([parts["BYDAY"] ?? []].flat())].map(readWeekday),
    byMonthDay,
    byYearDay,
    byWeekNo,
    byMonth: numbers("BYMONTH"),
    bySetPos: numbers("BYSETPOS"),
    skip,
  };
}

/**
 * Asserts that a rule has no part that ical.js ignores and that changes its days. An unreadable event is better than one
 * on the wrong days.
 */
function assertKnown(value: string): void {
  const isUnknown = value
    .split(";")
    .map((part) => /^\s*(BY\w*)=/i.exec(part)?.[1]?.toUpperCase())
    .some((name) => name !== undefined && name !== "BYDAY" && !Object.hasOwn(bounds, name));
  if (isUnknown) throw new Error("a part of the rule is not known");
  // Months of another calendar and leap months (RFC 7529) are not supported.
  if (/(?:^|;)RSCALE=(?!GREGORIAN(?:;|$))/i.test(value)) throw new Error("RSCALE is not known");
  if (/(?:^|;)BYMONTH=[^;]*L/i.test(value)) throw new Error("leap months are not supported");
}

function skipOf(value: string): RecurrenceRule["skip"] {
  const skip = /(?:^|;)SKIP=([^;]*)/i.exec(value)?.[1]?.toUpperCase() ?? "OMIT";
  if (skip === "OMIT" || skip === "BACKWARD" || skip === "FORWARD") return skip;
  throw new Error("SKIP is not known");
}

function readWeekday(value: unknown): RecurrenceRule["byDay"][number] {
  const [, nth = "", day = ""] = /^([+-]?\d{0,2})(MO|TU|WE|TH|FR|SA|SU)$/.exec(String(value)) ?? [];
  if (day === "") throw new Error("BYDAY is not a weekday");
  return { weekday: weekdays.indexOf(day), nth: Number(nth) };
}

function untilOf(value: string, start: Moment): WallTime | undefined {
  const text = /(?:^|;)UNTIL=([^;]*)/i.exec(value)?.[1];
  if (text === undefined) return undefined;
  const until = readMoment(text, undefined, () => undefined);
  if (start.kind === "date") return Math.floor(until.wall / dayMs) * dayMs;
  // RFC 5545 forbids a date as the end of a timed rule, but some programs write one and mean the whole day.
  if (until.kind === "date") return until.wall + dayMs - 1;
  return until.kind === "utc" && "zone" in start ? utcToWall(until.wall, start.zone) : until.wall;
}

const momentForm = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/i;

function readMoment(value: string, tzid: string | undefined, zoneOf: ZoneOf): Moment {
  const match = momentForm.exec(value);
  if (match === null) throw new Error("a value is neither a date nor a time");
  const [, year, month, day, hour, minute, second, z] = match;
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day));
  if (new Date(date).toISOString().slice(0, 10) !== `${year}-${month}-${day}`) {
    throw new Error("there is no such day");
  }
  if (hour === undefined) return { kind: "date", wall: date };
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) {
    throw new Error("there is no such time");
  }
  const wall = date + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000;
  if (z !== "") return { kind: "utc", wall, zone: utcZone };
  const zone = tzid === undefined ? undefined : zoneOf(tzid);
  // A time with an undefined zone is read in the reader's zone, so that the event is still shown.
  return zone === undefined ? { kind: "floating", wall } : { kind: "zoned", wall, zone };
}
