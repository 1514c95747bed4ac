import { utcZone, wallToUtc } from "../core/shared/time-zone.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import { escapeText, makeLine } from "./content-lines.ts";
import { dateText, timeLine, utcText, type WrittenTime } from "./patch.ts";
import { type Moment, readRule } from "./values.ts";
import { writeZone } from "./write-zone.ts";

const eol = "\r\n";

export interface EventFacts {
  uid: string;
  title: string;
  time: WrittenTime;
  /** A value returned by `checkedRule`. */
  rule: string | undefined;
  now: Date;
}

/** Writes the file of a new event: a VTIMEZONE for every event with a TZID, dates for all-day ones. */
export function composeEvent({ uid, title, time, rule, now }: EventFacts): string {
  const { zone } = time;
  const head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Countersign//Calendar//EN"];
  const event = [
    "BEGIN:VEVENT",
    `UID:${uid}`,
    `DTSTAMP:${utcText(now.getTime())}`,
    timeLine("DTSTART", time.start, time),
    timeLine("DTEND", time.end, time),
    ...(rule === undefined ? [] : [`RRULE:${rule}`]),
    `SUMMARY:${escapeText(title)}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  const text = (lines: readonly string[]): string =>
    lines.map((line) => makeLine(line, eol).raw).join("");
  const definition =
    typeof zone === "string" ? "" : writeZone(zone.zone, wallToUtc(time.start, zone.zone), eol);
  return text(head) + definition + text(event);
}

/**
 * Checks an RRULE's value from a model. UNTIL is written as RFC 5545 requires: in UTC for times, as a date for all-day
 * events.
 * @throws {ToolError} `invalid_input`
 */
export function checkedRule(recurrence: string, start: Moment): string {
  const value = recurrence
    .trim()
    .replace(/^RRULE:/i, "")
    .toUpperCase();
  const refuse = (why: string, cause?: unknown): ToolError =>
    new ToolError("invalid_input", `recurrence: ${why}. Nothing was created.`, {
      hint: "Give the value of an RRULE, like FREQ=WEEKLY;BYDAY=MO;COUNT=10.",
      cause,
    });
  if (!/^[A-Z]+=[A-Z0-9+,-]+(?:;[A-Z]+=[A-Z0-9+,-]+)*$/.test(value)) {
    throw refuse("it is not the value of an RRULE");
  }
  let rule;
  try {
    rule = readRule(value, start);
  } catch (cause) {
    throw refuse("it is not a valid RRULE (RFC 5545, section 3.3.10)", cause);
  }
  if (rule.freq === "SECONDLY" || rule.freq === "MINUTELY") {
    throw refuse("it cannot repeat more often than hourly");
  }
  // Times multiply: a short rule with all hours, minutes and seconds would name each second of a year.
  if (rule.byMinute.length > 1 || rule.bySecond.length > 1) {
    throw refuse("it can name one BYMINUTE and one BYSECOND at most");
  }
  if (rule.until === undefined) return value;
  if (rule.count !== undefined) throw refuse("COUNT and UNTIL exclude each other");
  if (rule.until < start.wall) throw refuse("UNTIL is before the start");
  const until = "zone" in start ? utcText(wallToUtc(rule.until, start.zone)) : dateText(rule.until);
  return value.replace(/UNTIL=[^;]*/, `UNTIL=${until}`);
}

/** Returns the start of a written time. */
export function startOf({ start, zone }: WrittenTime): Moment {
  if (zone === "date") return { kind: "date", wall: start };
  return { kind: "zoned", wall: start, zone: zone === "utc" ? utcZone : zone.zone };
}
