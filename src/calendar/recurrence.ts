import { dayMs, type Wall } from "../core/time-zone.ts";
import { dayFits, weekdayOf } from "./rule-days.ts";

export type Frequency =
  | "YEARLY"
  | "MONTHLY"
  | "WEEKLY"
  | "DAILY"
  | "HOURLY"
  | "MINUTELY"
  | "SECONDLY";

/** A recurrence rule (RFC 5545, section 3.3.10) on one wall clock. Empty lists mean that the part is absent. */
export interface Rule {
  freq: Frequency;
  /** At least 1. */
  interval: number;
  count: number | undefined;
  /** The last moment, inclusive, on the wall clock of the rule's start. */
  until: Wall | undefined;
  /** 0 is Monday. */
  weekStart: number;
  bySecond: readonly number[];
  byMinute: readonly number[];
  byHour: readonly number[];
  /** `nth` is 0 for every such weekday. */
  byDay: readonly { weekday: number; nth: number }[];
  byMonthDay: readonly number[];
  byYearDay: readonly number[];
  byWeekNo: readonly number[];
  /** 1 is January. */
  byMonth: readonly number[];
  bySetPos: readonly number[];
}

/**
 * Times that one rule may make, and periods without any that it may step through: about 500 years of days. A rule that
 * needs more is not a calendar's.
 */
const maxSteps = 200_000;
/** Times that the lists of a rule may name in a day or an hour: one a minute. A rule that names more wants only to cost. */
const maxTimesOfDay = 1_440;
/** No occurrence lies later; keeps arithmetic within what a Date can hold. */
const endOfTime = Date.UTC(9999, 11, 31);

const fixedSteps = { DAILY: dayMs, HOURLY: 3_600_000, MINUTELY: 60_000, SECONDLY: 1_000 } as const;

/**
 * The wall-clock starts of a rule in order, the rule's own start first (it counts even where the rule does not name it: RFC
 * 5545, section 3.8.5.3). Nothing after `to`, and nothing else before `from`.
 * @throws Error where the rule steps through too many periods, or makes too many times
 */
export function* occurrences(
  rule: Rule,
  start: Wall,
  from: Wall,
  to: Wall = endOfTime,
): Generator<Wall> {
  let left = rule.count ?? Infinity;
  const last = Math.min(rule.until ?? endOfTime, to);
  if (left < 1) return;
  yield start;
  left -= 1;
  const full = withDefaults(rule, start);
  let period = rule.count === undefined ? periodsBefore(rule, start, from) : 0;
  const budget: Budget = { steps: maxSteps };
  while (left > 0) {
    const { begin, times, skip } = periodAt(full, start, period, budget);
    if (times.length === 0) spend(budget, 1);
    if (begin > last) return;
    for (const wall of picked(times, rule.bySetPos)) {
      if (wall <= start) continue;
      if (wall > last || left === 0) return;
      left -= 1;
      // What lies before counts, and nobody asked for it.
      if (wall >= from) yield wall;
    }
    period += skip;
  }
}

/** What a rule may still cost. */
interface Budget {
  steps: number;
}

function spend(budget: Budget, steps: number): void {
  budget.steps -= steps;
  if (budget.steps < 0) throw tooComplicated();
}

function tooComplicated(): Error {
  return new Error("the recurrence rule is too complicated");
}

/** What the rule does not say comes from its start (RFC 5545, section 3.3.10). */
function withDefaults(rule: Rule, start: Wall): Rule {
  const at = new Date(start);
  const { freq, byMonth, byMonthDay, byYearDay, byWeekNo, byDay } = rule;
  const filled = { ...rule };
  const daysAreGiven = byMonthDay.length + byYearDay.length + byDay.length > 0;
  if (freq === "WEEKLY" || (freq === "YEARLY" && byWeekNo.length > 0)) {
    if (!daysAreGiven) filled.byDay = [{ weekday: weekdayOf(start), nth: 0 }];
  } else if ((freq === "YEARLY" || freq === "MONTHLY") && !daysAreGiven) {
    filled.byMonthDay = [at.getUTCDate()];
    if (freq === "YEARLY" && byMonth.length === 0) filled.byMonth = [at.getUTCMonth() + 1];
  }
  if (freq === "SECONDLY") return filled;
  if (rule.bySecond.length === 0) filled.bySecond = [at.getUTCSeconds()];
  if (freq === "MINUTELY") return filled;
  if (rule.byMinute.length === 0) filled.byMinute = [at.getUTCMinutes()];
  if (freq !== "HOURLY" && rule.byHour.length === 0) filled.byHour = [at.getUTCHours()];
  return filled;
}

/** How many periods can be left out because they end well before `from`. */
function periodsBefore({ freq, interval }: Rule, start: Wall, from: Wall): number {
  const [first, then] = [new Date(start), new Date(from)];
  const years = then.getUTCFullYear() - first.getUTCFullYear();
  const units =
    freq === "YEARLY"
      ? years
      : freq === "MONTHLY"
        ? years * 12 + then.getUTCMonth() - first.getUTCMonth()
        : (from - start) / (freq === "WEEKLY" ? 7 * dayMs : fixedSteps[freq]);
  return Math.max(0, Math.floor(units / interval) - 1);
}

interface Period {
  begin: Wall;
  /** In order. */
  times: Wall[];
  /** Periods to go on: more than one where a whole day or hour is ruled out. */
  skip: number;
}

function periodAt(rule: Rule, start: Wall, period: number, budget: Budget): Period {
  const at = new Date(start);
  const step = period * rule.interval;
  const dayOf = (wall: Wall): number => Math.floor(wall / dayMs);
  switch (rule.freq) {
    case "YEARLY": {
      const year = at.getUTCFullYear() + step;
      const begin = Date.UTC(year, 0);
      if (rule.byMonth.length === 0) return daysOf(rule, begin, Date.UTC(year + 1, 0), budget);
      // The months that are named are a twelfth of the work each.
      const months = rule.byMonth.toSorted((one, other) => one - other);
      const times = months.flatMap(
        (month) => daysOf(rule, Date.UTC(year, month - 1), Date.UTC(year, month), budget).times,
      );
      return { begin, times, skip: 1 };
    }
    case "MONTHLY": {
      const month = at.getUTCMonth() + step;
      const year = at.getUTCFullYear();
      return daysOf(rule, Date.UTC(year, month), Date.UTC(year, month + 1), budget);
    }
    case "WEEKLY": {
      const back = (weekdayOf(start) - rule.weekStart + 7) % 7;
      const begin = (dayOf(start) - back + step * 7) * dayMs;
      return daysOf(rule, begin, begin + 7 * dayMs, budget);
    }
    case "DAILY": {
      const begin = (dayOf(start) + step) * dayMs;
      return daysOf(rule, begin, begin + dayMs, budget);
    }
    case "HOURLY":
    case "MINUTELY":
    case "SECONDLY":
      return withinDay(rule, start, step, budget);
  }
}

function daysOf(rule: Rule, begin: Wall, end: Wall, budget: Budget): Period {
  const times: Wall[] = [];
  for (let day = begin; day < end; day += dayMs) {
    if (dayFits(rule, day)) times.push(...timesOfDay(rule, day, budget));
  }
  return { begin, times, skip: 1 };
}

/** Paid for before they are made: what a day names grows with the product of the lists. */
function timesOfDay({ byHour, byMinute, bySecond }: Rule, day: Wall, budget: Budget): Wall[] {
  const size = byHour.length * byMinute.length * bySecond.length;
  if (size > maxTimesOfDay) throw tooComplicated();
  spend(budget, size);
  if (size === 1) {
    return [timeAt(day, byHour[0], byMinute[0], bySecond[0])];
  }
  const times = byHour.flatMap((hour) =>
    byMinute.flatMap((minute) => bySecond.map((second) => timeAt(day, hour, minute, second))),
  );
  return [...new Set(times)].toSorted((one, other) => one - other);
}

function timeAt(day: Wall, hour = 0, minute = 0, second = 0): Wall {
  return day + ((hour * 60 + minute) * 60 + second) * 1000;
}

/** HOURLY, MINUTELY and SECONDLY: what the rule leaves out is jumped over, so that a filter on days costs no seconds. */
function withinDay(rule: Rule, start: Wall, step: number, budget: Budget): Period {
  const { freq, interval } = rule;
  const unit = freq === "HOURLY" ? 3_600_000 : freq === "MINUTELY" ? 60_000 : 1_000;
  const begin = Math.floor(start / unit) * unit + step * unit;
  const at = new Date(begin);
  const allows = (list: readonly number[], value: number): boolean =>
    list.length === 0 || list.includes(value);
  const nothing = (size: number): Period => {
    const next = (Math.floor(begin / size) + 1) * size;
    return { begin, times: [], skip: Math.max(1, Math.ceil((next - begin) / (unit * interval))) };
  };
  if (!dayFits(rule, Math.floor(begin / dayMs) * dayMs)) return nothing(dayMs);
  if (!allows(rule.byHour, at.getUTCHours())) return nothing(3_600_000);
  if (freq === "HOURLY") {
    const { byMinute, bySecond } = rule;
    const hour = { ...rule, byHour: [0], byMinute, bySecond };
    return { begin, times: timesOfDay(hour, begin, budget), skip: 1 };
  }
  if (!allows(rule.byMinute, at.getUTCMinutes())) return nothing(60_000);
  if (freq === "MINUTELY") {
    spend(budget, rule.bySecond.length);
    return {
      begin,
      times: rule.bySecond.map((second) => begin + second * 1000).toSorted((a, b) => a - b),
      skip: 1,
    };
  }
  if (!allows(rule.bySecond, at.getUTCSeconds())) return { begin, times: [], skip: 1 };
  spend(budget, 1);
  return { begin, times: [begin], skip: 1 };
}

function picked(times: readonly Wall[], positions: readonly number[]): readonly Wall[] {
  if (positions.length === 0) return times;
  const wanted = new Set(positions);
  return times.filter((_time, at) => wanted.has(at + 1) || wanted.has(at - times.length));
}
