import { type Reading, respelled, textOfUnits, unitsFor } from "../reading/reading.ts";

// Ciphers that replace each character by another one.

const letterA = 97;
const capitalA = 65;
const letters = 26;
const digitZero = 48;

/** A cipher: the unit that replaces each unit of ASCII. Other units stay. */
export type Cipher = Uint8Array;

/** Creates a cipher. @param letterAt returns the place in the alphabet of the letter that replaces one */
function cipherOf(letterAt: (place: number) => number, digitsShift = 0): Cipher {
  const cipher = Uint8Array.from({ length: 128 }, (_, unit) => unit);
  for (let place = 0; place < letters; place += 1) {
    cipher[letterA + place] = letterA + letterAt(place);
    cipher[capitalA + place] = capitalA + letterAt(place);
  }
  for (let digit = 0; digit < 10; digit += 1)
    cipher[digitZero + digit] = digitZero + ((digit + digitsShift) % 10);
  return cipher;
}

const caesar = (distance: number, digitsShift?: number): Cipher =>
  cipherOf((place) => (place + distance) % letters, digitsShift);

const rot13 = caesar(13);
const rot13And5 = caesar(13, 5);

/** Shifts letters by 13 and, with `withDigits`, digits by 5. Other characters stay. */
export function rotated(source: Reading, withDigits: boolean): Reading {
  return respelled(source, shifted(source.text, withDigits ? rot13And5 : rot13));
}

/** Shifts letters by 13. Their case stays. */
export function rotatedLetters(text: string): string {
  return shifted(text, rot13);
}

/** Ciphers that change letters as `rotated` does, and also digits. `rotated` finds words without digits. */
export const digitCiphers: readonly Cipher[] = [rot13And5];

/** The ciphers that `rotated` does not read: Caesar's with every other distance, and Atbash. */
export const otherCiphers: readonly Cipher[] = [
  ...Array.from({ length: letters - 1 }, (_, at) => at + 1)
    .filter((distance) => distance !== 13)
    .map((distance) => caesar(distance)),
  cipherOf((place) => letters - 1 - place),
];

/** Returns a text as a cipher changes it. */
export function shifted(text: string, cipher: Cipher): string {
  const units = unitsFor(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = shiftedUnit(text.charCodeAt(at), cipher);
  return textOfUnits(units, text.length);
}

export function shiftedUnit(unit: number, cipher: Cipher): number {
  return cipher[unit] ?? unit;
}

const firstSign = 33;
const signs = 94;
/** Signs within words, as ROT47 writes letters and digits. */
const signsWithin = /[\w)][`<>?\\;=!"#$%^*+~{|}[\]]+\w|[`^\\~_]\w/;

/** Shifts the visible characters of ASCII by 47. The case is significant. Undefined if the text does not look like that. */
export function rotated47(source: Reading): Reading | undefined {
  const { text } = source;
  if (!signsWithin.test(text)) return undefined;
  let turned = "";
  for (let at = 0; at < text.length; at += 1) {
    const place = text.charCodeAt(at) - firstSign;
    turned +=
      place >= 0 && place < signs
        ? String.fromCharCode(firstSign + ((place + signs / 2) % signs))
        : text.charAt(at);
  }
  return respelled(source, turned);
}
