import type { Fingerprints } from "./fingerprint.ts";
import { normalisedText } from "./normalise.ts";
import {
  type Token,
  isEveryday,
  longestSolid,
  placeForm,
  shortestSolid,
  shortestWord,
  squeezed,
  tokensOf,
  withoutSpaces,
} from "./tokens.ts";

/** Codes per content. A longer list is a table, whose numbers are no secrets. */
const maxSolids = 1_500;

/** The part of a text that is fingerprinted. No result of a tool is longer. Characters. */
const maxCharacters = 200_000;

/** A code that leaves in parts is recognised by a piece of at least so many characters and this share of the code. */
const shortestPiece = 4;
const pieceShare = 0.5;

/** The last digits of a telephone number, which are the same with and without the country's number. */
const nationalDigits = 8;

/** Returns the fingerprints that identify a private text without revealing it. */
export function marksOf(text: string, fingerprints: Fingerprints): ReadonlySet<number> {
  const marks = new Set<number>();
  const plain = normalisedText(text.slice(0, maxCharacters));
  const tokens = tokensOf(plain);
  for (const [solid, isWhole] of solidsOf(plain, tokens)) {
    marks.add(fingerprints.of("solid", solid));
    if (!isWhole) continue;
    for (const piece of piecesOf(solid)) marks.add(fingerprints.of("piece", piece));
  }
  const words = new Set(tokens.filter(isWord).map(({ text: word }) => word));
  for (const word of words) marks.add(fingerprints.of("word", word));
  for (const run of fingerprints.runs(tokens.map(({ text: word }) => word))) marks.add(run);
  for (const window of windowsOf(withoutSpaces(plain)))
    marks.add(fingerprints.of("word", window.text));
  return marks;
}

export function isWord({ text, hasDigit }: Token): boolean {
  return !hasDigit && text.length >= shortestWord;
}

/** Characters in a row in scripts without spaces. They say about as much as a run of five words. */
const windowLength = 8;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{8,}/gu;

/** Returns the windows of texts in scripts without spaces, each with its place. */
export function windowsOf(text: string): { text: string; start: number }[] {
  return Array.from(text.matchAll(unspaced)).flatMap(({ 0: run, index }) =>
    Array.from({ length: run.length - windowLength + 1 }, (_, at) => ({
      text: run.slice(at, at + windowLength),
      start: index + at,
    })),
  );
}

/** Returns numbers, codes, addresses and URLs, in every way in which their parts may be joined. */
function solidsOf(plain: string, tokens: readonly Token[]): Map<string, boolean> {
  /** True for a code as it is written, false for a part of it. */
  const solids = new Map<string, boolean>();
  const add = (text: string, isWhole: boolean): void => {
    if (text.length < shortestSolid || text.length > 120 || solids.size >= maxSolids) return;
    solids.set(text, isWhole || solids.get(text) === true);
  };
  for (const [place] of plain.matchAll(placeForm)) add(squeezed(place), true);
  for (const chain of chainsOf(plain, tokens)) {
    // A table of numbers has no codes in groups, and its joins would be a hundred times as many as its numbers.
    const isList = chain.length >= longestChain;
    for (let first = 0; first < chain.length; first += 1) {
      let joined = "";
      let hasDigit = false;
      for (let last = first; last < chain.length; last += 1) {
        const token = chain[last];
        if (token === undefined) break;
        joined += token.text;
        hasDigit ||= token.hasDigit;
        if (joined.length > longestSolid || (isList && last > first)) break;
        if (!hasDigit || joined.length < shortestSolid) continue;
        if (isEveryday(plain.slice(chain[first]?.start, token.end))) continue;
        add(joined, first === 0 && last === chain.length - 1);
        if (/^\d{9,}$/.test(joined)) add(joined.slice(-nationalDigits), false);
      }
    }
  }
  return solids;
}

/** Parts of one code. Only lists have more. */
const longestChain = 8;

/** Returns chains of tokens that may be one code: tokens with hyphens or dots between them, and groups of digits. */
function chainsOf(plain: string, tokens: readonly Token[]): Token[][] {
  const chains: Token[][] = [];
  let chain: Token[] = [];
  for (const token of tokens) {
    const before = chain.at(-1);
    const gap = before && plain.slice(before.end, token.start);
    const goesOn =
      before !== undefined &&
      gap !== undefined &&
      (/^[-._/\u2010-\u2015]$/.test(gap) ||
        (before.hasDigit && token.hasDigit && /^[\s\-./()]{1,3}$/.test(gap)));
    if (!goesOn || chain.length >= longestChain) {
      if (chain.some(({ hasDigit }) => hasDigit)) chains.push(chain);
      chain = [];
    }
    chain.push(token);
  }
  if (chain.some(({ hasDigit }) => hasDigit)) chains.push(chain);
  return chains;
}

/** Returns beginnings and ends of at least half a code, which recognise a code that leaves in parts. */
function piecesOf(solid: string): string[] {
  const least = Math.max(shortestPiece, Math.ceil(solid.length * pieceShare));
  if (solid.length > longestSolid) return [];
  return Array.from(
    { length: Math.max(0, solid.length - least) },
    (_, more) => least + more,
  ).flatMap((length) => [solid.slice(0, length), solid.slice(-length)]);
}
