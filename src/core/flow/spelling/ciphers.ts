import { type Reading, respelled } from "../reading/reading.ts";

// Ciphers that replace each character by another one.

const letterA = 97;
const letters = 26;
const digitZero = 48;

/** Shifts letters by 13 and, with `withDigits`, digits by 5. Other characters stay. */
export function rotated(source: Reading, withDigits: boolean): Reading {
  return respelled(source, shifted(source.text, { letters: 13, digits: withDigits ? 5 : 0 }));
}

/** A cipher: how far letters are shifted, or whether their order is reversed. Digits are shifted too. */
export interface Cipher {
  letters: number | "atbash";
  digits: number;
}

/** The ciphers that `rotated` does not read: Caesar's with every other distance, and Atbash. */
export const otherCiphers: readonly Cipher[] = [
  ...Array.from({ length: letters - 1 }, (_, at): Cipher => ({ letters: at + 1, digits: 0 })),
  { letters: "atbash" as const, digits: 0 },
].filter(({ letters: distance }) => distance !== 13);

/** Returns a text in lower case as a cipher changes it. */
export function shifted(text: string, cipher: Cipher): string {
  let turned = "";
  for (let at = 0; at < text.length; at += 1)
    turned += String.fromCharCode(shiftedUnit(text.charCodeAt(at), cipher));
  return turned;
}

export function shiftedUnit(unit: number, { letters: distance, digits }: Cipher): number {
  const letter = unit - letterA;
  if (letter >= 0 && letter < letters)
    return letterA + (distance === "atbash" ? letters - 1 - letter : (letter + distance) % letters);
  const digit = unit - digitZero;
  return digit >= 0 && digit < 10 ? digitZero + ((digit + digits) % 10) : unit;
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
