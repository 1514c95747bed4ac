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

/** One letter may fold into eighteen (U+FDFA), so a text is folded in pieces, and what they become is paid for. */
const pieceCharacters = 2_000;
/** Characters of the pieces beside it that are looked at with each, so that a hit may go on there. */
const overlap = 200;
/** Characters between which the event loop turns: a few milliseconds. */
const turnCharacters = 30_000;

/** What looking for snippets may still cost, in folded characters. */
export interface SnippetWork {
  left: number;
}

/**
 * Returns the text around the first hit as one line; undefined where there is none, or none before the work was spent. The
 * event loop turns in between.
 */
export async function snippetOf(
  text: string,
  pattern: RegExp,
  work: SnippetWork,
): Promise<string | undefined> {
  const from = new RegExp(pattern, `${pattern.flags}g`);
  let turnEnds = work.left - turnCharacters;
  for (let start = 0; start < text.length && work.left > 0; start += pieceCharacters) {
    const end = start + pieceCharacters;
    const [head, body, tail] = [
      text.slice(Math.max(0, start - overlap), start),
      text.slice(start, end),
      text.slice(end, end + overlap),
    ].map((part) => part.normalize("NFKD"));
    const plain = `${head}${body}${tail}`;
    work.left -= plain.length;
    // What begins before was found with the piece before, and what begins behind is found with the next, whole.
    from.lastIndex = head?.length ?? 0;
    const at = from.exec(plain)?.index ?? -1;
    if (at !== -1 && at - (head?.length ?? 0) < (body?.length ?? 0)) {
      return lineAround(plain, at, start > overlap, end + overlap < text.length);
    }
    if (work.left > turnEnds) continue;
    await new Promise((resolve) => setImmediate(resolve));
    turnEnds = work.left - turnCharacters;
  }
  return undefined;
}

function lineAround(
  plain: string,
  at: number,
  isAfterMore: boolean,
  isBeforeMore: boolean,
): string {
  let start = Math.max(0, at - before);
  if (start > 0) {
    const blank = plain.slice(start, at).search(/\s/);
    if (blank !== -1) start += blank + 1;
  }
  const end = Math.min(plain.length, start + length);
  const line = plain.slice(start, end).toWellFormed().replace(/\s+/g, " ").trim().normalize("NFC");
  const isCutBefore = start > 0 || isAfterMore;
  const isCutAfter = end < plain.length || isBeforeMore;
  return `${isCutBefore ? "…" : ""}${line}${isCutAfter ? "…" : ""}`;
}
