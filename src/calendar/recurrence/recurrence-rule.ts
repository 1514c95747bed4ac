import type { WallTime } from "../../core/shared/time-zone.ts";

export type Frequency =
  | "YEARLY"
  | "MONTHLY"
  | "WEEKLY"
  | "DAILY"
  | "HOURLY"
  | "MINUTELY"
  | "SECONDLY";

/** A recurrence rule (RFC 5545, section 3.3.10) on one wall clock. Empty lists mean that the part is absent. */
export interface RecurrenceRule {
  freq: Frequency;
  /** At least 1. */
  interval: number;
  count: number | undefined;
  /** The last moment, inclusive, on the wall clock of the rule's start. */
  until: WallTime | undefined;
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
  /** The treatment of a named day in a month that is shorter (RFC 7529, section 4.1). */
  skip: "OMIT" | "BACKWARD" | "FORWARD";
}
