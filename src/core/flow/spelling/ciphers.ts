import { type Reading, respelled } from "../reading/reading.ts";

// Ciphers that replace each character by another one.

const letterA = 97;
const digitZero = 48;

/** Shifts letters by 13 and, with `withDigits`, digits by 5. Other characters stay. */
export function rotated(source: Reading, withDigits: boolean): Reading {
  const { text } = source;
  let turned = "";
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= letterA && unit < letterA + 26)
      turned += String.fromCharCode(letterA + ((unit - letterA + 13) % 26));
    else if (withDigits && unit >= digitZero && unit < digitZero + 10)
      turned += String.fromCharCode(digitZero + ((unit - digitZero + 5) % 10));
    else turned += text[at];
  }
  return respelled(source, turned);
}
