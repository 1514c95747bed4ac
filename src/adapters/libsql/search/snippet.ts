import { spend, turn } from "../../../core/shared/event-loop.ts";
import { accents, fullyFolded, otherSpellings, points, widthless } from "./folding.ts";
import type { Term } from "./search-expression.ts";
import { unspacedScripts } from "./search-text.ts";

/** Characters around a hit. */
const before = 60;
const length = 200;

/** The characters of a word. */
const inWord = "\\p{L}\\p{N}\\p{M}\\p{Co}";
const word = new RegExp(`[${inWord}]+`, "gu");

/** A word in a script without spaces may begin and end anywhere, and separates adjacent words. */
const begin = new RegExp(`(?<![${inWord}])|(?<=[${unspacedScripts}])`, "uy");
const end = new RegExp(`(?![${inWord}])|(?=[${unspacedScripts}])`, "uy");
const beginsUnspaced = new RegExp(`^[${unspacedScripts}]`, "u");
const endsUnspaced = new RegExp(`[${unspacedScripts}]\\p{M}*$`, "u");

/** Letters, and the pairs that may replace one letter. */
const letters = new RegExp(
  `${Object.values(otherSpellings)
    .filter((spelled) => spelled.length > 1)
    .join("|")}|.`,
  "giu",
);

/** Marks that make another kana or Hangul syllable of the previous character. */
const goesOn = "\\u3099\\u309A\\u1160-\\u11FF";

/**
 * Letters of a pattern, as many as a query has. One letter may fold into eighteen, and each has 140 characters here.
 */
const mostLetters = 1_000;

/** The pattern of what the index matches for one term, in the original text: in any case, with any accents. */
export interface HitPattern {
  /** The letters alone. To compile the classes of a word's borders for each new word took 10 ms. */
  letters: RegExp;
  beginsAnywhere: boolean;
  endsAnywhere: boolean;
}

/** Builds the patterns of a query's terms. */
export function hitPatterns(terms: readonly Term[]): HitPattern[] {
  let left = mostLetters;
  return terms.flatMap(({ text, isPrefix: isBeginning }) => {
    const whole = fullyFolded(text.slice(0, Math.max(0, left))).normalize("NFKD");
    const words = whole.slice(0, Math.max(0, left)).match(word) ?? [];
    if (words.length === 0) return [];
    const isPrefix = isBeginning || text.length > left || whole.length > left;
    left -= whole.length;
    const body = words.map(lettersOf).join(`[^${inWord}]+`);
    const endsAnywhere = isPrefix || endsUnspaced.test(words.at(-1) ?? "");
    return [
      {
        letters: new RegExp(endsAnywhere ? `${body}(?![${goesOn}])` : body, "giu"),
        beginsAnywhere: beginsUnspaced.test(words[0] ?? ""),
        endsAnywhere,
      },
    ];
  });
}

/** Returns the place of the first hit at or after `from`, or -1. */
function firstHit(text: string, patterns: readonly HitPattern[], from: number): number {
  const found = patterns.flatMap(({ letters, beginsAnywhere, endsAnywhere }) => {
    letters.lastIndex = from;
    for (let hit = letters.exec(text); hit !== null; hit = letters.exec(text)) {
      const isWhole =
        (beginsAnywhere || isAt(begin, text, hit.index)) &&
        (endsAnywhere || isAt(end, text, letters.lastIndex));
      if (isWhole) return [hit.index];
      // The next hit may overlap this one. A place inside a surrogate pair would find this one again.
      letters.lastIndex = hit.index + ((text.codePointAt(hit.index) ?? 0) > 0xff_ff ? 2 : 1);
    }
    return [];
  });
  return found.length === 0 ? -1 : Math.min(...found);
}

function isAt(border: RegExp, text: string, place: number): boolean {
  border.lastIndex = place;
  return border.test(text);
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

/** Returns the marks after this letter that the index ignores. */
function marksOf(letter: string): string {
  const marks = /[\p{Script=Latin}\p{Script=Greek}]/u.test(letter)
    ? accents
    : /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(letter)
      ? points
      : "";
  return `[${widthless}${marks}]*`;
}

/**
 * One letter may fold into eighteen (U+FDFA). A text is therefore folded in pieces, and the folded length is charged.
 */
const pieceCharacters = 1_000;
/** Characters of the neighbouring pieces that are searched with each one, for hits across the border. */
const overlap = 200;

/** The remaining cost of finding snippets, in folded characters. */
export interface SnippetWork {
  left: number;
}

/**
 * Returns the text around the first hit as one line. Undefined if there is none, or if the work was spent. The event
 * loop runs in between.
 */
export async function snippetOf(
  text: string,
  patterns: readonly HitPattern[],
  work: SnippetWork,
): Promise<string | undefined> {
  for (let start = 0; start < text.length && work.left > 0; start += pieceCharacters) {
    await turn();
    const end = start + pieceCharacters;
    const [head, body, tail] = [
      text.slice(Math.max(0, start - overlap), start),
      text.slice(start, end),
      text.slice(end, end + overlap),
    ].map((part) => part.normalize("NFKD"));
    const plain = `${head}${body}${tail}`;
    work.left -= plain.length;
    spend(plain.length);
    // Earlier hits were found with the previous piece, and later ones are found whole with the next one.
    const at = firstHit(plain, patterns, head?.length ?? 0);
    if (at !== -1 && at - (head?.length ?? 0) < (body?.length ?? 0)) {
      return lineAround(plain, at, start > overlap, end + overlap < text.length);
    }
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
