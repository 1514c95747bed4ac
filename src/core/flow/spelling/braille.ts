import { type Reading, replaced } from "../reading/reading.ts";

const cells = "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵";
const letters = "abcdefghijklmnopqrstuvwxyz";
const numberSign = "⠼";
/** The cells of the first ten letters are digits after a number sign. */
const digits = "1234567890";
const braille = /[⠁-⣿]+/gu;

/** Reads Braille without contractions. A number sign is valid up to the next cell that is no digit. */
export function fromBraille(source: Reading): Reading | undefined {
  return replaced(source, braille, (run) => {
    let text = "";
    let isNumber = false;
    for (const cell of run) {
      const place = cells.indexOf(cell);
      isNumber = cell === numberSign || (isNumber && place >= 0 && place < digits.length);
      text += (isNumber ? digits : letters).charAt(place);
    }
    return text;
  });
}
