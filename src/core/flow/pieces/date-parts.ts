import { type FoundDate, datesOf } from "../secrets/dates.ts";
import type { TrustedReading } from "../reading/readings.ts";

/** The parts of dates that one text has. */
export interface DateParts {
  years: readonly number[];
  /** Days with their month. */
  days: readonly Pick<FoundDate, "month" | "day">[];
  /** Numbers that may be a day or a month. */
  numbers: readonly number[];
}

const nothing: DateParts = { years: [], days: [], numbers: [] };
const yearForm = /(?<![\d.,])(?:19|20)\d\d(?!\d|[.,]\d)/g;
/** A day and month in digits. Years have another form. */
const dayForm = /(?<![\d.,])(?!19|20\d\d)(\d\d)(\d\d)(?!\d|[.,]\d)/g;
const numberForm = /(?<![\p{L}\d.,:])\d{1,2}(?![\p{L}\d:%]|[.,]\d)/gu;

/** Returns the parts of dates in a text. */
export function datePartsOf(readings: readonly TrustedReading[]): DateParts {
  const plain = readings.filter(({ trust, text }) => trust === "plain" && /\d/.test(text));
  if (plain.length === 0) return nothing;
  const days = plain.flatMap(datesOf).filter(({ year }) => year === undefined);
  const inDigits = plain.flatMap(({ text }) =>
    Array.from(text.matchAll(dayForm)).flatMap(([, one, other]) => [
      { day: Number(one), month: Number(other) },
      { day: Number(other), month: Number(one) },
    ]),
  );
  const all = (form: RegExp): number[] => [
    ...new Set(
      plain.flatMap(({ text }) => Array.from(text.matchAll(form), ([one]) => Number(one))),
    ),
  ];
  return { years: all(yearForm), days: [...days, ...inDigits], numbers: all(numberForm) };
}
