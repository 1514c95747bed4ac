import { type Change, type Reading, replacedAt } from "../reading/reading.ts";
import type { Token } from "../reading/tokens.ts";
import { saidTogether } from "../spelling/respell.ts";
import { spokenPhrases } from "../spelling/number-words.ts";
import { isMonth } from "./dates.ts";

// The day of a date, and a year in one word, that are written in words. The spelling is that of `normalised`.

const english =
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth";
const odd =
  "thirtieth=30 erste=1 dritte=3 siebte=7 achte=8 premier=1 primero=1 primo=1 primeiro=1 eerste=1 derde=3 achtste=8";
const ordinals = new Map<string, number>([
  ...english.split(" ").map((word, at): [string, number] => [word, at + 1]),
  ...odd.split(" ").map((pair): [string, number] => {
    const [word = "", value = ""] = pair.split("=");
    return [word, Number(value)];
  }),
]);
/** The endings of German and Dutch ordinals. */
const ending = /(?:st|t|d)e$/;
const ordinalEnding = /[td]e[rnms]?$/;
const german = /(?<=e)[rnms]$/;

const lastDay = 31;
/** Words of a day, such as `treinta y uno`. */
const mostWords = 3;
/** Words between a day and its month, such as in `the fifth of May`. */
const between = new Set(["of", "the", "de", "del", "di", "den", "dem"]);

function cardinal(words: string): number {
  return Number(spokenPhrases.get(words) ?? Number.NaN);
}

/** Returns the day of the month that these words name. Not a number for other words. */
function dayOf(words: readonly string[]): number {
  const last = (words.at(-1) ?? "").replace(german, "");
  const before = words.slice(0, -1).join(" ");
  const ordinal = ordinals.get(last);
  const own = ordinal ?? cardinal([before, last.replace(ending, "")].join(" ").trim());
  if (before === "") return own;
  const tens = cardinal(before);
  if (ordinal !== undefined) return ordinal < 10 && tens % 10 === 0 ? tens + ordinal : Number.NaN;
  const whole = cardinal(words.join(" "));
  return Number.isNaN(whole) ? own : whole;
}

function isDay(day: number): boolean {
  return day >= 1 && day <= lastDay;
}

/** Returns the longest day in words that ends or begins at a token. */
function dayAt(tokens: readonly Token[], at: number, step: 1 | -1): Change | undefined {
  let place = at;
  if (between.has(tokens[place]?.text ?? "")) place += step;
  if (between.has(tokens[place]?.text ?? "")) place += step;
  const nearest = tokens[place]?.text ?? "";
  if (!ordinals.has(nearest) && !spokenPhrases.has(nearest) && !ordinalEnding.test(nearest))
    return undefined;
  for (let count = mostWords; count > 0; count -= 1) {
    const first = step > 0 ? place : place - count + 1;
    const words = first < 0 ? [] : tokens.slice(first, first + count);
    if (words.length < count || words.some(({ hasDigit }) => hasDigit)) continue;
    const day = dayOf(words.map(({ text }) => text));
    const [start, end] = [words[0]?.start, words.at(-1)?.end];
    if (isDay(day) && start !== undefined && end !== undefined)
      return { start, end, text: String(day) };
  }
  return undefined;
}

const yearForm = /^(?:19|20)\d\d$/;
const longestYear = 40;
/** Words of the second number of a year, such as `ochenta y uno`. */
const mostWordsOfYear = 3;

/** Returns a year of two numbers in words: `nineteen eighty-two`, or in one word `negentientweeentachtig`. */
function yearAt(tokens: readonly Token[], at: number): Change | undefined {
  const token = tokens[at];
  if (token === undefined || token.hasDigit || token.text.length > longestYear) return undefined;
  const { start } = token;
  const century = spokenPhrases.get(token.text);
  if (century === undefined) {
    const text = saidTogether(token.text)
      .map((word) => spokenPhrases.get(word) ?? "")
      .join("");
    return yearForm.test(text) ? { start, end: token.end, text } : undefined;
  }
  for (let count = mostWordsOfYear; count > 0; count -= 1) {
    const words = tokens.slice(at + 1, at + 1 + count);
    const text = century + (spokenPhrases.get(words.map((word) => word.text).join(" ")) ?? "");
    const end = words.at(-1)?.end;
    if (yearForm.test(text) && end !== undefined) return { start, end, text };
  }
  return undefined;
}

/** Reads days in words next to the name of a month as digits. Undefined if there are none. */
export function daysInDigits(source: Reading): Reading | undefined {
  const tokens = source.tokens();
  const changes: Change[] = [];
  // A loop over the entries of the list would make an object for each word.
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined || token.hasDigit || !isMonth(token.text)) continue;
    const day = dayAt(tokens, at - 1, -1);
    const after = day === undefined ? dayAt(tokens, at + 1, 1) : undefined;
    const next = tokens.findIndex(({ start }) => start >= (after?.end ?? token.end));
    const year = next < 0 ? undefined : (yearAt(tokens, next) ?? yearAt(tokens, next + 1));
    for (const change of [day, after, year])
      if (change !== undefined && change.start >= (changes.at(-1)?.end ?? 0)) changes.push(change);
  }
  return replacedAt(source, changes);
}
