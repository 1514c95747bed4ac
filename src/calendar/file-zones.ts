import { findIana } from "windows-iana";
import { ianaZone, type TimeZone, type Wall, wallToUtc } from "../core/time-zone.ts";
import { children, type Component, lines, serialise } from "./content-lines.ts";
import { occurrences } from "./recurrence.ts";
import { momentOf, momentsOf, readRule, textValue, valueOf, type ZoneOf } from "./values.ts";

/** Definitions kept: one text is one zone, and calendars repeat the same few. */
const maxKept = 200;
/** Rules are followed this far. Nobody's calendar goes on for longer. */
const horizon = Date.UTC(2120, 0);

const kept = new Map<string, TimeZone | undefined>();

/**
 * What the TZIDs of a file mean. A name that IANA or Windows knows is read with this machine's tables: the VTIMEZONEs that
 * programs write are often cut to a few years. Any other name is what the file's VTIMEZONE says.
 */
export function zonesOf(calendar: Component): ZoneOf {
  const defined = new Map<string, Component>();
  for (const component of children(calendar, "VTIMEZONE")) {
    const id = lines(component, "TZID")[0];
    if (id !== undefined) defined.set(textValue(id), component);
  }
  return (tzid) => {
    const known = knownZone(tzid);
    if (known !== undefined) return known;
    const component = defined.get(tzid);
    return component === undefined ? undefined : definedZone(tzid, component);
  };
}

/** A zone by its name alone: IANA's, IANA's behind a vendor's prefix (`/mozilla.org/20070129_1/Europe/Berlin`), or Windows'. */
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

function definedZone(tzid: string, component: Component): TimeZone | undefined {
  const text = serialise(component);
  if (!kept.has(text)) {
    if (kept.size >= maxKept) kept.clear();
    kept.set(text, zoneFrom(tzid, component));
  }
  return kept.get(text);
}

interface Change {
  at: number;
  from: number;
  to: number;
}

function zoneFrom(tzid: string, component: Component): TimeZone | undefined {
  const observances = [...children(component, "STANDARD"), ...children(component, "DAYLIGHT")];
  let changes: Change[];
  try {
    changes = observances.flatMap(changesOf).toSorted((one, other) => one.at - other.at);
  } catch {
    return undefined;
  }
  const first = changes[0]?.from;
  if (first === undefined) return undefined;
  return {
    name: tzid,
    offsetAt: (utc) => changes.findLast(({ at }) => at <= utc)?.to ?? first,
  };
}

function changesOf(observance: Component): Change[] {
  const [startLine] = lines(observance, "DTSTART");
  const [fromLine] = lines(observance, "TZOFFSETFROM");
  const [toLine] = lines(observance, "TZOFFSETTO");
  if (!startLine || !fromLine || !toLine) throw new Error("an observance is incomplete");
  const [from, to] = [readOffset(valueOf(fromLine)), readOffset(valueOf(toLine))];
  // Onsets stand in the wall time before the change; a zone of that one offset makes UTC of them, and of UNTIL.
  const zone: TimeZone = { name: "", offsetAt: () => from };
  const start = { ...momentOf(startLine, () => zone), kind: "zoned" as const, zone };
  const walls: Wall[] = [start.wall];
  for (const line of lines(observance, "RDATE")) {
    walls.push(...momentsOf(line, () => zone).map(({ moment }) => moment.wall));
  }
  for (const line of lines(observance, "RRULE")) {
    walls.push(...occurrences(readRule(valueOf(line), start), start.wall, start.wall, horizon));
  }
  return walls.map((wall) => ({ at: wallToUtc(wall, zone), from, to }));
}

/** UTC-OFFSET (RFC 5545, section 3.3.14) in milliseconds. */
function readOffset(value: string): number {
  const [, sign, hours, minutes, seconds = "0"] =
    /^([+-])(\d{2})(\d{2})(\d{2})?$/.exec(value.trim()) ?? [];
  if (sign === undefined) throw new Error("an offset cannot be read");
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === "-" ? -size : size;
}
