import {
  dayMs,
  isoDate,
  type TimeZone,
  utcToWall,
  type WallTime,
  wallToUtc,
} from "../../core/shared/time-zone.ts";
import type { EventDefinition, EventSeries } from "../event.ts";
import { occurrences } from "./recurrence.ts";
import { type Length, type Moment, toUtc } from "../values.ts";
import { createStepLimit, type StepLimit } from "./step-limit.ts";

/** Steps that are charged for an occurrence, because building its key costs time. */
const stepsOfKey = 5;
/** Steps that are charged for an added or removed date, which must be parsed. */
const stepsOfDate = 10;
/** Steps per turn. A common event needs no more for a year. */
const stepsOfTurn = 1_000;

/** One occurrence of an event. */
export interface Occurrence {
  /** The original start in the series, which identifies the occurrence. Undefined for an event that does not repeat. */
  key: string | undefined;
  event: EventDefinition;
  /** Wall clock of the event's own start and end, end exclusive. */
  startWall: WallTime;
  endWall: WallTime;
  /** Milliseconds since 1970, end exclusive. */
  start: number;
  end: number;
}

export interface Window {
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** The zone for all-day events and floating times. */
  reader: TimeZone;
}

/** Returns the key of an occurrence: a date, a local time or an instant, in the basic form of ISO 8601. */
export function keyOf(moment: Moment): string {
  const basic = (at: number): string =>
    new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  if (moment.kind === "date") return isoDate(moment.wall).replaceAll("-", "");
  return "zone" in moment ? `${basic(wallToUtc(moment.wall, moment.zone))}Z` : basic(moment.wall);
}

/** Returns whether an event has several occurrences. */
export function repeats(series: EventSeries): boolean {
  const { main } = series;
  return main === undefined || main.rules.length > 0 || !main.added.isEmpty;
}

/**
 * Returns the occurrences of a series in the window, unordered and without cancelled ones. At most `limit`.
 * @throws {Error} if the event is too complicated
 */
export function expandSeries(series: EventSeries, window: Window, limit: number): Occurrence[] {
  const turns = expansion(series, window, limit);
  for (;;) {
    const turn = turns.next();
    if (turn.done === true) return turn.value;
  }
}

/**
 * Expands a series in turns of about a millisecond. Yields after each turn and returns the result of `expandSeries`.
 * @throws {Error} if the step limit is reached
 */
export function* expansion(
  series: EventSeries,
  window: Window,
  limit: number,
  stepLimit: StepLimit = createStepLimit(),
): Generator<void, Occurrence[]> {
  const { main } = series;
  const found: Occurrence[] = [];
  let turnEnds = stepLimit.left - stepsOfTurn;
  const isTurnOver = (steps: number): boolean => {
    stepLimit.spend(steps);
    if (stepLimit.left > turnEnds) return false;
    turnEnds = stepLimit.left - stepsOfTurn;
    return true;
  };
  const add = (occurrence: Occurrence): boolean => {
    if (touches(occurrence, window) && !occurrence.event.isCancelled) found.push(occurrence);
    return found.length < limit;
  };
  const replaced = new Map<string, EventDefinition>();
  for (const event of series.replacements) {
    replaced.set(keyOf(inSeries(event.replaces ?? event.start, main)), event);
    if (isTurnOver(stepsOfKey)) yield;
  }
  for (const [key, event] of replaced) {
    if (!add(place(event, event.start.wall, event.start, event.length, key, window.reader)))
      return found;
    if (isTurnOver(stepsOfKey)) yield;
  }
  if (main === undefined || main.isCancelled) return found;
  const isSeries = repeats(series);
  const removed = new Set<string>();
  for (const { moment } of main.removed.read()) {
    removed.add(keyOf(inSeries(moment, main)));
    if (isTurnOver(stepsOfDate)) yield;
  }
  const moves = movesOf(series, window.reader);
  for (const start of startsOf(main, window, moves, stepLimit)) {
    if (isTurnOver(start === undefined ? 0 : stepsOfKey + moves.length / 10)) yield;
    if (start === undefined) continue;
    const { wall, length } = start;
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

/** Converts a moment to the form that the series uses, so that both have the same key. */
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
  from: WallTime;
  shift: number;
  event: EventDefinition;
}

/**
 * Returns the changes with RANGE=THISANDFUTURE (RFC 5545, section 3.2.13), which move that occurrence and all later
 * ones.
 */
function movesOf({ main, replacements }: EventSeries, reader: TimeZone): Move[] {
  if (main === undefined) return [];
  const wallOf = (moment: Moment): WallTime => {
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

/**
 * Yields the starts that may be in the window, before removals, moves and replacements. Yields undefined after some
 * steps without a start.
 */
function* startsOf(
  main: EventDefinition,
  window: Window,
  moves: readonly Move[],
  limit: StepLimit,
): Generator<{ wall: WallTime; length: Length | undefined } | undefined> {
  const zone = "zone" in main.start ? main.start.zone : window.reader;
  const lengths = [main, ...moves.map(({ event }) => event)].map(({ length }) =>
    wholeLength(length),
  );
  const shifts = moves.map(({ shift }) => shift);
  // A margin of a day on both sides covers every difference between zones.
  const from = utcToWall(window.from, zone) - Math.max(...lengths) - Math.max(0, ...shifts) - dayMs;
  const to = utcToWall(window.to, zone) - Math.min(0, ...shifts) + dayMs;
  const seen = new Set<WallTime>();
  for (const rule of main.excluding) {
    for (const wall of occurrences(rule, main.start.wall, from, to, limit, true)) {
      if (wall !== undefined) seen.add(wall);
      yield undefined;
    }
  }
  for (const { moment, length } of main.added.read()) {
    const own = inSeries(moment, main);
    const wall = "zone" in own ? utcToWall(wallToUtc(own.wall, own.zone), zone) : own.wall;
    yield seen.has(wall) ? undefined : { wall, length };
    limit.spend(stepsOfDate);
    seen.add(wall);
  }
  if (main.rules.length === 0 && !seen.has(main.start.wall)) {
    yield { wall: main.start.wall, length: undefined };
  }
  for (const rule of main.rules) {
    for (const wall of occurrences(rule, main.start.wall, from, to, limit)) {
      if (wall !== undefined && seen.has(wall)) continue;
      if (wall !== undefined) seen.add(wall);
      yield wall === undefined ? undefined : { wall, length: undefined };
    }
  }
}

function wholeLength({ days, exactMs }: Length): number {
  return days * dayMs + exactMs;
}

function place(
  event: EventDefinition,
  startWall: WallTime,
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

/**
 * Returns whether an occurrence is in the window. An event without length is also in a window that starts at its time.
 */
function touches({ start, end }: Occurrence, { from, to }: Window): boolean {
  return start < to && (end > from || (end === start && start >= from));
}
