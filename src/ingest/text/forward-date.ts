import { dateOf, offsetMinutes } from "../mime/headers.ts";

/**
 * The first letters of each month in the languages of `forward-words.ts`, as many as are needed to distinguish them.
 */
const monthBeginnings: readonly (readonly string[])[] = [
  ["jan", "jän", "ene", "gen", "sty"],
  ["feb", "fév", "fev", "lut"],
  ["mar", "mär", "mrz", "mrt", "maa"],
  ["apr", "avr", "abr", "kwi"],
  ["may", "mai", "mag", "mei", "maj"],
  ["jun", "juin", "giu", "cze"],
  ["jul", "juil", "lug", "lip"],
  ["aug", "aoû", "aou", "ago", "sie"],
  ["sep", "set", "wrz"],
  ["oct", "okt", "out", "ott", "paź"],
  ["nov", "lis"],
  ["dec", "dez", "déc", "dic", "gru"],
];

const afternoon = /(?<![\p{L}])p\.?\s?m\b|午後|下午|晚上|傍晚/iu;
const forenoon = /(?<![\p{L}])a\.?\s?m\b|午前|上午|凌晨|早上|清晨/iu;

interface Day {
  year: number;
  month: number;
  day: number;
}

/**
 * Parses the date in the head of a forwarded message, as mail programs write it for people. A date without a zone is in
 * the forwarder's zone. Undefined if the date is ambiguous.
 */
export function forwardDate(
  text: string,
  forwarderZone: string,
  receivedAt: Date,
): Date | undefined {
  const isExact = /[+-]\d{4}|\bGMT\s*$/.test(text) && !afternoon.test(text) && !forenoon.test(text);
  const exact = isExact ? dateOf(text, receivedAt) : undefined;
  if (exact !== undefined) return exact;
  const line = text.normalize("NFKC").toLowerCase();
  const day = dayIn(line);
  if (day === undefined) return undefined;
  // French `14h31`. The date's own dots and slashes never have a colon.
  const time = /(\d{1,2})\s?(?::|h|時|点)\s?(\d{2})(?:[:分]\s?(\d{2}))?/u.exec(line);
  const hour = hourOf(Number(time?.[1] ?? 0), line);
  const minutes = Number(time?.[2] ?? 0);
  const seconds = Number(time?.[3] ?? 0);
  if (hour > 23 || minutes > 59 || seconds > 60) return undefined;
  const local = Date.UTC(day.year, day.month - 1, day.day, hour, minutes, seconds);
  const zone = zoneIn(text) ?? forwarderZone;
  // The same bounds as for a header, because a later date would keep the mail at the top of every list.
  return dateOf(new Date(local - offsetMinutes(zone) * 60_000).toISOString(), receivedAt);
}

function hourOf(hour: number, line: string): number {
  if (afternoon.test(line)) return hour < 12 ? hour + 12 : hour;
  return forenoon.test(line) && hour === 12 ? 0 : hour;
}

function dayIn(line: string): Day | undefined {
  const eastern = /(\d{4})\s?[年/.-]\s?(\d{1,2})\s?[月/.-]\s?(\d{1,2})/u.exec(line);
  if (eastern !== null) return checked(eastern[1], eastern[2], eastern[3]);
  const dayFirst =
    /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|°)?\.?[\s-]+(?:de\s+|of\s+)?(\p{L}{3,10})\.?,?[\s-]+(?:de\s+|del\s+)?(\d{4})/u.exec(
      line,
    );
  if (dayFirst !== null) return checked(dayFirst[3], monthOf(dayFirst[2] ?? ""), dayFirst[1]);
  const monthFirst = /(\p{L}{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})/u.exec(line);
  if (monthFirst !== null)
    return checked(monthFirst[3], monthOf(monthFirst[1] ?? ""), monthFirst[2]);
  const numeric = /(?<!\d)(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/.exec(line);
  if (numeric === null) return undefined;
  const [, first, mark, second, lastDigits = ""] = numeric;
  // The year is in this century, because older mail is not forwarded in this form.
  const year = lastDigits.length === 2 ? `20${lastDigits}` : lastDigits;
  // American dates have the month first, AM or PM, and slashes.
  const isAmerican =
    mark === "/" && Number(second) > 12
      ? true
      : mark === "/" && Number(first) <= 12 && /\d\s?[ap]\.?m/.test(line);
  return isAmerican ? checked(year, first, second) : checked(year, second, first);
}

function checked(
  year: string | undefined,
  month: string | number | undefined,
  day: string | undefined,
): Day | undefined {
  const found = { year: Number(year), month: Number(month), day: Number(day) };
  const isDate = found.month >= 1 && found.month <= 12 && found.day >= 1 && found.day <= 31;
  return isDate ? found : undefined;
}

function monthOf(word: string): number {
  return (
    monthBeginnings.findIndex((beginnings) => beginnings.some((some) => word.startsWith(some))) + 1
  );
}

/** Returns a zone in the form that `offsetMinutes` accepts. */
function zoneIn(text: string): string | undefined {
  const numeric = /(?:GMT|UTC|\s)\s?([+-])(\d{1,2}):?(\d{2})?(?:\)|\s|$)/.exec(text);
  if (numeric !== null)
    return `${numeric[1]}${(numeric[2] ?? "").padStart(2, "0")}${numeric[3] ?? "00"}`;
  const named =
    /\b(UTC|GMT|[ECMP][SD]T|EES?T|WES?T|CES?T|OES?Z|MES?Z|BST|JST|BRT|HKT|AEDT|AEST)\b/.exec(
      text,
    )?.[1];
  return named;
}
