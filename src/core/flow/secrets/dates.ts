import { wordTable } from "../../shared/text/word-table.ts";
import { type Reading, type Span, replacedAt } from "../reading/reading.ts";
import { isDigit } from "../reading/tokens.ts";

// Dates with a year, in digits and in words. The spelling is that of `normalised`.

/** The names and short names of each month in the languages whose frequent words are known. */
const names = [
  "january|januar|januari|janvier|enero|gennaio|janeiro|stycznia|jan|janv|ene|gen|sty",
  "february|februar|februari|fevrier|febrero|febbraio|fevereiro|lutego|feb|fevr|fev|lut",
  "march|marz|maerz|maart|mars|marzo|marco|marca|mar|mrt|mrz",
  "april|avril|abril|aprile|kwietnia|apr|avr|abr|kwi",
  "may|mai|mei|maj|mayo|maggio|maio|maja|mag",
  "june|juni|juin|junio|giugno|junho|czerwca|jun|giu|cze",
  "july|juli|juillet|julio|luglio|julho|lipca|jul|juil|lug|lip",
  "august|augustus|augusti|aout|agosto|sierpnia|aug|ago|sie",
  "september|septembre|septiembre|setiembre|settembre|setembro|wrzesnia|sept|sep|set|wrz",
  "october|oktober|octobre|octubre|ottobre|outubro|pazdziernika|oct|okt|ott|out|paz",
  "november|novembre|noviembre|novembro|listopada|nov|lis",
  "december|dezember|decembre|diciembre|dicembre|dezembro|grudnia|dec|dez|dic|gru",
];
const months = wordTable(
  Object.fromEntries(
    names.flatMap((row, at) => row.split("|").map((name): [string, number] => [name, at + 1])),
  ),
);
/** Longer names first, because short ones are their beginnings. */
const month = Object.keys(months)
  .toSorted((one, other) => other.length - one.length)
  .join("|");
/** The most characters of a month and of the separators between it and its day. */
const mostBeforeDay = Math.max(...Object.keys(months).map(({ length }) => length)) + 2;
const of = String.raw`(?:\s?(?:of|de|del|di|do|da)\s|[-./, ]{0,2})`;
const [dayFirst, monthFirst, inDigits, inHan] = [
  String.raw`(?<d1>\d{1,2})(?:st|nd|rd|th|er|[ªº°])?${of}(?<m1>${month})(?!\p{L})`,
  String.raw`(?<!\p{L})(?<m2>${month})[-. ]{1,2}(?<d2>\d{1,2})(?:st|nd|rd|th)?(?!\d)`,
  String.raw`(?<n1>\d{1,4})[-./ ]{1,2}(?<n2>\d{1,2})[-./ ]{1,2}(?<n3>\d{4}|\d{2})`,
  String.raw`(?:(?<y4>\d{4})\s?[年년]\s?)?(?<m4>\d{1,2})\s?[月월]\s?(?<d4>\d{1,2})`,
];
const yearAfter = String.raw`(?:${of}'?(?<y>\d{4}|\d{2}))?`;
/** Sticky, because each date begins with a digit or a month, and a search would try every place of a text. */
const form = new RegExp(
  String.raw`(?<!\d)(?:(?:${dayFirst}|${monthFirst})${yearAfter}|${inDigits}|${inHan})(?!\d)`,
  "uy",
);

/** The beginnings of months, as numbers. A look-up of each word of a text would take longer than all other forms of dates. */
const beginningNumbers = new Set(Object.keys(months).map((name) => beginningOf(name)));
const isBeginning = Uint8Array.from({ length: 1 << 15 }, (_, at) =>
  beginningNumbers.has(at) ? 1 : 0,
);

/** Returns a number of 15 bits for the first three letters of a word. @param at the place of the word in a text */
function beginningOf(text: string, at = 0): number {
  return (
    ((text.charCodeAt(at) & 31) << 10) |
    ((text.charCodeAt(at + 1) & 31) << 5) |
    (text.charCodeAt(at + 2) & 31)
  );
}

/** Returns whether a word is the name of a month. */
export function isMonth(word: string): boolean {
  return word.length > 2 && isBeginning[beginningOf(word)] === 1 && months[word] !== undefined;
}

/** Returns whether a date may begin at a place. */
function mayBegin(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  if (isDigit(unit)) return !isDigit(before);
  return isLowerCase(unit) && !isLowerCase(before) && isBeginning[beginningOf(text, at)] === 1;
}

function isLowerCase(unit: number): boolean {
  return unit >= 0x61 && unit <= 0x7a;
}

/** A date in a text. Undefined parts are not named. */
export interface FoundDate extends Span {
  year: number | undefined;
  month: number;
  day: number;
}

/** Two digits are the year of an old or young person rather than one of the last century's first years. */
const firstOfLastCentury = 31;

function yearOf(digits: string): number {
  const year = Number(digits);
  if (digits.length === 4) return year;
  return year < firstOfLastCentury ? 2_000 + year : 1_900 + year;
}

const [firstYear, lastYear] = [1_900, 2_099];

/** Returns the dates of a text, in its order. A date without a year has its month in words. */
export function datesIn(plain: string): FoundDate[] {
  let [first, last] = [0, plain.length - 1];
  while (first <= last && !isDigit(plain.charCodeAt(first))) first += 1;
  while (last > first && !isDigit(plain.charCodeAt(last))) last -= 1;
  const found: FoundDate[] = [];
  // Each date begins with a digit, or with a month before one. Most texts have few digits.
  for (let at = Math.max(0, first - mostBeforeDay); at <= last; at += 1) {
    if (!mayBegin(plain, at)) continue;
    form.lastIndex = at;
    const match = form.exec(plain);
    if (match === null) continue;
    const { 0: whole, index, groups: own = {} } = match;
    at += whole.length - 1;
    const digits = own["y"] ?? own["y4"];
    let year = digits === undefined ? undefined : yearOf(digits);
    let named = months[own["m1"] ?? own["m2"] ?? ""] ?? Number(own["m4"]);
    let day = Number(own["d1"] ?? own["d2"] ?? own["d4"]);
    const { n1, n2, n3 } = own;
    if (n1 !== undefined && n2 !== undefined && n3 !== undefined) {
      const isYearFirst = n1.length === 4;
      if (n1.length === 3 || (isYearFirst && n3.length === 4)) continue;
      year = yearOf(isYearFirst ? n1 : n3);
      [day, named] = isYearFirst ? [Number(n3), Number(n2)] : [Number(n1), Number(n2)];
      // Americans write the month first.
      if (named > 12) [day, named] = [named, day];
    }
    const isYear = year === undefined || (year >= firstYear && year <= lastYear);
    if (!isYear || named < 1 || named > 12 || day < 1 || day > 31) continue;
    found.push({ year, month: named, day, start: index, end: index + whole.length });
  }
  return found;
}

/** Letters of Ogham stand for digits, so that a date equals no part of another number. */
const zero = 0x16_81;
const two = (number: number): string => String(number).padStart(2, "0");
const letters = Array.from({ length: 10 }, (_, digit) => String.fromCodePoint(zero + digit));

function inLetters(digits: string): string {
  let text = "";
  for (let at = 0; at < digits.length; at += 1) text += letters[digits.charCodeAt(at) - 0x30] ?? "";
  return text;
}

/** Returns the form in which a date is compared. */
export function comparedDate({ year, month, day }: Omit<FoundDate, keyof Span>): string {
  return inLetters(`${year ?? ""}${two(month)}${two(day)}`);
}

/** Returns the digits of a date in each usual order. */
export function digitsOfDate({ year, month, day }: Omit<FoundDate, keyof Span>): string[] {
  const [y, m, d] = [String(year ?? ""), two(month), two(day)];
  return [y + m + d, d + m + y, m + d + y];
}

/** The dates of the last texts, because a comparison needs those of each reading twice. */
const lastDates = new Map<string, readonly FoundDate[]>();
const mostLast = 100;

/** Returns the dates of a reading, which are computed once. */
export function datesOf({ text }: Reading): readonly FoundDate[] {
  let found = lastDates.get(text);
  if (found === undefined) {
    if (lastDates.size >= mostLast) lastDates.clear();
    lastDates.set(text, (found = datesIn(text)));
  }
  return found;
}

/** Reads dates in the form in which they are compared. Undefined if there are none. */
export function datesCompared(source: Reading): Reading | undefined {
  const changes = datesOf(source)
    .filter(({ year }) => year !== undefined)
    .map((date) => ({ start: date.start, end: date.end, text: ` ${comparedDate(date)} ` }));
  return replacedAt(source, changes);
}
