import type { Term } from "./search-text.ts";

/** Characters around a hit. */
const before = 60;
const length = 200;

/** Scripts without spaces: a word of these may begin anywhere. */
const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Matches what the index matches, in text as people wrote it: in any case, with any accents. */
export function hitPattern(terms: readonly Term[]): RegExp | undefined {
  const patterns = terms.flatMap(({ text, isPrefix }) => {
    const words = text.normalize("NFKD").match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
    if (words.length === 0) return [];
    const body = words.map(lettersOf).join("[^\\p{L}\\p{N}]+");
    const start = unspaced.test(text) ? "" : "(?<![\\p{L}\\p{N}])";
    const end = isPrefix || unspaced.test(words.at(-1) ?? "") ? "" : "(?![\\p{L}\\p{N}])";
    return [start + body + end];
  });
  return patterns.length === 0 ? undefined : new RegExp(patterns.join("|"), "iu");
}

function lettersOf(word: string): string {
  return Array.from(word.replace(/\p{M}/gu, "") || word, (letter) => `${letter}\\p{M}*`).join("");
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
