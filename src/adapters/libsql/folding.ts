/** Letters that people write as others where their keyboard has none. */
export const otherSpellings: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ł: "l",
  ø: "o",
  đ: "d",
};

/** As members of a class: accents of Latin and Greek; vowel points and stretching of Hebrew and Arabic; what has no width. */
export const accents = "\\u0300-\\u036F";
export const points =
  "\\u0591-\\u05BD\\u05BF\\u05C1\\u05C2\\u05C4\\u05C5\\u05C7\\u0610-\\u061A\\u0640\\u064B-\\u065F\\u0670\\u06D6-\\u06DC\\u06DF-\\u06E4\\u06E7\\u06E8\\u06EA-\\u06ED";
export const widthless = "\\uFE0F\\u200B-\\u200D";

const pointed = new RegExp(`[${points}]`, "gu");
const withoutWidth = new RegExp(`[${widthless}]`, "gu");
// In Cyrillic, kana or Thai a mark makes another letter.
const accentedLatin = new RegExp(`(\\p{Script=Latin})[${accents}]+`, "gu");
const accentedGreek = new RegExp(`(\\p{Script=Greek})[${accents}]+`, "gu");
const spelledOtherwise = new RegExp(`[${Object.keys(otherSpellings).join("")}]`, "giu");

const isPlain = (text: string): boolean => !/[^ -~\s]/.test(text);

/** The same word however it was typed: wide Latin letters, narrow kana, ligatures, accents, vowel points. */
export function folded(text: string): string {
  if (isPlain(text)) return text;
  return foldedAtFirst(text)
    .replace(pointed, "")
    .normalize("NFD")
    .replace(accentedGreek, "$1")
    .normalize("NFC")
    .replace(spelledOtherwise, (letter) => otherSpellings[letter.toLowerCase()] ?? letter);
}

/** Mail entered before vowel points, Greek accents and `ß` were folded keeps its words: what has these is found as it is, too. */
export function wordForms(text: string): readonly string[] {
  return isPlain(text) ? [text] : [...new Set([folded(text), foldedAtFirst(text)])];
}

/** What people are found by. */
export function foldedCase(text: string): string {
  return folded(text).toLowerCase();
}

/** As with words: people that no message has named since have their accents still. */
export function personForms(text: string): readonly string[] {
  return [...new Set([foldedCase(text), text.normalize("NFKC").toLowerCase()])];
}

function foldedAtFirst(text: string): string {
  return text
    .normalize("NFKC")
    .replace(withoutWidth, "")
    .normalize("NFD")
    .replace(accentedLatin, "$1")
    .normalize("NFC");
}
