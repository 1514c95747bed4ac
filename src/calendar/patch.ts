import {
  dayMs,
  isoDate,
  type TimeZone,
  utcToWall,
  type WallTime,
  wallToUtc,
} from "../core/shared/time-zone.ts";
import {
  children,
  type Component,
  type ContentLine,
  escapeText,
  isComponent,
  lines,
  makeLine,
  parseLines,
} from "./content-lines.ts";
import { type Moment, parameter, parameterText, valueOf } from "./values.ts";
import { wallText, writeZone } from "./write-zone.ts";

/** A time zone, and its name in the calendar file. */
export interface NamedZone {
  tzid: string;
  zone: TimeZone;
}

/** The time of an event as it is written. */
export interface WrittenTime {
  start: WallTime;
  end: WallTime;
  /**
   * A DATE, or a time with its TZID. `utc` is a time in the second hour of clocks that are put back, because with a TZID
   * it would mean the first hour.
   */
  zone: NamedZone | "date" | "utc";
}

/**
 * Returns the times in a zone. Clocks that are put back show an hour twice, and a calendar file means the first one (RFC
 * 5545, section 3.3.5). A time in the second one is therefore written in UTC.
 */
export function inZone({ start, end }: { start: Date; end: Date }, own: NamedZone): WrittenTime {
  const [from, to] = [start.getTime(), end.getTime()];
  const fits = [from, to].every((utc) => wallToUtc(utcToWall(utc, own.zone), own.zone) === utc);
  if (!fits) return { start: from, end: to, zone: "utc" };
  return { start: utcToWall(from, own.zone), end: utcToWall(to, own.zone), zone: own };
}

/**
 * Sets the title. Like every function here, it changes a tree in place, and only the named lines. All other lines keep
 * their bytes, order and folding.
 */
export function setTitle(event: Component, title: string, eol: string): void {
  const [before] = lines(event, "SUMMARY");
  const head = before === undefined ? "SUMMARY" : `SUMMARY${parameterText(before)}`;
  put(event, "SUMMARY", `${head}:${escapeText(title)}`, eol, "DTSTART");
}

export function setTime(event: Component, time: WrittenTime, eol: string): void {
  put(event, "DTSTART", timeLine("DTSTART", time.start, time), eol);
  const endLine = timeLine("DTEND", time.end, time);
  const [duration] = lines(event, "DURATION");
  if (duration !== undefined && lines(event, "DTEND").length === 0) {
    event.items[event.items.indexOf(duration)] = makeLine(endLine, eol);
  } else {
    put(event, "DTEND", endLine, eol, "DTSTART");
  }
}

/** Updates the change properties (RFC 5545, sections 3.8.7.2 to 3.8.7.4). SEQUENCE increases only with a new time. */
export function touch(event: Component, now: Date, eol: string, isReschedule: boolean): void {
  const stamp = utcText(now.getTime());
  put(event, "DTSTAMP", `DTSTAMP:${stamp}`, eol, "UID");
  if (lines(event, "LAST-MODIFIED").length > 0)
    put(event, "LAST-MODIFIED", `LAST-MODIFIED:${stamp}`, eol);
  if (!isReschedule) return;
  const [sequence] = lines(event, "SEQUENCE");
  const number = sequence === undefined ? 0 : Number.parseInt(valueOf(sequence), 10) || 0;
  put(event, "SEQUENCE", `SEQUENCE:${number + 1}`, eol, "DTSTAMP");
}

/**
 * Adds a VEVENT that replaces one occurrence of the series: the properties of `like` without the rules, at its own
 * time.
 */
export function addReplacement(
  calendar: Component,
  { series, like, original }: { series: Component; like: Component; original: Moment },
  { start, end }: { start: WallTime; end: WallTime },
  eol: string,
): Component {
  const rules = new Set(["RRULE", "RDATE", "EXDATE", "EXRULE"]);
  const copy: Component = {
    ...like,
    items: like.items.filter((item) => !rules.has(item.name)).map((item) => structuredClone(item)),
  };
  put(copy, "DTSTART", sameForm("DTSTART", series, { ...original, wall: start }), eol);
  if (lines(copy, "DTEND").length > 0) {
    put(copy, "DTEND", sameForm("DTEND", series, { ...original, wall: end }), eol);
  }
  put(copy, "RECURRENCE-ID", sameForm("RECURRENCE-ID", series, original), eol, "DTSTART");
  const at = calendar.items.findLastIndex((item) => isComponent(item) && item.name === "VEVENT");
  calendar.items.splice(at + 1, 0, copy);
  return copy;
}

/** Excludes one occurrence from the series. */
export function exclude(series: Component, original: Moment, eol: string): void {
  const line = makeLine(sameForm("EXDATE", series, original), eol);
  const after = ["EXDATE", "RDATE", "RRULE", "DTSTART"]
    .map((name) => lines(series, name).at(-1))
    .find((one) => one !== undefined);
  series.items.splice(after === undefined ? 0 : series.items.indexOf(after) + 1, 0, line);
}

/** Shifts every date that refers to a start of the series, because RFC 5545 compares these dates with the starts. */
export function shiftReferences(event: Component, shiftMs: number, eol: string): void {
  if (shiftMs === 0) return;
  const moved = (text: string): string =>
    text.replaceAll(
      /\b(\d{8})(?:T(\d{6}))?(Z?)(?!\d)/g,
      (_all, date: string, time: string | undefined, z: string) => {
        const iso = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
        const clock = time === undefined ? "00:00:00" : time.replace(/(..)(..)(..)/, "$1:$2:$3");
        const wall = Date.parse(`${iso}T${clock}Z`) + shiftMs;
        return time === undefined ? dateText(wall) : `${wallText(wall)}${z}`;
      },
    );
  for (const [at, item] of event.items.entries()) {
    if (isComponent(item)) continue;
    if (["EXDATE", "RDATE", "RECURRENCE-ID"].includes(item.name)) {
      const text = `${item.name}${parameterText(item)}:${moved(valueOf(item))}`;
      event.items[at] = makeLine(text, eol);
    } else if (["RRULE", "EXRULE"].includes(item.name) && /UNTIL=/i.test(item.text)) {
      event.items[at] = makeLine(item.text.replace(/UNTIL=[^;]*/i, moved), eol);
    }
  }
}

/** Adds the VTIMEZONE of a zone if the file has none with that name. */
export function ensureZone(
  calendar: Component,
  { tzid, zone }: NamedZone,
  since: number,
  eol: string,
): void {
  const isThere = children(calendar, "VTIMEZONE").some((one) =>
    lines(one, "TZID").some((line) => valueOf(line) === tzid),
  );
  if (isThere) return;
  const named: TimeZone = { name: tzid, offsetAt: (utc) => zone.offsetAt(utc) };
  const [added] = parseLines(writeZone(named, since, eol)).items;
  const at = calendar.items.findIndex((item) => isComponent(item) && item.name === "VEVENT");
  if (added !== undefined) calendar.items.splice(at < 0 ? calendar.items.length : at, 0, added);
}

export function tzidOf(event: Component): string | undefined {
  const [line] = lines(event, "DTSTART");
  return line && parameter(line, "TZID");
}

export function timeLine(name: string, wall: WallTime, { zone }: WrittenTime): string {
  if (zone === "date") return `${name};VALUE=DATE:${dateText(wall)}`;
  if (zone === "utc") return `${name}:${utcText(wall)}`;
  const tzid = /[:;,]/.test(zone.tzid) ? `"${zone.tzid}"` : zone.tzid;
  return `${name};TZID=${tzid}:${wallText(wall)}`;
}

export function utcText(utc: number): string {
  return `${wallText(utc)}Z`;
}

export function dateText(wall: WallTime): string {
  return isoDate(Math.floor(wall / dayMs) * dayMs).replaceAll("-", "");
}

/** Writes a moment in the form of the series' start: same zone, same type. */
function sameForm(name: string, series: Component, { kind, wall }: Moment): string {
  const [start] = lines(series, "DTSTART");
  const text = kind === "date" ? dateText(wall) : `${wallText(wall)}${kind === "utc" ? "Z" : ""}`;
  return `${name}${start === undefined ? "" : parameterText(start)}:${text}`;
}

/** Replaces the first line with that name. Otherwise adds it after `after` or as the last property. */
function put(event: Component, name: string, text: string, eol: string, after?: string): void {
  const line: ContentLine = makeLine(text, eol);
  const [before] = lines(event, name);
  if (before !== undefined) {
    event.items[event.items.indexOf(before)] = line;
    return;
  }
  const anchor = after === undefined ? undefined : lines(event, after).at(-1);
  const lastLine = event.items.findLastIndex((item) => !isComponent(item));
  const at = anchor === undefined ? lastLine : event.items.indexOf(anchor);
  event.items.splice(at + 1, 0, line);
}
