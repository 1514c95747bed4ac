import { decodedForms } from "./decode.ts";
import { normalised } from "./normalise.ts";
import { bareNumbers, dottedAddresses } from "./number-bases.ts";
import { amountsInDigits } from "../spelling/short-amounts.ts";
import { kanaNumerals, numberPhrases, romanNumerals } from "../spelling/number-phrases.ts";
import { type Reading, picked, replaced, reversed, verbatim } from "./reading.ts";
import {
  digitsAsLetters,
  fromMorse,
  joinedLetters,
  lettersAsDigits,
  lookingAlike,
  spoken,
  spokenTogether,
  wordsAsDigits,
  withoutUmlautPairs,
} from "../spelling/respell.ts";
import { spokenWithin } from "../spelling/spoken-within.ts";
import { withoutWordBetween } from "../spelling/word-between.ts";
import { fromBraille } from "../spelling/braille.ts";
import { rotated, rotated47 } from "../spelling/ciphers.ts";
import { amountsCompared } from "../secrets/amounts.ts";
import { daysInDigits } from "../secrets/dates-in-words.ts";
import { datesCompared } from "../secrets/dates.ts";
import { digitsIn, isDigit } from "./tokens.ts";

/** How reliable a reading is. */
export type Trust =
  /** The text or its decoded form. */
  | "plain"
  /** Backwards. */
  | "reversed"
  /** A change that is possible for every text. */
  | "guess"
  /** One of many such changes. */
  | "cipher"
  /** Single characters of the text. */
  | "scattered"
  /** Words that are read as numbers. */
  | "loose";

export interface TrustedReading extends Reading {
  trust: Trust;
}

/** Returns the normalised readings of a text. The unchanged text comes first. */
export function readingsOf(text: string): readonly TrustedReading[] {
  const forms = decodedForms(text).map(normalised);
  const [first] = forms;
  if (first === undefined) return [];
  const apart = joinedLetters(first);
  const said = forms.map(saidIn);
  // In a longer sentence, some words can be read as digits of a code by chance.
  const digits = first.tokens().length > fewWords ? undefined : wordsAsDigits(first);
  return [
    ...plainOf(forms, { text, apart, said }),
    ...[...forms, ...(apart ? [apart] : [])].map((reading) =>
      trusted(reversed(reading), "reversed"),
    ),
    ...spokenBackwards(first, said[0]).map((reading) => trusted(reading, "reversed")),
    trusted(rotated(first, false), "guess"),
    // A text may be encoded after it was rotated.
    ...forms.slice(1).map((form) => trusted(rotated(form, false), "cipher")),
    ...rotatedSigns(text).map((reading) => trusted(reading, "cipher")),
    ...(digits ? [trusted(digits, "loose")] : []),
    // The letters are those of the reading `guess` above, so only the digits are searched.
    ...(/\d{3}/.test(first.text) ? [trusted(rotated(first, true), "scattered")] : []),
    ...scatteredIn(first).map((reading) => trusted(reading, "scattered")),
  ];
}

/** Reads spoken digits whose order is reversed, or whose letters are. */
function spokenBackwards(first: Reading, said: Reading | undefined): Reading[] {
  // Short words such as "is" are digits backwards, so the text must have no other digits.
  const letters = digitsIn(first.text) === 0 ? spoken(reversed(first)) : undefined;
  return [said && reversed(said), letters, letters && reversed(letters)].filter(
    (reading) => reading !== undefined,
  );
}

/** Returns those readings of a text that are `plain`. */
export function plainReadingsOf(text: string): readonly TrustedReading[] {
  const forms = decodedForms(text).map(normalised);
  const [first] = forms;
  return first === undefined
    ? []
    : plainOf(forms, { text, apart: joinedLetters(first), said: forms.map(saidIn) });
}

/** Returns the text with its visible characters shifted by 47, if it looks like ROT47. */
function rotatedSigns(text: string): Reading[] {
  const turned = rotated47(verbatim(text));
  return turned === undefined ? [] : [normalised(turned)];
}

/** Two words without a space, of which the second one begins with a capital. */
const camelCase = /\p{Ll}{2}\p{Lu}\p{Ll}/u;
const betweenWords = /(?<=[\p{Ll}\d])(?=\p{Lu}\p{Ll})|(?<=\p{Ll})(?=\d)/gu;

/** Separates words such as `TheKeyIsHere`, whose capitals other readings do not have. */
function wordsOfCamelCase(text: string): Reading | undefined {
  if (!camelCase.test(text)) return undefined;
  const apart = replaced(verbatim(text), betweenWords, () => " ");
  return apart && normalised(apart);
}

function saidIn(form: Reading): Reading | undefined {
  return spoken(form) ?? spokenTogether(form);
}

/** Returns the reading of letters that look like others, and the one in which letters also stand for digits. */
function lookalikesOf(first: Reading): (Reading | undefined)[] {
  const alike = lookingAlike(first);
  return alike === undefined ? [] : [alike, lettersAsDigits(alike)];
}

function plainOf(
  forms: readonly Reading[],
  {
    text,
    apart,
    said,
  }: { text: string; apart: Reading | undefined; said: readonly (Reading | undefined)[] },
): readonly TrustedReading[] {
  const [first] = forms;
  if (first === undefined) return [];
  const phrases = forms.map(numberPhrases);
  const respelled = [
    apart,
    wordsOfCamelCase(text),
    ...lookalikesOf(first),
    withoutUmlautPairs(first),
    withoutWordBetween(first),
    spokenWithin(first),
    lettersAsDigits(first),
    digitsAsLetters(first, "i"),
    digitsAsLetters(first, "l"),
    fromMorse(first),
    fromBraille(first),
    ...(digitsIn(first.text) === 0
      ? []
      : [bareNumbers(first), dottedAddresses(first), amountsInDigits(first)]),
    ...forms.flatMap((form, at) => [
      said[at],
      phrases[at],
      romanNumerals(form),
      kanaNumerals(form),
    ]),
  ].filter((reading) => reading !== undefined);
  const all = [...forms, ...respelled];
  const days = [...forms, ...said, ...phrases].map((form) => form && daysInDigits(form));
  const dated = [
    ...all.flatMap((reading) => [datesCompared(reading), amountsCompared(reading)]),
    ...days.map((reading) => reading && datesCompared(reading)),
  ];
  return [...all, ...dated.filter((reading) => reading !== undefined)].map((reading) =>
    trusted(reading, "plain"),
  );
}

export function trusted(reading: Reading, trust: Trust): TrustedReading {
  return new Trusted(reading, trust);
}

class Trusted implements TrustedReading {
  readonly text: string;
  readonly trust: Trust;
  readonly #of: Reading;

  constructor(of: Reading, trust: Trust) {
    this.text = of.text;
    this.trust = trust;
    this.#of = of;
  }

  places(): ReturnType<Reading["places"]> {
    return this.#of.places();
  }

  tokens(): ReturnType<Reading["tokens"]> {
    return this.#of.tokens();
  }
}

/** Limit on words of a text whose words may be digits. A longer text is a sentence. */
export const fewWords = 12;
/** Distances between the characters of a code that is hidden among others. */
const steps = [2, 3, 4, 5];
/** A longer text is a document, in which scattered codes are not searched. Characters. */
const longestScattered = 2_000;

/** Fewest digits of a scattered code. Fewer prove too little. */
const digitsNeeded = 3;

/** The places of the letters and digits of the text that is read now, and of its visible characters. */
const lettersNow = new Int32Array(longestScattered);
const visibleNow = new Int32Array(longestScattered);

/** Returns every second to fifth character, the first and last characters of words and lines, and the digits alone. */
function scatteredIn(source: Reading): Reading[] {
  const { text } = source;
  if (text.length > longestScattered || digitsIn(text) < digitsNeeded) return [];
  const tokens = source.tokens();
  let letters = 0;
  const inOdd: number[] = [];
  for (const token of tokens) {
    const isOdd = token.hasDigit || token.text.length <= 2;
    for (let at = token.start; at < token.end; at += 1) {
      lettersNow[letters] = at;
      letters += 1;
      if (isOdd) inOdd.push(at);
    }
  }
  let visible = 0;
  for (let at = 0; at < text.length; at += 1)
    if (text.charCodeAt(at) !== space) visibleNow[visible++] = at;
  const isDigitAt = (at: number): boolean => isDigit(text.charCodeAt(at));
  const others = [
    tokens.map(({ start }) => start),
    tokens.map(({ end }) => end - 1),
    hasDigitsInFront(text) ? Array.from(text.matchAll(inFront), ({ index }) => index) : [],
    // Each of them is in such a token.
    inOdd.filter(isDigitAt),
    inOdd,
  ];
  return [
    ...everyNth(lettersNow.subarray(0, letters), isDigitAt),
    ...(visible === letters ? [] : everyNth(visibleNow.subarray(0, visible), isDigitAt)),
    ...others.filter((chosen) => countOf(chosen, isDigitAt) >= digitsNeeded),
  ].map((chosen) => picked(source, chosen));
}

const space = 0x20;
/** The first characters of lines and of parts of sentences. */
const inFront = /(?<=^|[\n.!?;,]\s*)[\p{L}\p{N}]/gu;
const before = /(?:^|[\n.!?;,]\s*)$/;
const mostBefore = 3;

/** Returns whether enough of them may be digits. Few texts have a digit there, and each search takes long. */
function hasDigitsInFront(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length && count < digitsNeeded; at += 1) {
    if (!isDigit(text.charCodeAt(at)) || isDigit(text.charCodeAt(at - 1))) continue;
    const start = Math.max(0, at - mostBefore);
    const sign = text.slice(start, at);
    if (before.test(sign) || sign.trim() === "") count += 1;
  }
  return count >= digitsNeeded;
}

function countOf(places: readonly number[], test: (place: number) => boolean): number {
  let count = 0;
  for (const place of places) if (test(place)) count += 1;
  return count;
}

/** Returns every second place, every third and so on, if enough of them have a digit. */
function everyNth(places: Int32Array, isDigitAt: (at: number) => boolean): Int32Array[] {
  const digits: number[] = [];
  for (let index = 0; index < places.length; index += 1)
    if (isDigitAt(places[index] ?? 0)) digits.push(index);
  const found: Int32Array[] = [];
  for (const step of steps)
    for (let first = 0; first < step; first += 1) {
      let count = 0;
      for (const index of digits) if (index % step === first) count += 1;
      if (count < digitsNeeded) continue;
      const chosen = new Int32Array(Math.ceil((places.length - first) / step));
      for (let at = 0; at < chosen.length; at += 1) chosen[at] = places[first + at * step] ?? 0;
      found.push(chosen);
    }
  return found;
}
