import { type FoundDate, datesOf } from "../secrets/dates.ts";
import type { TrustedReading } from "../reading/readings.ts";
import { digitsIn, isDigit } from "../reading/tokens.ts";

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

/** The characters beside a number that the forms above look at. */
const mostBeside = 3;

/** Returns the part of a text that has its digits. Most questions have few, and the forms search only there. */
function withDigits(text: string): string {
  let [first, last] = [0, text.length - 1];
  while (first < last && !isDigit(text.charCodeAt(first))) first += 1;
  while (last > first && !isDigit(text.charCodeAt(last))) last -= 1;
  return text.slice(Math.max(0, first - mostBeside), last + 1 + mostBeside);
}

/** Returns the parts of dates in a text. */
export function datePartsOf(readings: readonly TrustedReading[]): DateParts {
  const plain = readings.filter(({ trust, text }) => trust === "plain" && digitsIn(text) > 0);
  if (plain.length === 0) return nothing;
  const days: { month: number; day: number }[] = plain
    .flatMap(datesOf)
    .filter(({ year }) => year === undefined);
  const parts = new Set(plain.map(({ text }) => withDigits(text)));
  const years = new Set<number>();
  const numbers = new Set<number>();
  for (const text of parts) {
    for (const [year] of matchesOf(yearForm, text)) years.add(Number(year));
    for (const [number] of matchesOf(numberForm, text)) numbers.add(Number(number));
    for (const [, one, other] of matchesOf(dayForm, text)) {
      days.push({ day: Number(one), month: Number(other) });
      days.push({ day: Number(other), month: Number(one) });
    }
  }
  return { years: [...years], days, numbers: [...numbers] };
}

/** Returns what `matchAll` returns, which would copy the form. Most texts have at most one match of each. */
function matchesOf(form: RegExp, text: string): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  form.lastIndex = 0;
  for (let match = form.exec(text); match !== null; match = form.exec(text)) found.push(match);
  return found;
}
