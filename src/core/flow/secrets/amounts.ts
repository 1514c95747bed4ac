import { type Reading, replaced } from "../reading/reading.ts";

// Amounts of money with cents. Decimals occur in many texts, so an amount is found only as a whole and as an amount.

const number = String.raw`\d{1,3}(?:[.,'’ ]?\d{3}){0,2}[.,]\d{2}`;
const sign =
  "[€£$¥₹₽]|eur|euros?|usd|gbp|chf|dollars?|pounds?|sek|nok|dkk|kr|kronor|kroner|zl|pln|rub|руб";
const withCurrency = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:${sign})\s?(${number})|(${number})\s?(?:${sign})(?!\p{L}))(?![.,]?\d)`,
  "gu",
);
const decimal = new RegExp(String.raw`(?<![\p{L}\p{N}]|\d[.,])${number}(?![\p{L}\d]|[.,]\d)`, "gu");

/** A part of every such number. It is found faster. */
const mayHave = /\d[.,]\d\d/;
/** Fewest digits of an amount that is recorded. */
const leastDigits = 4;
/** Cents of prices. */
const ofPrice = /(?:00|9[059])$|^\d{2}50$/;

/** Letters of Ogham stand for the digits, between two others, so that an amount equals no other number. */
const zero = 0x16_81;
const [opening, closing] = ["\u1690", "\u1691"];

/** Returns the form in which an amount is compared. */
function compared(amount: string): string {
  const letters = amount
    .replace(/\D/g, "")
    .replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
  return opening + letters + closing;
}

/** Returns the amounts of a normalised text that have a currency and are no usual prices, as they are compared. */
export function amountsIn(plain: string): string[] {
  return Array.from(plain.matchAll(withCurrency), ([, after, before]) => after ?? before ?? "")
    .map((amount) => amount.replace(/\D/g, ""))
    .filter((digits) => digits.length >= leastDigits && !ofPrice.test(digits))
    .map(compared);
}

/** Reads decimal numbers as amounts. Undefined if there are none. */
export function amountsCompared(source: Reading): Reading | undefined {
  if (!mayHave.test(source.text)) return undefined;
  return replaced(source, decimal, (amount) => ` ${compared(amount)} `);
}
