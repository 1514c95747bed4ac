import {
  dayMs,
  ianaZone,
  type TimeZone,
  utcToWall,
  type WallTime,
} from "../core/shared/time-zone.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { EventChanges, EventScope, EventTime } from "../ports/calendar/calendar.ts";
import { type Component, lineEnd, serialise } from "./content-lines.ts";
import { readCalendarFile } from "./event.ts";
import { type FoundOccurrence, findOccurrence, noSuchEvent } from "./find-event.ts";
import { inSeries, keyOf, repeats } from "./recurrence/expand.ts";
import { knownZone } from "./file-zones.ts";
import {
  addReplacement,
  ensureZone,
  exclude,
  inZone,
  setTime,
  setTitle,
  shiftReferences,
  touch,
  tzidOf,
  type WrittenTime,
} from "./patch.ts";
import type { Moment } from "./values.ts";

export interface ChangeContext {
  reader: TimeZone;
  scope: EventScope;
  now: Date;
}

/** The changed file, and the key of the changed occurrence. */
export interface ChangedFile {
  text: string;
  key: string | undefined;
}

/**
 * Changes one event, one occurrence or a whole series in the text of its file. All other lines are kept, byte for byte.
 * @throws {ToolError} `not_found`, or `invalid_input`, for example if the file holds several events
 */
export function changeText(
  text: string,
  key: string | undefined,
  changes: EventChanges,
  context: ChangeContext,
): ChangedFile {
  const found = locate(text, key, context.reader);
  const { series, occurrence, calendar } = found;
  const eol = lineEnd(text);
  const isSeries = repeats(series);
  const whole = isSeries && context.scope === "all";
  if (whole && series.main === undefined) throw noSeries();
  const time = changes.time && writtenTime(found, changes.time, changes.timeZone, context.reader);
  if (typeof time?.zone === "object") {
    ensureZone(calendar, time.zone, time.start - time.zone.zone.offsetAt(time.start), eol);
  }
  if (!whole) {
    const target = isSeries ? replacementOf(found, eol) : occurrence.event.component;
    apply(target, changes.title, time, context.now, eol);
    return { text: serialise(found.file.root), key };
  }

  assertLikeSeries(found, changes);
  const main = series.main?.component as Component;
  const shift = time === undefined ? 0 : seriesShift(found, time);
  if (changes.title !== undefined) {
    // Moved occurrences carry the series' title. An occurrence with its own title keeps it.
    for (const { title, component } of series.replacements) {
      if (title === series.main?.title) setTitle(component, changes.title, eol);
    }
  }
  const components = [main, ...series.replacements.map(({ component }) => component)];
  for (const component of components) shiftReferences(component, shift, eol);
  const start = (series.main?.start.wall ?? 0) + shift;
  const moved = time && { ...time, start, end: start + (time.end - time.start) };
  apply(main, changes.title, moved, context.now, eol);
  const original = originalOf(found);
  return {
    text: serialise(found.file.root),
    key: keyOf({ ...original, wall: original.wall + shift }),
  };
}

/**
 * Returns the file without the event. Undefined if the whole object must be deleted.
 * @throws {ToolError} `not_found`, or `invalid_input` if the file holds several events
 */
export function removeFromText(
  text: string,
  key: string | undefined,
  context: ChangeContext,
): string | undefined {
  const found = locate(text, key, context.reader);
  const { series, calendar } = found;
  if (!repeats(series) || context.scope === "all") return undefined;
  const own = found.replacement;
  if (series.main === undefined) {
    if (series.replacements.length < 2) return undefined;
  } else {
    const eol = lineEnd(text);
    exclude(series.main.component, originalOf(found), eol);
    touch(series.main.component, context.now, eol, true);
  }
  if (own !== undefined) calendar.items.splice(calendar.items.indexOf(own), 1);
  return serialise(found.file.root);
}

interface Located extends FoundOccurrence {
  calendar: Component;
  /** The VEVENT that replaces this occurrence alone, if any. */
  replacement: Component | undefined;
}

/** Finds the event in a separate tree, which the caller then changes. */
function locate(text: string, key: string | undefined, reader: TimeZone): Located {
  let found: FoundOccurrence | undefined;
  try {
    found = findOccurrence(readCalendarFile(text), key, reader);
  } catch {
    found = undefined;
  }
  const calendar = found?.file.calendar;
  if (found === undefined || calendar === undefined) throw noSuchEvent();
  if (found.file.uids > 1) throw severalEvents();
  const { series } = found;
  const replacement = series.replacements.find(
    ({ replaces }) => replaces !== undefined && keyOf(inSeries(replaces, series.main)) === key,
  );
  return { ...found, calendar, replacement: replacement?.component };
}

function replacementOf(found: Located, eol: string): Component {
  if (found.replacement !== undefined) return found.replacement;
  const main = found.series.main;
  if (main === undefined) throw noSuchEvent();
  const { startWall, endWall, event } = found.occurrence;
  return addReplacement(
    found.calendar,
    { series: main.component, like: event.component, original: originalOf(found) },
    { start: startWall, end: endWall },
    eol,
  );
}

/** Returns the occurrence's original time in the series. */
function originalOf({ series, occurrence }: FoundOccurrence): Moment {
  const { main } = series;
  const replaces = series.replacements.find(
    ({ component }) => component === occurrence.event.component,
  )?.replaces;
  if (main === undefined) return replaces ?? occurrence.event.start;
  const { key = "" } = occurrence;
  const digits = key.replaceAll(/\D/g, "").padEnd(14, "0");
  const [year, month, day, hour, minute, second] = (
    digits.match(/^(....)(..)(..)(..)(..)(..)/)?.slice(1) ?? []
  ).map(Number);
  const at = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
  return { ...main.start, wall: "zone" in main.start ? utcToWall(at, main.start.zone) : at };
}

function apply(
  event: Component,
  title: string | undefined,
  time: WrittenTime | undefined,
  now: Date,
  eol: string,
): void {
  if (title !== undefined) setTitle(event, title, eol);
  if (time !== undefined) setTime(event, time, eol);
  touch(event, now, eol, time !== undefined);
}

/** Converts a time to the requested zone, or else to the event's zone, or else to the reader's zone. */
function writtenTime(
  { occurrence }: FoundOccurrence,
  time: EventTime,
  timeZone: string | undefined,
  reader: TimeZone,
): WrittenTime {
  if (time.allDay) {
    return { start: Date.parse(time.start), end: Date.parse(time.end), zone: "date" };
  }
  const { start, component } = occurrence.event;
  const asked = timeZone === undefined ? undefined : ianaZone(timeZone);
  const tzid = tzidOf(component);
  const own = start.kind === "zoned" && tzid !== undefined ? { tzid, zone: start.zone } : undefined;
  const chosen = asked ?? reader;
  return inZone(
    time,
    asked === undefined && own !== undefined ? own : { tzid: chosen.name, zone: chosen },
  );
}

/**
 * Returns the shift of a whole series.
 * @throws {ToolError} if the rule names days or times, which would become wrong
 */
function seriesShift(found: FoundOccurrence, time: WrittenTime): number {
  const main = found.series.main;
  if (main === undefined) throw noSeries();
  const { start, rules } = main;
  const { zone } = time;
  const zoneName = typeof zone === "string" ? undefined : (knownZone(zone.tzid)?.name ?? zone.tzid);
  const isSameKind =
    start.kind === "date"
      ? zone === "date"
      : start.kind === "zoned" && zoneName === start.zone.name;
  if (!isSameKind) {
    throw refuse("a series keeps its time zone and stays all-day or timed");
  }
  const shift = time.start - originalOf(found).wall;
  const dayOf = (wall: WallTime): number => Math.floor(wall / dayMs);
  const changesDay = dayOf(start.wall) !== dayOf(start.wall + shift);
  const namesDays = rules.some(
    ({ byDay, byMonthDay, byYearDay, byWeekNo, byMonth }) =>
      byDay.length + byMonthDay.length + byYearDay.length + byWeekNo.length + byMonth.length > 0,
  );
  const namesTimes = rules.some(
    ({ byHour, byMinute, bySecond }) => byHour.length + byMinute.length + bySecond.length > 0,
  );
  if (changesDay && namesDays)
    throw refuse("the series repeats on named days, which would become wrong");
  if (shift !== 0 && namesTimes) throw refuse("the series repeats at named times");
  return shift;
}

/**
 * Refuses changes of a series through an occurrence that was changed on its own, because it would keep its time or
 * title. A dialog shows this occurrence, and would show no change.
 */
function assertLikeSeries({ series, replacement }: Located, { time, title }: EventChanges): void {
  const own = series.replacements.find(({ component }) => component === replacement);
  if (own === undefined) return;
  if (time === undefined && (title === undefined || own.title === series.main?.title)) return;
  throw new ToolError(
    "invalid_input",
    "This occurrence was changed on its own and does not follow its series. Nothing was changed.",
    { hint: "Name another occurrence of the series." },
  );
}

function refuse(why: string): ToolError {
  return new ToolError(
    "invalid_input",
    `The whole series cannot be moved: ${why}. Nothing was changed.`,
    {
      hint: 'Change single occurrences (scope "this"), or delete the series and create a new one.',
    },
  );
}

/**
 * Refuses objects with several events, because a change could affect the others. An object should be one event (RFC
 * 4791, section 4.1).
 */
function severalEvents(): ToolError {
  return new ToolError(
    "invalid_input",
    "The calendar server stores this event in one object together with other events. Nothing was changed.",
    { hint: "Tell the user that only another calendar program can change it." },
  );
}

function noSeries(): ToolError {
  return new ToolError(
    "invalid_input",
    "The calendar has only single occurrences of this series. Nothing was changed.",
    { hint: 'Use scope "this".' },
  );
}
