import {
  dayMs,
  isoDate,
  type TimeZone,
  utcToWall,
  type Wall,
  wallToUtc,
} from "../core/time-zone.ts";
import type { EventDefinition, EventSeries } from "./event.ts";
import { occurrences } from "./recurrence.ts";
import { type Length, type Moment, toUtc } from "./values.ts";

/** One time that an event takes place. */
export interface Occurrence {
  /** Where its series first had it: names it within the series. Undefined for an event that does not repeat. */
  key: string | undefined;
  event: EventDefinition;
  /** Wall clock of the event's own start and end, end exclusive. */
  startWall: Wall;
  endWall: Wall;
  /** Milliseconds since 1970, end exclusive. */
  start: number;
  end: number;
}

export interface Window {
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** Whose days all-day events and floating times are. */
  reader: TimeZone;
}

/** Names an occurrence: a date, a local time, or an instant, in the basic form of ISO 8601. */
export function keyOf(moment: Moment): string {
  const basic = (at: number): string =>
    new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  if (moment.kind === "date") return isoDate(moment.wall).replaceAll("-", "");
  return "zone" in moment ? `${basic(wallToUtc(moment.wall, moment.zone))}Z` : basic(moment.wall);
}

/** Whether an event is more than one event. */
export function repeats(series: EventSeries): boolean {
  const { main } = series;
  return main === undefined || main.rules.length > 0 || main.added.length > 0;
}

/**
 * The occurrences of a series that touch the window, cancelled ones left out, in no order. At most `limit`.
 * @throws Error where a rule is too complicated
 */
export function expandSeries(series: EventSeries, window: Window, limit: number): Occurrence[] {
  const { main } = series;
  const found: Occurrence[] = [];
  const add = (occurrence: Occurrence): boolean => {
    if (touches(occurrence, window) && !occurrence.event.isCancelled) found.push(occurrence);
    return found.length < limit;
  };
  const replaced = new Map(
    series.replacements.map((event) => [
      keyOf(inSeries(event.replaces ?? event.start, main)),
      event,
    ]),
  );
  for (const [key, event] of replaced) {
    if (!add(place(event, event.start.wall, event.start, event.length, key, window.reader)))
      return found;
  }
  if (main === undefined || main.isCancelled) return found;
  const isSeries = repeats(series);
  const removed = new Set(main.removed.map((moment) => keyOf(inSeries(moment, main))));
  const moves = movesOf(series, window.reader);
  for (const { wall, length } of startsOf(main, window, moves)) {
    const moment: Moment = { ...main.start, wall };
    const key = keyOf(moment);
    if (removed.has(key) || replaced.has(key)) continue;
    const move = moves.findLast((one) => one.from <= wall);
    const event = move?.event ?? main;
    const own = length ?? event.length;
    const shown = place(event, wall + (move?.shift ?? 0), main.start, own, key, window.reader);
    if (!add(isSeries ? shown : { ...shown, key: undefined })) return found;
  }
  return found;
}

/** A moment as the series would have written it, so that both have the same key. */
export function inSeries(moment: Moment, main: EventDefinition | undefined): Moment {
  const start = main?.start;
  if (start === undefined) return moment;
  if (start.kind === "date") {
    return { kind: "date", wall: Math.floor(moment.wall / dayMs) * dayMs };
  }
  if (moment.kind === "date") {
    const timeOfDay = start.wall - Math.floor(start.wall / dayMs) * dayMs;
    return { ...start, wall: moment.wall + timeOfDay };
  }
  if (moment.kind === "floating" || start.kind === "floating")
    return { ...start, wall: moment.wall };
  return moment;
}

interface Move {
  from: Wall;
  shift: number;
  event: EventDefinition;
}

/** RANGE=THISANDFUTURE (RFC 5545, section 3.2.13): from that occurrence on all are moved, and changed, in the same way. */
function movesOf({ main, replacements }: EventSeries, reader: TimeZone): Move[] {
  if (main === undefined) return [];
  const wallOf = (moment: Moment): Wall => {
    const own = inSeries(moment, main);
    return "zone" in main.start ? utcToWall(toUtc(own, reader), main.start.zone) : own.wall;
  };
  return replacements
    .filter(({ andLater, replaces }) => andLater && replaces !== undefined)
    .map((event) => {
      const from = wallOf(event.replaces ?? event.start);
      return { from, shift: wallOf(event.start) - from, event };
    })
    .toSorted((one, other) => one.from - other.from);
}

/** The starts that could touch the window, before anything is removed, moved or replaced. */
function* startsOf(
  main: EventDefinition,
  window: Window,
  moves: readonly Move[],
): Generator<{ wall: Wall; length: Length | undefined }> {
  const zone = "zone" in main.start ? main.start.zone : window.reader;
  const lengths = [main, ...moves.map(({ event }) => event)].map(({ length }) =>
    wholeLength(length),
  );
  const shifts = moves.map(({ shift }) => shift);
  // A day of slack on both sides covers every difference between zones.
  const from = utcToWall(window.from, zone) - Math.max(...lengths) - Math.max(0, ...shifts) - dayMs;
  const to = utcToWall(window.to, zone) - Math.min(0, ...shifts) + dayMs;
  const seen = new Set<Wall>();
  for (const { moment, length } of main.added) {
    const own = inSeries(moment, main);
    const wall = "zone" in own ? utcToWall(wallToUtc(own.wall, own.zone), zone) : own.wall;
    if (!seen.has(wall)) yield { wall, length };
    seen.add(wall);
  }
  if (main.rules.length === 0 && !seen.has(main.start.wall)) {
    yield { wall: main.start.wall, length: undefined };
  }
  for (const rule of main.rules) {
    for (const wall of occurrences(rule, main.start.wall, from, to)) {
      if (seen.has(wall)) continue;
      seen.add(wall);
      yield { wall, length: undefined };
    }
  }
}

function wholeLength({ days, exactMs }: Length): number {
  return days * dayMs + exactMs;
}

function place(
  event: EventDefinition,
  startWall: Wall,
  clock: Moment,
  length: Length,
  key: string | undefined,
  reader: TimeZone,
): Occurrence {
  const zone = "zone" in clock ? clock.zone : reader;
  const start = wallToUtc(startWall, zone);
  if (clock.kind === "date") {
    const days = Math.max(1, Math.ceil(wholeLength(length) / dayMs));
    const endWall = startWall + days * dayMs;
    return { key, event, startWall, endWall, start, end: wallToUtc(endWall, zone) };
  }
  const end =
    (length.days === 0 ? start : wallToUtc(startWall + length.days * dayMs, zone)) + length.exactMs;
  return { key, event, startWall, endWall: utcToWall(end, zone), start, end };
}

/** An event without length touches what begins at its moment. */
function touches({ start, end }: Occurrence, { from, to }: Window): boolean {
  return start < to && (end > from || (end === start && start >= from));
}
