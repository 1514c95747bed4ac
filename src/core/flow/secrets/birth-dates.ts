import { type FoundDate, comparedDate, datesIn, digitsOfDate } from "./dates.ts";

// Dates of birth. Other dates are no secrets.

const label =
  "born|date of birth|birth ?date|birthday|d\\.?o\\.?b|geboren|geburtsdatum|geburtstag|geb|ne le|nee le|naissance|nacid[oa]|nacio|nacimiento|cumpleanos|nasceu|anniversaire|compleanno|verjaardag|aniversario|nat[oa]|nascita|nascid[oa]|nascimento|geboortedatum|urodzon[ya]|data urodzenia|fodelsedatum|fodd|fodt|дата рождения|родил(?:ся|ась)";
const unspacedLabel = "生年月日|誕生日|出生|生日|생년월일|生於|生于";
const before = new RegExp(
  String.raw`(?:(?<!\p{L})(?:${label})(?!\p{L})|${unspacedLabel})(?:[^\d\n]{0,30}|[ \t:|]*\n\s*)$`,
  "u",
);
/** German, Dutch and Japanese may name the date first. */
const after = /^(?:[^\d.\n]{0,20}(?<!\p{L})geboren(?!\p{L})|\s?日?\s?(?:生まれ|生|出生))/u;
const mostBefore = 60;
const mostAfter = 30;

/** Returns the dates of birth in a normalised text, in digits and in the form in which dates are compared. */
export function birthDatesIn(plain: string): string[] {
  return datesIn(plain)
    .filter((date) => date.year !== undefined && isBirth(plain, date))
    .flatMap((date) => [
      ...new Set([
        comparedDate(date),
        // A month in digits may come first.
        ...(date.day <= 12 ? [comparedDate({ ...date, month: date.day, day: date.month })] : []),
        ...digitsOfDate(date),
        plain.slice(date.start, date.end).replace(/[^\p{L}\p{N}]/gu, ""),
      ]),
    ]);
}

function isBirth(plain: string, { start, end }: FoundDate): boolean {
  return (
    before.test(plain.slice(Math.max(0, start - mostBefore), start)) ||
    after.test(plain.slice(end, end + mostAfter))
  );
}
