import { dayMs, type WallTime } from "../../core/shared/time-zone.ts";
import type { RecurrenceRule } from "./recurrence-rule.ts";

/** Returns whether a rule names the day that begins at this wall-clock midnight. */
export function dayFits(rule: RecurrenceRule, day: WallTime): boolean {
  const at = new Date(day);
  const year = at.getUTCFullYear();
  const month = at.getUTCMonth();
  const { byMonth, byMonthDay, byYearDay, byWeekNo, byDay } = rule;
  if (byMonth.length > 0 && !byMonth.includes(month + 1)) return false;
  const inMonth = { at: at.getUTCDate(), of: new Date(Date.UTC(year, month + 1, 0)).getUTCDate() };
  if (byMonthDay.length > 0 && !hasPlace(byMonthDay, inMonth.at, inMonth.of)) return false;
  const newYear = Date.UTC(year, 0);
  const inYear = {
    at: (day - newYear) / dayMs + 1,
    of: (Date.UTC(year + 1, 0) - newYear) / dayMs,
  };
  if (byYearDay.length > 0 && !hasPlace(byYearDay, inYear.at, inYear.of)) return false;
  if (byWeekNo.length > 0) {
    const week = weekOf(day, rule.weekStart);
    if (!hasPlace(byWeekNo, week.at, week.of)) return false;
  }
  if (byDay.length === 0) return true;
  const weekday = weekdayOf(day);
  const isYearly = rule.freq === "YEARLY" && byMonth.length === 0;
  const within = isYearly ? inYear : inMonth;
  const isNumbered = rule.freq === "MONTHLY" || rule.freq === "YEARLY";
  return byDay.some(
    (wanted) =>
      wanted.weekday === weekday &&
      (wanted.nth === 0 ||
        !isNumbered ||
        wanted.nth === Math.floor((within.at - 1) / 7) + 1 ||
        wanted.nth === -Math.floor((within.of - within.at) / 7) - 1),
  );
}

/** Returns whether the list names this position, counted from the start (1) or from the end (-1). */
function hasPlace(list: readonly number[], at: number, of: number): boolean {
  return list.includes(at) || list.includes(at - of - 1);
}

/** Returns the weekday. 0 is Monday. Day 0 of 1970 was a Thursday. */
export function weekdayOf(wall: WallTime): number {
  return (((Math.floor(wall / dayMs) + 3) % 7) + 7) % 7;
}

/**
 * Returns the number of a day's week and the number of weeks in its year. The first week has at least four days (ISO
 * 8601).
 */
function weekOf(day: WallTime, weekStart: number): { at: number; of: number } {
  const monday = day - ((weekdayOf(day) - weekStart + 7) % 7) * dayMs;
  const year = new Date(monday + 3 * dayMs).getUTCFullYear();
  const first = firstWeek(year, weekStart);
  const weeks = (firstWeek(year + 1, weekStart) - first) / (7 * dayMs);
  return { at: (monday - first) / (7 * dayMs) + 1, of: weeks };
}

function firstWeek(year: number, weekStart: number): WallTime {
  const fourth = Date.UTC(year, 0, 4);
  return fourth - ((weekdayOf(fourth) - weekStart + 7) % 7) * dayMs;
}
