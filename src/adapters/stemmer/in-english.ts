import { intentOf } from "./intent.ts";
import { otherLanguages } from "./other-languages.ts";

/** The English words for a word of another language, and for the beginning of a word. */
const exact = new Map<string, string>();
const beginnings = new Map<string, string>();
for (const line of otherLanguages.trim().split("\n")) {
  const [english = "", foreign = ""] = line.split(/ ?: /);
  for (const word of foreign.split(" ")) {
    const into = word.endsWith("*") ? beginnings : exact;
    const key = word.replace("*", "");
    if (!into.has(key)) into.set(key, english);
  }
}
/** Words of English requests that the other languages do not have. */
const englishOnly = new Set(
  "and are can could for from how is it my of please that the there this to we what which who with you your".split(
    " ",
  ),
);
const shortestBeginning = 3;
const longestUnspaced = 8;
/** Scripts without spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/u;

/**
 * Returns the words of a request in English. A word that is not known in another language, and each word of the tools
 * themselves, stays as it is.
 */
export function inEnglish(
  words: readonly string[],
  isKnown: (word: string) => boolean,
): readonly string[] {
  if (words.some((word) => englishOnly.has(word))) return words;
  const found = words.flatMap((word) => {
    if (unspaced.test(word)) return splitUnspaced(word);
    if (isKnown(word)) return [word];
    return translated(word) ?? [word];
  });
  if (!words.some((word) => unspaced.test(word))) return found;
  // Japanese has its verb at the end, and English requests at their beginning.
  const isVerb = (word: string): boolean => intentOf([word]) !== undefined;
  return [...found.filter(isVerb), ...found.filter((word) => !isVerb(word))];
}

function translated(word: string): readonly string[] | undefined {
  const folded = word.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll("ß", "ss");
  const whole = exact.get(folded);
  if (whole !== undefined) return partsOf(whole);
  for (let length = folded.length; length >= shortestBeginning; length -= 1) {
    const english = beginnings.get(folded.slice(0, length));
    if (english !== undefined) return partsOf(english);
  }
  return undefined;
}

/** Returns the known words within a text without spaces, the longest first at each place. */
function splitUnspaced(text: string): readonly string[] {
  const found: string[] = [];
  const letters = Array.from(text.normalize("NFC"));
  for (let at = 0; at < letters.length;) {
    const length = longestAt(letters, at);
    const part = letters.slice(at, at + Math.max(1, length)).join("");
    if (length > 0) found.push(...partsOf(exact.get(part) ?? ""));
    else if (/[a-z\d]/.test(part)) found.push(latinAt(letters, at));
    at += length > 0 ? length : Math.max(1, /[a-z\d]/.test(part) ? latinAt(letters, at).length : 1);
  }
  return found;
}

function longestAt(letters: readonly string[], at: number): number {
  for (let length = longestUnspaced; length > 0; length -= 1)
    if (exact.has(letters.slice(at, at + length).join(""))) return length;
  return 0;
}

function latinAt(letters: readonly string[], at: number): string {
  return /^[a-z\d]+/.exec(letters.slice(at).join(""))?.[0] ?? "";
}

function partsOf(english: string): readonly string[] {
  return english.split(/[ _]/).filter((word) => word !== "");
}
