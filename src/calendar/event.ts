import { dayMs } from "../core/shared/time-zone.ts";
import { children, type Component, isComponent, lines, parseLines } from "./content-lines.ts";
import { zonesOf } from "./file-zones.ts";
import type { RecurrenceRule } from "./recurrence/recurrence-rule.ts";
import {
  type Dates,
  datesOf,
  type Length,
  lengthBetween,
  type Moment,
  momentOf,
  readLength,
  readRule,
  textValue,
  valueOf,
  type ZoneOf,
} from "./values.ts";

/** The longest event, ten years. A longer one is a mistake, and its end may be an invalid date. */
const maxDays = 3_660;
/** Characters of the added and removed dates in one file: about ten thousand dates with their line names. */
const maxDateCharacters = 250_000;
/** Limit on rules of one event. RFC 5545 recommends one. */
const maxRules = 10;
/** Characters of one file. Attached pictures make it large. */
const maxFileCharacters = 4 * 1_048_576;
/** Line ends of one file, with those of folds: 3 MiB in lines of 75. Each costs about half a microsecond. */
const maxLineEnds = 40_000;
/** VEVENTs of one file. All but one replace an occurrence of a series. */
const maxEvents = 2_000;
/** Characters of a line with a text. Titles are cut to much less. */
const maxTextCharacters = 20_000;

/** One parsed VEVENT. */
export interface EventDefinition {
  uid: string;
  title: string;
  start: Moment;
  length: Length;
  rules: readonly RecurrenceRule[];
  /** Rules whose starts are left out (EXRULE, RFC 2445). RFC 5545 removed them, but old files have them. */
  excluding: readonly RecurrenceRule[];
  added: Dates;
  removed: Dates;
  /** The occurrence that this event replaces (RECURRENCE-ID). */
  replaces: Moment | undefined;
  /** RANGE=THISANDFUTURE: the change applies to every later occurrence too. */
  andLater: boolean;
  isCancelled: boolean;
  /** False for TRANSP:TRANSPARENT and for cancelled events. */
  blocks: boolean;
  component: Component;
}

/** The events of one UID: the series (or single event) and its replaced occurrences. */
export interface EventSeries {
  uid: string;
  main: EventDefinition | undefined;
  replacements: readonly EventDefinition[];
}

export interface CalendarFile {
  root: Component;
  calendar: Component | undefined;
  series: readonly EventSeries[];
  /** VEVENTs that could not be parsed, or repeat the UID and RECURRENCE-ID of another one. */
  broken: number;
  /** The number of events and tasks, parsed or not. RFC 4791 allows one per file. */
  uids: number;
}

/**
 * Reads a calendar file. Invalid VEVENTs are counted. Takes at most 50 ms, because calls wait meanwhile.
 * @param zones remaining steps for the file's time zone definitions
 * @throws {Error} if the file is no tree of components, or too large
 */
export function readCalendarFile(text: string, zones?: { left: number }): CalendarFile {
  assertSmall(text);
  const root = parseLines(text.replace(/^\u{FEFF}/u, ""));
  const calendar = children(root, "VCALENDAR")[0];
  if (calendar === undefined) throw new Error("there is no VCALENDAR");
  const zoneOf = zonesOf(calendar, zones);
  const dates = { characters: maxDateCharacters };
  const byUid = new Map<
    string,
    { uid: string; main?: EventDefinition; replacements: EventDefinition[] }
  >();
  const seen = new Set<string>();
  let [broken, repeated] = [0, 0];
  const events = children(calendar, "VEVENT");
  if (events.length > maxEvents) throw new Error("there are too many events");
  for (const component of events) {
    try {
      const event = readEvent(component, zoneOf, dates);
      const identity = identityOf(event);
      if (seen.has(identity)) {
        repeated += 1;
        continue;
      }
      seen.add(identity);
      const series = byUid.get(event.uid) ?? { uid: event.uid, replacements: [] };
      byUid.set(event.uid, series);
      if (event.replaces !== undefined) series.replacements.push(event);
      else series.main = event;
    } catch {
      broken += 1;
    }
  }
  const series = [...byUid.values()].map((one) => ({ ...one, main: one.main }));
  // Some programs end a line at a bare CR, and read a UID that is part of another line here.
  const hidden = /\r(?!\n)[ \t]*(?:UID|BEGIN)[ \t]*[:;]/i.test(text) ? 1 : 0;
  const uids = new Set(uidsIn(root)).size + repeated + hidden;
  return { root, calendar, series, broken: broken + repeated, uids };
}

/** Returns what must differ between the VEVENTs of one UID (RFC 4791, section 4.1). */
function identityOf({ uid, replaces }: EventDefinition): string {
  if (replaces === undefined) return uid;
  const zone = "zone" in replaces ? replaces.zone.name : "";
  return `${uid}\0${replaces.wall} ${zone}`;
}

function assertSmall(text: string): void {
  const tooLarge = new Error("it is too large");
  if (text.length > maxFileCharacters) throw tooLarge;
  for (const end of ["\n", "\r"]) {
    let ends = 0;
    for (let at = text.indexOf(end); at >= 0; at = text.indexOf(end, at + 1))
      if ((ends += 1) > maxLineEnds) throw tooLarge;
  }
}

/** Components that are an event or a task of their own. Others, such as VALARM and VLOCATION, have UIDs too. */
const ownComponents = new Set(["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VAVAILABILITY"]);

/**
 * Returns the UIDs in the whole file as they are written, at any depth. A second VCALENDAR is not read as events, but
 * would be deleted with the first.
 */
function uidsIn(component: Component): string[] {
  // Different programs read a component with two UID lines as different events.
  const own = lines(component, "UID").map(({ text }) => {
    const start = text.slice(0, maxTextCharacters);
    return /^[^:;]*(?:;(?:"[^"]*"|[^":])*)?:(.*)$/s.exec(start)?.[1] ?? start;
  });
  const uids = ownComponents.has(component.name) ? (own.length === 0 ? [""] : own) : [];
  return [...uids, ...component.items.filter(isComponent).flatMap(uidsIn)];
}

function readEvent(
  component: Component,
  zoneOf: ZoneOf,
  dates: { characters: number },
): EventDefinition {
  const [startLine] = lines(component, "DTSTART");
  if (startLine === undefined) throw new Error("DTSTART is missing");
  const start = momentOf(startLine, zoneOf);
  const [idLine] = lines(component, "RECURRENCE-ID");
  const replaces = idLine && momentOf(idLine, zoneOf);
  const first = (name: string): string => {
    const [line] = lines(component, name);
    if (line === undefined) return "";
    return textValue({ ...line, text: line.text.slice(0, maxTextCharacters) });
  };
  if (lines(component, "UID").some(({ text }) => text.length > maxTextCharacters))
    throw new Error("the UID is too long");
  const [rules, excluding] = [lines(component, "RRULE"), lines(component, "EXRULE")];
  if (rules.length + excluding.length > maxRules) throw new Error("there are too many rules");
  const rulesOf = (some: typeof rules): RecurrenceRule[] =>
    replaces === undefined ? some.map((line) => readRule(valueOf(line), start)) : [];
  const [added, removed] = [lines(component, "RDATE"), lines(component, "EXDATE")];
  for (const { text } of [...added, ...removed]) dates.characters -= text.length;
  if (dates.characters < 0) throw new Error("there are too many dates");
  const isCancelled = first("STATUS").toUpperCase() === "CANCELLED";
  return {
    uid: first("UID"),
    title: first("SUMMARY"),
    start,
    length: lengthOf(component, start, zoneOf),
    rules: rulesOf(rules),
    excluding: rulesOf(excluding),
    added: datesOf(added, zoneOf),
    removed: datesOf(removed, zoneOf),
    replaces,
    andLater: idLine !== undefined && /;RANGE="?THISANDFUTURE/i.test(idLine.text),
    isCancelled,
    blocks: !isCancelled && first("TRANSP").toUpperCase() !== "TRANSPARENT",
    component,
  };
}

/** Returns DTEND or DURATION. The default is a day for a date and no time for a time (RFC 5545, section 3.6.1). */
function lengthOf(component: Component, start: Moment, zoneOf: ZoneOf): Length {
  const [end] = lines(component, "DTEND");
  const [duration] = lines(component, "DURATION");
  const length =
    end !== undefined
      ? lengthBetween(start, resolved(momentOf(end, zoneOf), start))
      : duration !== undefined
        ? readLength(valueOf(duration).trim())
        : { days: start.kind === "date" ? 1 : 0, exactMs: 0 };
  if (length.days < 0 || length.exactMs < 0) throw new Error("it ends before it starts");
  if (length.days + length.exactMs / dayMs > maxDays) throw new Error("it does not end");
  return length;
}

/** Resolves a floating end in the zone of the start. */
function resolved(end: Moment, start: Moment): Moment {
  return end.kind === "floating" && "zone" in start
    ? { kind: "zoned", wall: end.wall, zone: start.zone }
    : end;
}
