import { findIana } from "windows-iana";
import { ianaZone, type TimeZone, type WallTime, wallToUtc } from "../core/shared/time-zone.ts";
import { children, type Component, lines, serialise } from "./content-lines.ts";
import { occurrences } from "./recurrence/recurrence.ts";
import { datesOf, momentOf, readRule, textValue, valueOf, type ZoneOf } from "./values.ts";
import { createStepLimit, type StepLimit } from "./recurrence/step-limit.ts";

/** Limit on cached definitions. Calendars repeat the same few texts. */
const maxKept = 200;
/** Rules are expanded up to this date. */
const horizon = Date.UTC(2120, 0);

/** Rules are expanded from this date on, because Outlook's begin in 1601. */
const earliest = Date.UTC(1900, 0);
/** Limit on steps per definition. Two rules over these two centuries take half of them. */
const stepsOfZone = 30_000;
/** Steps for all definitions of one listing. */
export const stepsOfZones = 400_000;
/** Zone names in one file. */
const maxZones = 100;

const kept = new Map<string, TimeZone | undefined>();

/**
 * Returns the resolver for the TZIDs of a file. IANA and Windows names use this machine's tables, because the
 * VTIMEZONEs in files often cover only a few years. Any other name uses the file's VTIMEZONE.
 * @param whole the steps left for all files of one listing
 */
export function zonesOf(calendar: Component, whole = { left: stepsOfZones }): ZoneOf {
  const read = new Map<string, TimeZone | undefined>();
  const defined = new Map<string, Component>();
  for (const component of children(calendar, "VTIMEZONE")) {
    const id = lines(component, "TZID")[0];
    if (id !== undefined) defined.set(textValue(id), component);
  }
  const find = (tzid: string): TimeZone | undefined => {
    const known = knownZone(tzid);
    if (known !== undefined) return known;
    const component = defined.get(tzid);
    return component === undefined ? undefined : definedZone(tzid, component, whole);
  };
  return (tzid) => {
    if (!read.has(tzid)) {
      if (read.size >= maxZones) throw new Error("there are too many time zones");
      read.set(tzid, find(tzid));
    }
    return read.get(tzid);
  };
}

/**
 * Finds a zone by name: IANA's, IANA's with a vendor's prefix (`/mozilla.org/20070129_1/Europe/Berlin`), or Windows'.
 */
export function knownZone(tzid: string): TimeZone | undefined {
  const direct = ianaZone(tzid);
  if (direct !== undefined) return direct;
  if (tzid.startsWith("/")) {
    // IANA's names have one to three parts.
    const parts = tzid.split("/").filter(Boolean);
    for (const length of [3, 2, 1]) {
      const zone = parts.length > length ? ianaZone(parts.slice(-length).join("/")) : undefined;
      if (zone !== undefined) return zone;
    }
  }
  const [name] = findIana(tzid);
  return name === undefined ? undefined : ianaZone(name);
}

function definedZone(
  tzid: string,
  component: Component,
  whole: { left: number },
): TimeZone | undefined {
  const text = serialise(component);
  if (!kept.has(text)) {
    if (whole.left <= 0) throw new Error("the time zones are too complicated");
    if (kept.size >= maxKept) kept.clear();
    kept.set(text, zoneFrom(tzid, component, createStepLimit(stepsOfZone, whole)));
  }
  return kept.get(text);
}

interface Change {
  at: number;
  from: number;
  to: number;
}

function zoneFrom(tzid: string, component: Component, limit: StepLimit): TimeZone | undefined {
  const observances = [...children(component, "STANDARD"), ...children(component, "DAYLIGHT")];
  let changes: Change[];
  try {
    changes = observances
      .flatMap((observance) => changesOf(observance, limit))
      .toSorted((one, other) => one.at - other.at);
  } catch {
    return undefined;
  }
  const first = changes[0]?.from;
  if (first === undefined) return undefined;
  return {
    name: tzid,
    offsetAt: (utc) => changes[lastBefore(changes, utc)]?.to ?? first,
  };
}

/** Finds a change by binary search. There are thousands, and each conversion needs one. */
function lastBefore(changes: readonly Change[], utc: number): number {
  let [low, high] = [-1, changes.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((changes[middle]?.at ?? Infinity) <= utc) low = middle;
    else high = middle - 1;
  }
  return low;
}

function changesOf(observance: Component, limit: StepLimit): Change[] {
  limit.spend(10);
  const [startLine] = lines(observance, "DTSTART");
  const [fromLine] = lines(observance, "TZOFFSETFROM");
  const [toLine] = lines(observance, "TZOFFSETTO");
  if (!startLine || !fromLine || !toLine) throw new Error("an observance is incomplete");
  const [from, to] = [readOffset(valueOf(fromLine)), readOffset(valueOf(toLine))];
  // An onset is in the wall time before the change. A fixed zone with that offset converts it, and UNTIL, to UTC.
  const zone: TimeZone = { name: "", offsetAt: () => from };
  const start = { ...momentOf(startLine, () => zone), kind: "zoned" as const, zone };
  const walls: WallTime[] = [start.wall];
  for (const { moment } of datesOf(lines(observance, "RDATE"), () => zone).read()) {
    limit.spend(5);
    walls.push(moment.wall);
  }
  for (const line of lines(observance, "RRULE")) {
    const rule = readRule(valueOf(line), start);
    for (const wall of occurrences(rule, start.wall, earliest, horizon, limit))
      if (wall !== undefined) walls.push(wall);
  }
  return walls.map((wall) => ({ at: wallToUtc(wall, zone), from, to }));
}

/** Parses a UTC-OFFSET (RFC 5545, section 3.3.14) into milliseconds. */
function readOffset(value: string): number {
  const [, sign, hours, minutes, seconds = "0"] =
    /^([+-])(\d{2})(\d{2})(\d{2})?$/.exec(value.trim()) ?? [];
  if (sign === undefined) throw new Error("an offset cannot be read");
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === "-" ? -size : size;
}
