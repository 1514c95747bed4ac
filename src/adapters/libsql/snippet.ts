import { accents, fullyFolded, otherSpellings, points, widthless } from "./folding.ts";
import type { Term } from "./search-expression.ts";
import { unspacedScripts } from "./search-text.ts";

/** Characters around a hit. */
const before = 60;
const length = 200;

/** What a word is of. */
const inWord = "\\p{L}\\p{N}\\p{M}\\p{Co}";
const word = new RegExp(`[${inWord}]+`, "gu");

/** A word of a script without spaces may begin and end anywhere, and begins and ends those beside it. */
const begin = `(?:(?<![${inWord}])|(?<=[${unspacedScripts}]))`;
const end = `(?:(?![${inWord}])|(?=[${unspacedScripts}]))`;
const beginsUnspaced = new RegExp(`^[${unspacedScripts}]`, "u");
const endsUnspaced = new RegExp(`[${unspacedScripts}]\\p{M}*$`, "u");

/** Letters, and the pairs that one letter may stand for. */
const letters = new RegExp(
  `${Object.values(otherSpellings)
    .filter((spelled) => spelled.length > 1)
    .join("|")}|.`,
  "giu",
);

/** What makes another kana, or another syllable of Hangul, of the one before. */
const goesOn = "\\u3099\\u309A\\u1160-\\u11FF";

/** Matches what the index matches, in text as people wrote it: in any case, with any accents. */
export function hitPattern(terms: readonly Term[]): RegExp | undefined {
  const patterns = terms.flatMap(({ text, isPrefix }) => {
    const words = fullyFolded(text).normalize("NFKD").match(word) ?? [];
    if (words.length === 0) return [];
    const body = words.map(lettersOf).join(`[^${inWord}]+`);
    const isOpen = isPrefix || endsUnspaced.test(words.at(-1) ?? "");
    return [
      (beginsUnspaced.test(words[0] ?? "") ? "" : begin) +
        body +
        (isOpen ? `(?![${goesOn}])` : end),
    ];
  });
  return patterns.length === 0 ? undefined : new RegExp(patterns.join("|"), "iu");
}

function lettersOf(folded: string): string {
  return Array.from(folded.matchAll(letters), ([piece]) => {
    const itself = Array.from(piece, (letter) => letter + marksOf(letter)).join("");
    const others = Object.entries(otherSpellings)
      .filter(([, spelled]) => spelled === piece.toLowerCase())
      .map(([letter]) => letter + marksOf(letter));
    return others.length === 0 ? itself : `(?:${[itself, ...others].join("|")})`;
  }).join("");
}

/** Marks that the index does not see behind this letter. */
function marksOf(letter: string): string {
  const marks = /[\p{Script=Latin}\p{Script=Greek}]/u.test(letter)
    ? accents
    : /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(letter)
      ? points
      : "";
  return `[${widthless}${marks}]*`;
}

/** The text around the first hit as one line; undefined where there is none. */
export function snippetOf(text: string, pattern: RegExp): string | undefined {
  const plain = text.normalize("NFKD");
  const at = plain.search(pattern);
  if (at === -1) return undefined;
  let start = Math.max(0, at - before);
  if (start > 0) {
    const blank = plain.slice(start, at).search(/\s/);
    if (blank !== -1) start += blank + 1;
  }
  const end = Math.min(plain.length, start + length);
  const line = plain.slice(start, end).toWellFormed().replace(/\s+/g, " ").trim().normalize("NFC");
  return `${start > 0 ? "…" : ""}${line}${end < plain.length ? "…" : ""}`;
}
