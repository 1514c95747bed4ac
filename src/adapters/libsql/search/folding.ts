/** Letters with a replacement for keyboards that lack them. */
export const otherSpellings: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ł: "l",
  ø: "o",
  đ: "d",
};

/**
 * Members of a character class: accents of Latin and Greek, vowel points and stretching of Hebrew and Arabic, and
 * zero-width characters.
 */
export const accents = "\\u0300-\\u036F";
export const points =
  "\\u0591-\\u05BD\\u05BF\\u05C1\\u05C2\\u05C4\\u05C5\\u05C7\\u0610-\\u061A\\u0640\\u064B-\\u065F\\u0670\\u06D6-\\u06DC\\u06DF-\\u06E4\\u06E7\\u06E8\\u06EA-\\u06ED";
export const widthless = "\\uFE0F\\u200B-\\u200D";

const unseen = new RegExp(`[${points}${widthless}]`, "gu");
// In Cyrillic, kana and Thai a mark makes another letter.
const accentedLatin = new RegExp(`(\\p{Script=Latin})[${accents}]+`, "gu");
const accentedGreek = new RegExp(`(\\p{Script=Greek})[${accents}]+`, "gu");
const greek = /\p{Script=Greek}/u;
const spelledOtherwise = /[ßẞæÆœŒłŁøØđĐ]/g;

const isPlain = (text: string): boolean => !/[^ -~\s]/.test(text);

/**
 * Normalises a text: full-width Latin, half-width kana, ligatures, vowel points. The tokenizer removes the accents of
 * Latin letters faster.
 */
export function folded(text: string): string {
  if (isPlain(text)) return text;
  const seen = text.normalize("NFKC").replace(unseen, "");
  return (greek.test(seen) ? withoutAccents(seen, accentedGreek) : seen).replace(
    spelledOtherwise,
    (letter) => otherSpellings[letter.toLowerCase()] ?? letter,
  );
}

/** Normalises a text completely, for uses without the tokenizer. */
export function fullyFolded(text: string): string {
  return isPlain(text) ? text : folded(withoutAccents(text.normalize("NFKC"), accentedLatin));
}

/** Normalises a name or address for searches. */
export function foldedCase(text: string): string {
  return fullyFolded(text).toLowerCase();
}

function withoutAccents(text: string, accented: RegExp): string {
  return text.normalize("NFD").replace(accented, "$1").normalize("NFC");
}
