/**
 * Signs that look like letters of our name, beside those that Unicode itself maps to them (UTS #39, section 4). A sign
 * too many only hides a strange name.
 */
const lookalikes: Readonly<Record<string, string>> = {
  c: "сϲᴄƈȼ¢ꞓⲥ",
  o: "0οоօᴏøσ",
  u: "υսᴜʋц",
  n: "ոпηɴŋɲƞռ",
  t: "7тτᴛŧƭ+",
  e: "3еεєᴇɛəǝ€",
  r: "гʀɽɼᴦ",
  s: "5$ѕꜱƨʂ",
  i: "1!|lіıιɪɩӏ",
  g: "96ցɢɡǥġ",
};
const letterOf = new Map(
  Object.entries(lookalikes).flatMap(([letter, signs]) =>
    Array.from(signs, (sign): [string, string] => [sign, letter]),
  ),
);

/** Alphabets whose letters look alike. Chinese, Japanese and Korean text uses Latin letters beside its own. */
const alphabets = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Lisu}/u,
];

/** Returns the plain letters that a person reads, so that texts that look alike become the same. */
function asRead(text: string): string {
  const plain = text.normalize("NFKD").replace(/[\p{M}\p{DI}]/gu, "");
  return Array.from(plain.toLowerCase(), (sign) => letterOf.get(sign) ?? sign).join("");
}

/** Returns whether a person could read this name in a text, however it is spelled and spaced. */
export function imitates(text: string, name: string): boolean {
  const letters = Array.from(asRead(name), (letter) => letter.replace(/\W/, "\\$&"));
  return new RegExp(letters.join("[^\\p{L}\\p{N}]*"), "u").test(asRead(text));
}

/** Returns whether a word is written in letters of several alphabets, which only a name that misleads needs. */
export function mixesAlphabets(text: string): boolean {
  const words = text.normalize("NFC").match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.some((word) => alphabets.filter((alphabet) => alphabet.test(word)).length > 1);
}
