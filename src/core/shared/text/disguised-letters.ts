import { confusables } from "./confusables.ts";

/** Letters that look like Latin ones, with capitals and rare alphabets. Letters that only resemble them, such as `к`, are missing. */
const alike: ReadonlySet<string> = new Set(
  [...confusables.keys()].join("") +
    "ҽАВЅСЕНІЈКМОРТХУҮԌԚԜ" +
    "ϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϿ" +
    "զքյՏՕԼ" +
    "ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ" +
    "ⲟⲣⲥⲭⲞⲢⲤⲬ",
);

const latin = /\p{Script=Latin}/u;
const letter = /\p{L}/u;

/** Words with the signs that join them in addresses. The letters of an escape are no part of a word. */
const joined = /\\{1,2}(?:u[\da-f]{4}|["nrtbfu])|[\p{L}\p{M}\p{N}]+(?:[.@_-][\p{L}\p{M}\p{N}]+)*/gu;
const word = /[\p{L}\p{M}\p{N}]+/gu;
/** Nearly all texts have no such letter. */
const hasAlike = new RegExp(`[${[...alike].join("")}]`, "u");

/**
 * Replaces letters that a person would read as Latin ones: those in a word with Latin letters. In an email address or URL
 * with Latin letters, a word with only such letters counts too, because `сор.com` is another address than it seems.
 */
export function withoutDisguise(text: string, replace: (letter: string) => string): string {
  if (!hasAlike.test(text)) return text;
  return text.replace(joined, (whole, at: number) => {
    if (whole.startsWith("\\") || !latin.test(whole)) return whole;
    const isAddress = whole.includes("@") || text.startsWith("//", at - 2);
    return whole.replace(word, (part) => {
      const signs = Array.from(part);
      const isDisguised =
        latin.test(part) ||
        (isAddress && signs.every((sign) => alike.has(sign) || !letter.test(sign)));
      return isDisguised
        ? signs.map((sign) => (alike.has(sign) ? replace(sign) : sign)).join("")
        : part;
    });
  });
}
