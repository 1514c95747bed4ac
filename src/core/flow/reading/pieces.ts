import { bitsOf, pairsOf } from "./find-codes.ts";
import type { Hasher } from "../hasher.ts";
import { sentCharacters } from "../ledger.ts";
import { NotCompared, type Span, spanOf } from "./reading.ts";
import { type TrustedReading, fewWords, readingsOf } from "./readings.ts";
import { spokenPhrases } from "../spelling/number-words.ts";
import { type Token, isEveryday, isPrintable } from "./tokens.ts";

// The possible pieces of codes in outgoing texts.

/** The fewest characters of a code that is sent in pieces. */
export const charactersNeeded = 4;
/** Most pieces of one text. A text with more is a table. */
const piecesPerText = 24;
/** A longer token is not a piece. Characters. */
const longestPiece = 24;
/** A shorter piece is not read backwards. Characters. */
const shortestBackwards = 3;
/** Bits for each letter of a piece without digits, because most of these are ordinary words. */
const wordLetterBits = 2;

/** Most characters that are sent singly, one in each call. */
const longestSingles = 16;

export interface Piece {
  text: string;
  pairs: readonly number[];
  span: Span;
  hasDigit: boolean;
  /** The information of the piece. */
  bits: number;
  /** False for a single character, and for a year or date, which occur in many texts. */
  isTelling: boolean;
}

function toPiece(text: string, span: Span, hasher: Hasher): Piece {
  const hasDigit = /\p{N}/u.test(text);
  return {
    text,
    pairs: pairsOf(text, hasher),
    span,
    hasDigit,
    bits: hasDigit ? bitsOf(text) : text.length * wordLetterBits,
    isTelling: text.length > 1 && !(text.length >= charactersNeeded && isEveryday(text)),
  };
}

/** The pieces of one text. */
export interface Pieces {
  all: readonly Piece[];
  telling: readonly Piece[];
  withoutDigit: readonly Piece[];
}

/** Pieces of earlier texts, which do not change between comparisons. */
const known = new WeakMap<Hasher, Map<string, Pieces>>();
const mostKnown = 2_000;

/**
 * Returns the pieces of a text.
 * @param readings the readings of the text, if known
 */
export function piecesOf(
  text: string,
  hasher: Hasher,
  readings?: readonly TrustedReading[],
): Pieces {
  let own = known.get(hasher);
  if (own === undefined) known.set(hasher, (own = new Map<string, Pieces>()));
  const found = own.get(text);
  if (found !== undefined) return found;
  const all = piecesIn(readings ?? earlierReadingsOf(text), hasher);
  const pieces = {
    all,
    telling: all.filter(({ isTelling }) => isTelling),
    withoutDigit: all.filter(({ hasDigit }) => !hasDigit),
  };
  if (own.size >= mostKnown) own.clear();
  if (text.length <= sentCharacters) own.set(text, pieces);
  return pieces;
}

/** Returns the readings of a text that was sent. Someone approved it if it was not compared. */
function earlierReadingsOf(text: string): readonly TrustedReading[] {
  try {
    return readingsOf(text);
  } catch (error) {
    if (error instanceof NotCompared) return [];
    throw error;
  }
}

/** Returns the possible pieces of codes: tokens with digits, short tokens, and runs of single characters. */
function piecesIn(readings: readonly TrustedReading[], hasher: Hasher): Piece[] {
  const pieces = new Map<string, Piece>();
  const add = (reading: TrustedReading, start: number, end: number): void => {
    const text = reading.text.slice(start, end).replace(/[^\p{L}\p{N}]/gu, "");
    if (text.length < 1 || text.length > longestPiece || pieces.has(text)) return;
    pieces.set(text, toPiece(text, spanOf(reading, start, end), hasher));
  };
  for (const [index, reading] of readings.entries()) {
    // Decoded readings repeat most of the text, so only their codes are added.
    if (reading.trust !== "plain") continue;
    if (pieces.size >= piecesPerText) break;
    const tokens = reading.tokens();
    for (const { text, start, end, hasDigit } of tokens) {
      if (!hasDigit && (index > 0 || tokens.length > fewWords)) continue;
      if (pieces.size >= piecesPerText) break;
      add(reading, start, end);
      const said = hasDigit ? undefined : spokenPhrases.get(text);
      if (said?.length === 1 && !pieces.has(said))
        pieces.set(said, toPiece(said, spanOf(reading, start, end), hasher));
      if (!hasDigit) continue;
      const backwards = Array.from(text).toReversed().join("");
      if (text.length >= shortestBackwards && text.length <= longestPiece && !pieces.has(backwards))
        pieces.set(backwards, toPiece(backwards, spanOf(reading, start, end), hasher));
      for (const run of text.matchAll(/\p{N}{2,}|\p{L}{2,}/gu))
        if (run[0].length < text.length)
          add(reading, start + run.index, start + run.index + run[0].length);
    }
    if (!mayHaveSingles(reading.text, tokens)) continue;
    for (const run of reading.text.matchAll(
      /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[^\p{L}\p{N}]{1,3}[\p{L}\p{N}](?![\p{L}\p{N}]))+/gu,
    ))
      add(reading, run.index, run.index + run[0].length);
  }
  return [...pieces.values()].slice(0, piecesPerText);
}

/** Returns false if a text has no two single characters in a row. Most texts have none. */
function mayHaveSingles(text: string, tokens: readonly Token[]): boolean {
  // Marks are parts of tokens, and other scripts have tokens that follow each other without a separator.
  if (!isPrintable.test(text)) return true;
  return tokens.some(
    ({ text: { length } }, at) => length === 1 && tokens[at - 1]?.text.length === 1,
  );
}

/** Joins the single characters at the ends of successive texts: a code that is sent one character a call. */
export function singleCharacters(texts: readonly Pieces[], hasher: Hasher): Piece[] {
  const characters: string[] = [];
  let span: Span | undefined;
  for (let at = texts.length - 1; at >= 0; at -= 1) {
    const single = texts[at]?.all.findLast(({ text }) => text.length === 1);
    if (single === undefined) break;
    span ??= single.span;
    characters.unshift(single.text);
  }
  const all = characters.join("");
  if (span === undefined) return [];
  const place = span;
  return Array.from(
    { length: Math.max(0, Math.min(all.length, longestSingles) - charactersNeeded + 1) },
    (_, more) => all.slice(-charactersNeeded - more),
  )
    .flatMap((text) => [text, Array.from(text).toReversed().join("")])
    .map((text) => toPiece(text, place, hasher));
}
