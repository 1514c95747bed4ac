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

const unseen = new RegExp(`[${points}${widthless}]`, "gu");
const withoutWidth = new RegExp(`[${widthless}]`, "gu");
// In Cyrillic, kana or Thai a mark makes another letter.
const accentedLatin = new RegExp(`(\\p{Script=Latin})[${accents}]+`, "gu");
const accentedGreek = new RegExp(`(\\p{Script=Greek})[${accents}]+`, "gu");
const greek = /\p{Script=Greek}/u;
const spelledOtherwise = /[ßẞæÆœŒłŁøØđĐ]/g;

const isPlain = (text: string): boolean => !/[^ -~\s]/.test(text);

/**
 * The same word however it was typed: wide Latin letters, narrow kana, ligatures, vowel points. Accents of Latin letters are
 * left to the tokenizer, which drops them sooner.
 */
export function folded(text: string): string {
  if (isPlain(text)) return text;
  const seen = text.normalize("NFKC").replace(unseen, "");
  return (greek.test(seen) ? withoutAccents(seen, accentedGreek) : seen).replace(
    spelledOtherwise,
    (letter) => otherSpellings[letter.toLowerCase()] ?? letter,
  );
}

/** What is left where nothing drops accents afterwards. */
export function fullyFolded(text: string): string {
  return isPlain(text) ? text : folded(withoutAccents(text.normalize("NFKC"), accentedLatin));
}

/** Mail entered before vowel points, Greek accents and `ß` were folded keeps its words: what has these is found as it is, too. */
export function wordForms(text: string): readonly string[] {
  if (isPlain(text)) return [text];
  return [...new Set([folded(text), text.normalize("NFKC").replace(withoutWidth, "")])];
}

/** What people are found by. */
export function foldedCase(text: string): string {
  return fullyFolded(text).toLowerCase();
}

/** As with words: people that no message has named since have their accents still. */
export function personForms(text: string): readonly string[] {
  return [...new Set([foldedCase(text), text.normalize("NFKC").toLowerCase()])];
}

function withoutAccents(text: string, accented: RegExp): string {
  return text.normalize("NFD").replace(accented, "$1").normalize("NFC");
}
