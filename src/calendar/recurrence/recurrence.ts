import { dayMs, type WallTime } from "../../core/shared/time-zone.ts";
import type { RecurrenceRule } from "./recurrence-rule.ts";
import { dayFits, weekdayOf } from "./rule-days.ts";
import { createStepLimit, type StepLimit } from "./step-limit.ts";

/** Limit on times that a rule may name per day or hour: one per minute. A rule with more is an attack. */
const maxTimesOfDay = 1_440;
/** Limit on times per period: fifty on each day of a year. They are computed together. */
const maxTimesOfPeriod = 20_000;
/** Steps within one period between two pauses. */
const stepsBetweenPauses = 300;
/** The last possible occurrence, within the range of Date. */
const endOfTime = Date.UTC(9999, 11, 31);

const fixedSteps = { DAILY: dayMs, HOURLY: 3_600_000, MINUTELY: 60_000, SECONDLY: 1_000 } as const;

/**
 * Yields the wall-clock starts of a rule in order between `from` and `to`. The rule's own start comes first, even if
 * the rule does not name it (RFC 5545, section 3.8.5.3) or it is before `from`. Yields undefined between two periods,
 * and within long ones, so that the caller can pause.
 * @param isExact yields the rule's own start only if the rule names it, as rules that exclude starts do
 * @throws {Error} if the step limit is reached
 */
export function* occurrences(
  rule: RecurrenceRule,
  start: WallTime,
  from: WallTime,
  to: WallTime = endOfTime,
  limit: StepLimit = createStepLimit(),
  isExact = false,
): Generator<WallTime | undefined> {
  let left = rule.count ?? Infinity;
  const last = Math.min(rule.until ?? endOfTime, to);
  if (left < 1) return;
  if (!isExact) {
    yield start;
    left -= 1;
  }
  const full = withDefaults(rule, start);
  const positions = new Set(rule.bySetPos);
  let previous = -Infinity;
  let period = rule.count === undefined ? periodsBefore(rule, start, from) : 0;
  while (left > 0) {
    limit.spend(1);
    const { begin, times, skip } = yield* periodAt(full, start, period, limit);
    if (begin > last) return;
    for (const wall of picked(times, positions)) {
      if (wall < start || (wall === start && !isExact)) continue;
      if (wall > last || left === 0) return;
      // A day that was moved into the next month may be named there too.
      if (wall <= previous) continue;
      previous = wall;
      left -= 1;
      // Earlier starts count but are not yielded.
      if (wall >= from) yield wall;
    }
    period += skip;
    yield undefined;
  }
}

function tooComplicated(): Error {
  return new Error("the recurrence rule is too complicated");
}

/** Fills in missing parts from the start (RFC 5545, section 3.3.10). */
function withDefaults(rule: RecurrenceRule, start: WallTime): RecurrenceRule {
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

/** Returns how many periods end well before `from` and can be skipped. */
function periodsBefore(
  { freq, interval }: RecurrenceRule,
  start: WallTime,
  from: WallTime,
): number {
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
  begin: WallTime;
  /** In order. */
  times: WallTime[];
  /** Periods to advance: more than one if a whole day or hour is excluded. */
  skip: number;
}

function* periodAt(
  rule: RecurrenceRule,
  start: WallTime,
  period: number,
  limit: StepLimit,
): Generator<undefined, Period> {
  const at = new Date(start);
  const step = period * rule.interval;
  const dayOf = (wall: WallTime): number => Math.floor(wall / dayMs);
  switch (rule.freq) {
    case "YEARLY": {
      const year = at.getUTCFullYear() + step;
      const begin = Date.UTC(year, 0);
      const inMonths = rule.skip !== "OMIT" && rule.byMonthDay.length > 0;
      if (rule.byMonth.length === 0 && !inMonths)
        return yield* daysOf(rule, begin, Date.UTC(year + 1, 0), limit);
      // Each named month costs a twelfth of a year.
      const months =
        rule.byMonth.length === 0 ? everyMonth : rule.byMonth.toSorted((a, b) => a - b);
      const times: WallTime[] = [];
      for (const month of months)
        times.push(...(yield* monthOf(rule, year, month - 1, limit)).times);
      return { begin, times, skip: 1 };
    }
    case "MONTHLY": {
      const month = at.getUTCMonth() + step;
      return yield* monthOf(rule, at.getUTCFullYear(), month, limit);
    }
    case "WEEKLY": {
      const back = (weekdayOf(start) - rule.weekStart + 7) % 7;
      const begin = (dayOf(start) - back + step * 7) * dayMs;
      return yield* daysOf(rule, begin, begin + 7 * dayMs, limit);
    }
    case "DAILY": {
      const begin = (dayOf(start) + step) * dayMs;
      return yield* daysOf(rule, begin, begin + dayMs, limit);
    }
    case "HOURLY":
    case "MINUTELY":
    case "SECONDLY":
      return withinDay(rule, start, step, limit);
  }
}

const everyMonth = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

/**
 * Lists the times of one month.
 * @param month 0 is January. Numbers beyond December are months of later years.
 */
function* monthOf(
  rule: RecurrenceRule,
  year: number,
  month: number,
  limit: StepLimit,
): Generator<undefined, Period> {
  const [begin, end] = [Date.UTC(year, month), Date.UTC(year, month + 1)];
  const found = yield* daysOf(rule, begin, end, limit);
  const day = substituteDay(rule, begin, end);
  if (day === undefined) return found;
  const times = new Set([...found.times, ...timesOfDay(rule, day, limit)]);
  return { ...found, times: [...times].toSorted((one, other) => one - other) };
}

/** Returns the day that replaces named days which a month lacks: its last one, or the first of the next month. */
function substituteDay(rule: RecurrenceRule, begin: WallTime, end: WallTime): WallTime | undefined {
  const days = (end - begin) / dayMs;
  if (rule.skip === "OMIT" || !rule.byMonthDay.some((day) => day > days)) return undefined;
  const day = rule.skip === "FORWARD" ? end : end - dayMs;
  // The days of a month are replaced before BYDAY limits them.
  return dayFits({ ...rule, byMonth: [], byMonthDay: [] }, day) ? day : undefined;
}

function* daysOf(
  rule: RecurrenceRule,
  begin: WallTime,
  end: WallTime,
  limit: StepLimit,
): Generator<undefined, Period> {
  const times: WallTime[] = [];
  const cost = costOfDay(rule);
  let pauseAt = limit.left - stepsBetweenPauses;
  for (let day = begin; day < end; day += dayMs) {
    limit.spend(cost);
    if (dayFits(rule, day)) {
      const more = timesOfDay(rule, day, limit);
      if (times.length + more.length > maxTimesOfPeriod) throw tooComplicated();
      times.push(...more);
    }
    if (limit.left > pauseAt) continue;
    yield undefined;
    pauseAt = limit.left - stepsBetweenPauses;
  }
  return { begin, times, skip: 1 };
}

/** Returns the cost of checking one day. Rules that name many days cost most. */
function costOfDay({ byDay, byMonthDay, byYearDay, byWeekNo }: RecurrenceRule): number {
  return 1 + (byDay.length + byMonthDay.length + byYearDay.length + byWeekNo.length) / 50;
}

/** Lists the times of a day. Their cost is charged first, because it grows with the product of the lists. */
function timesOfDay(
  { byHour, byMinute, bySecond }: RecurrenceRule,
  day: WallTime,
  limit: StepLimit,
): WallTime[] {
  const size = byHour.length * byMinute.length * bySecond.length;
  if (size > maxTimesOfDay) throw tooComplicated();
  limit.spend(size);
  if (size === 1) {
    return [timeAt(day, byHour[0], byMinute[0], bySecond[0])];
  }
  const times = byHour.flatMap((hour) =>
    byMinute.flatMap((minute) => bySecond.map((second) => timeAt(day, hour, minute, second))),
  );
  return [...new Set(times)].toSorted((one, other) => one - other);
}

function timeAt(day: WallTime, hour = 0, minute = 0, second = 0): WallTime {
  return day + ((hour * 60 + minute) * 60 + second) * 1000;
}

/**
 * Expands HOURLY, MINUTELY and SECONDLY rules. Excluded days and hours are skipped, so that a filter on days is cheap.
 */
function withinDay(rule: RecurrenceRule, start: WallTime, step: number, limit: StepLimit): Period {
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
  limit.spend(costOfDay(rule));
  if (!dayFits(rule, Math.floor(begin / dayMs) * dayMs)) return nothing(dayMs);
  if (!allows(rule.byHour, at.getUTCHours())) return nothing(3_600_000);
  if (freq === "HOURLY") {
    const { byMinute, bySecond } = rule;
    const hour = { ...rule, byHour: [0], byMinute, bySecond };
    return { begin, times: timesOfDay(hour, begin, limit), skip: 1 };
  }
  if (!allows(rule.byMinute, at.getUTCMinutes())) return nothing(60_000);
  if (freq === "MINUTELY") {
    limit.spend(rule.bySecond.length);
    return {
      begin,
      times: rule.bySecond.map((second) => begin + second * 1000).toSorted((a, b) => a - b),
      skip: 1,
    };
  }
  if (!allows(rule.bySecond, at.getUTCSeconds())) return { begin, times: [], skip: 1 };
  return { begin, times: [begin], skip: 1 };
}

function picked(times: readonly WallTime[], positions: ReadonlySet<number>): readonly WallTime[] {
  if (positions.size === 0) return times;
  return times.filter((_time, at) => positions.has(at + 1) || positions.has(at - times.length));
}
