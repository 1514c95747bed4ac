import { Beginnings } from "./beginnings.ts";
import { conceptNames } from "./learned/concepts.ts";
import { TextWords } from "./learned/words.ts";
import { withRanges } from "./letters.ts";
import { alignedLowerCase } from "./text-forms.ts";
import type { TextRange } from "./text-ranges.ts";

/** Names of codes in lower case, also as the end of a compound such as `buurtapp-code`. */
const names = "code|código|codigo|codice|kod|otp|pin|passcode|cód\\.|cod\\.";
const codeName = new RegExp(names, "uy");
const beginnings = new Beginnings(codeName, names.replaceAll("\\.", "").split("|"), {
  // Every code has a digit, which is a sign of its own.
  least: Number.POSITIVE_INFINITY,
});
/** The rest of the name, a verb or a colon, and the value: `code for Lyftly is 4482`. */
const sentence = new RegExp(
  String.raw`(?:${names})(?: [^\n\d.!?:：]{1,40}?)?(?: (?:is|ist|lautet|est|es|é|è|to|luidt) | ?[:：] ?)["'“„«*]{0,2}(?:\d{4,8}|\d{3}[ -]\d{3})(?![\w%@€$£]|[.,:/-]\d| ?(?:€|\$|£|%|eur|usd))`,
  "uy",
);
const valueAtEnd = /(?:\d{4,8}|\d{3}[ -]\d{3})$/;

const give =
  "share|give|tell|disclose|weiter|teil|verrat|nenn|partage|communi|donne|divulg|transf|compart|revel|partilh|condivid|comunic|rivel|inoltr|delen|deel|geef|door|udost|podawa|przekaz";
const never =
  "do not|don['’]?t|never|nicht|niemals?|nie(?:mand)?|keine[mr]|ne|n['’]|jamais|no|nunca|não|nao|ninguém|non|mai|niet|nooit|nikomu";
/** A warning not to share: a denial and a word of giving, at most a few words apart, in either order. */
const warning = new RegExp(
  String.raw`(?<!\p{L})(?:${never})(?!\p{L})[^\n.!?]{0,24}(?<!\p{L})(?:${give})|(?<!\p{L})(?:${give})[^\n.!?]{0,30}(?<!\p{L})(?:${never})(?!\p{L})`,
  "u",
);
/** Characters on each side of a code in which its warning is. */
const nearCharacters = 90;
/** Warnings of fraud have examples of codes. */
const example = /voorbeeld|example|exemple|beispiel|ejemplo|esempio|exemplo|przykład/;
/** Codes of lockers have such a warning too, but stay readable. */
const otherPlaces = new Set(["door", "pickup"].map((name) => conceptNames.indexOf(name)));
/** Quotations in warnings of fraud, and texts about parcels and coupons. */
const otherQuotes = new Set(
  ["door", "pickup", "tip", "coupon", "parcel", "booking"].map((name) =>
    conceptNames.indexOf(name),
  ),
);

const openQuote = /["“„«][^"“”„«»\n]*$/u;
const closeQuote = /^[^"“”„«»\n]*["”“»]/u;
/** The name of a service at the beginning of its text message: `Bunqo: `. */
const service = withRanges(String.raw`^["“„«]\s?\p{L}[\p{L}\d .+&'-]{1,24} ?[:：] `);
const oneValue =
  /(?<![\w.,:/+-])(?:\d{4,8}|\d{3}[ -]\d{3}|\d{2}[ -]\d{2}[ -]\d{2})(?![\w%@€$£-]|[.,:/]\d)/g;
/** Longest part of a quoted text message on each side of the name of its code. Characters. */
const quotedCharacters = 160;

/**
 * Finds codes in text messages that a person quotes. The quotation begins with the name of a service, names a code and has
 * one value. The learned weights know quoted codes as examples in warnings of fraud.
 * @param subjectLength characters of the subject, at the beginning of the text
 */
export function quotedCodes(text: string, subjectLength: number): TextRange[] {
  const named = beginnings.placesOf(text);
  if (named.length === 0) return [];
  const words = new TextWords(text);
  const isAbout = (range: TextRange): boolean =>
    words.in(range).some(({ concepts }) => concepts.some((concept) => otherQuotes.has(concept)));
  return named.flatMap(({ start, end }) => {
    const before = openQuote.exec(text.slice(Math.max(0, start - quotedCharacters), start))?.[0];
    const behind = closeQuote.exec(text.slice(end, end + quotedCharacters))?.[0];
    if (before === undefined || behind === undefined || !service.test(before)) return [];
    const from = start - before.length;
    const [value, ...others] = text.slice(from, end + behind.length).matchAll(oneValue);
    if (value === undefined || others.length > 0) return [];
    const least = Math.max(0, from - nearCharacters);
    if (isAbout({ start: 0, end: subjectLength })) return [];
    if (isAbout({ start: least, end: end + behind.length + nearCharacters })) return [];
    return [{ start: from + value.index, end: from + value.index + value[0].length }];
  });
}

/**
 * Finds codes that are named and beside a warning not to share them, as text messages have. People quote such a message
 * among others, by which the learned weights would judge it.
 * @param subjectLength characters of the subject, at the beginning of the text
 */
export function warnedCodes(text: string, subjectLength: number): TextRange[] {
  const named = beginnings.placesOf(text, text.length, sentence);
  if (named.length === 0) return [];
  const small = alignedLowerCase(text);
  const words = new TextWords(text);
  const isElsewhere = (range: TextRange): boolean =>
    words.in(range).some(({ concepts }) => concepts.some((concept) => otherPlaces.has(concept)));
  return named.flatMap(({ start, end }) => {
    const least = Math.max(0, start - nearCharacters);
    const before = small.slice(least, start);
    if (!warning.test(`${before}. ${small.slice(end, end + nearCharacters)}`)) return [];
    if (example.test(before) || example.test(small.slice(start, end))) return [];
    if (isElsewhere({ start: 0, end: subjectLength }) || isElsewhere({ start: least, end }))
      return [];
    const code = valueAtEnd.exec(text.slice(start, end));
    return [{ start: start + (code?.index ?? 0), end }];
  });
}
