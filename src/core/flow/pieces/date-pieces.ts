import type { Hasher } from "../hasher.ts";
import type { Outgoing } from "../hit.ts";
import { comparedDate } from "../secrets/dates.ts";
import type { TrustedReading } from "../reading/readings.ts";
import { piecesOf } from "./pieces.ts";

// Dates whose day and year are sent apart.

/** Earlier texts that may have another part of a date. */
const mostEarlier = 4;
/** The same for days and months in digits, of which a text must have few. Most texts have some number. */
const mostEarlierInDigits = 2;
const mostNumbers = 2;
/** Limit on dates that are composed for one text. */
const mostDates = 60;

/** Returns the dates that this text and the earlier ones have together, and none of them alone. */
export function joinedDates(
  { text, earlier }: Outgoing,
  readings: readonly TrustedReading[],
  hasher: Hasher,
): readonly string[] {
  const own = piecesOf(text, hasher, readings).dateParts;
  const isPart = own.years.length > 0 || own.days.length > 0 || own.numbers.length > 0;
  if (!isPart) return [];
  const texts = earlier.slice(-mostEarlier).map((each) => piecesOf(each, hasher).dateParts);
  texts.push(own);
  const found = new Set<string>();
  const add = (year: number, month: number, day: number): void => {
    if (found.size < mostDates && month > 0 && month <= 12 && day > 0 && day <= 31)
      found.add(comparedDate({ year, month, day }));
  };
  // One of the parts is in the new text. The others were compared when they were sent.
  const haveDays = texts.some(({ days }) => days.length > 0);
  for (const { years } of haveDays ? texts : [])
    for (const { days } of texts)
      if (years === own.years || days === own.days)
        for (const year of years) for (const { month, day } of days) add(year, month, day);
  const near = texts
    .slice(-mostEarlierInDigits - 1)
    .filter(({ numbers }) => numbers.length <= mostNumbers);
  for (const { years } of near)
    for (const { numbers: ones } of near)
      for (const { numbers: others } of near)
        if (years === own.years || ones === own.numbers || others === own.numbers)
          for (const year of years)
            for (const one of ones) for (const other of others) add(year, one, other);
  return [...found];
}
