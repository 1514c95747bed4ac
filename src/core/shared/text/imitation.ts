import { confusables } from "./confusables.ts";

/**
 * Further characters that look like letters of our name, besides those that Unicode maps to them (UTS #39, section 4).
 * A wrong entry would only hide an unusual name.
 */
const lookalikes: Readonly<Record<string, string>> = {
  c: "ϲᴄƈȼ¢ꞓⲥ",
  o: "0ᴏøσ",
  u: "ᴜʋц",
  n: "пηɴŋɲƞռ",
  t: "7тᴛŧƭ+",
  e: "3εєᴇɛəǝ€",
  r: "гʀɽɼᴦ",
  s: "5$ꜱƨʂ",
  i: "1!|lıɪɩ",
  g: "96ɢɡǥġ",
};
const letterOf = new Map(
  Object.entries(lookalikes).flatMap(([letter, signs]) =>
    Array.from(signs, (sign): [string, string] => [sign, letter]),
  ),
);

/**
 * Alphabets whose letters look alike. Chinese, Japanese and Korean are missing, because their texts also use Latin
 * letters.
 */
const alphabets = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Lisu}/u,
];

/** Returns the plain letters that a person reads. Texts that look alike have the same result. */
function asRead(text: string): string {
  const plain = text.normalize("NFKD").replace(/[\p{M}\p{DI}]/gu, "");
  return Array.from(plain.toLowerCase(), (sign) => {
    const letter = confusables.get(sign) ?? sign;
    return letterOf.get(letter) ?? letter;
  }).join("");
}

/** Returns whether a person could read this name in a text, with any spelling and spacing. */
export function imitates(text: string, name: string): boolean {
  const letters = Array.from(asRead(name), (letter) => letter.replace(/\W/, "\\$&"));
  return new RegExp(letters.join("[^\\p{L}\\p{N}]*"), "u").test(asRead(text));
}

/** Returns whether a word has letters of several alphabets. Only a misleading name needs that. */
export function mixesAlphabets(text: string): boolean {
  const words = text.normalize("NFC").match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.some((word) => alphabets.filter((alphabet) => alphabet.test(word)).length > 1);
}
