import { bitsOf, pairsOf } from "../reading/find-codes.ts";
import type { Hasher } from "../hasher.ts";
import { sentCharacters } from "../ledger.ts";
import { decodedPieces } from "./encoded-pieces.ts";
import { weightOf } from "../reading/frequent-words.ts";
import { newPart, wholeOf } from "../reading/new-part.ts";
import { NotCompared, type Reading, type Span, backwards, spanOf } from "../reading/reading.ts";
import { type TrustedReading, fewWords, readingsOf } from "../reading/readings.ts";
import { spokenPhrases } from "../spelling/number-words.ts";
import {
  type Token,
  digitsIn,
  isEveryday,
  isPrintable,
  isUnspaced,
  tokensOf,
} from "../reading/tokens.ts";

// The possible pieces of codes in outgoing texts.

/** The fewest characters of a code that is sent in pieces. */
export const charactersNeeded = 4;
/** Limit on places of pieces in one text. A text with more is a table. */
const placesPerText = 24;
/** A longer part is not a piece. Characters. */
const longestPiece = 48;
/** Bits for each letter of a piece without digits: of a frequent word, and of one that is in no list. */
const wordLetterBits = 2;
const oddLetterBits = 3;

/** Limit on words of a text in which pieces of a run are searched. */
const mostPlacedWords = 20;
/** Limit on words of a text in several lines, such as the arguments of one call. A longer one is a document. */
const mostWordsOfLines = 60;

/** How often a comparison has found a word. Pieces with the same text share it, because a map would be slower. */
interface Count {
  /** The comparison that counted last. */
  comparison: number;
  /** Pieces without digits. */
  times: number;
  /** Pieces that some code may have. */
  copies: number;
}

export interface Piece {
  text: string;
  count: Count;
  /** Whether some code may have the piece, and the version of the items for which that was found out. */
  mayBeInCode: { version: number; is: boolean };
  pairs: readonly number[];
  span: Span;
  hasDigit: boolean;
  /** The information of the piece. */
  bits: number;
  /** False for a single character, and for a year or date, which occur in many texts. */
  isTelling: boolean;
  /** True if the characters were in the opposite order. */
  isBackwards: boolean;
  /** The place among those of its text. Different ways to read the same characters have the same place. */
  place: number;
}

/** Zero is the most frequent digit of ordinary numbers, and proves less than another one. */
const bitsOfZeros = 1;

const zerosIn = (text: string): number => text.split("0").length - 1;
const bitsOfLetters = (text: string): number =>
  text.length * (weightOf(text) === 1 ? oddLetterBits : wordLetterBits);

type Way = Pick<Piece, "span" | "isBackwards" | "place">;

export function toPiece(text: string, { span, isBackwards, place }: Way, hasher: Hasher): Piece {
  const hasDigit = /\p{N}/u.test(text);
  return {
    text,
    count: countOf(text, hasher),
    mayBeInCode: { version: 0, is: false },
    pairs: pairsOf(text, hasher),
    span,
    hasDigit,
    bits: hasDigit ? bitsOf(text) - bitsOfZeros * zerosIn(text) : bitsOfLetters(text),
    isTelling:
      text.length > 1 &&
      !(
        text.length >= charactersNeeded &&
        (isEveryday(text) || (isBackwards && isEveryday(backwards(text))))
      ),
    isBackwards,
    place,
  };
}

/** The pieces of one text. */
export interface Pieces {
  all: readonly Piece[];
  telling: readonly Piece[];
  withoutDigit: readonly Piece[];
  /** Single characters between spaces, in a short text. Those within a number or word, such as in `0.1`, belong to it. */
  singles: readonly Piece[];
  /** Parts that may be hexadecimal digits of an encoded text. */
  hex: readonly string[];
  /** Undefined for a longer text than `mostPlacedWords`, which is a document. */
  words: Words | undefined;
}

/** The words of a text, decoded as far as possible, and those of the text backwards. */
export interface Words {
  forwards: readonly PlacedWord[];
  backwards: readonly PlacedWord[];
}

export interface PlacedWord {
  token: Token;
  /** The fingerprint of the token. */
  hash: number;
  reading: Reading;
}

const hexForm = /(?<![\w+/=-])(?=[a-f]*\d)[0-9a-f]{3,64}(?![\w+/=-])/gi;

function hexPartsOf(text: string): readonly string[] {
  const parts = (text.match(hexForm) ?? []).map((part) => part.toLowerCase());
  return parts.filter((part) => !isEveryday(part));
}

/** Limit on hexadecimal parts that are joined. */
export const mostHexParts = 8;

/** Pieces of earlier texts, which do not change between comparisons, and the counts of their words. */
const known = new WeakMap<Hasher, { pieces: Map<string, Pieces>; counts: Map<string, Count> }>();
const mostKnown = { texts: 2_000, counts: 100_000 };

function knownWith(hasher: Hasher) {
  let own = known.get(hasher);
  if (own === undefined) known.set(hasher, (own = { pieces: new Map(), counts: new Map() }));
  return own;
}

function countOf(text: string, hasher: Hasher): Count {
  const { counts } = knownWith(hasher);
  let count = counts.get(text);
  if (count === undefined) counts.set(text, (count = { comparison: 0, times: 0, copies: 0 }));
  return count;
}

/**
 * Returns the pieces of a text.
 * @param readings the readings of the text, if known
 */
export function piecesOf(
  text: string,
  hasher: Hasher,
  readings?: readonly TrustedReading[],
): Pieces {
  const own = knownWith(hasher);
  const found = own.pieces.get(text);
  if (found !== undefined) return found;
  // Only before a comparison, which reads the pieces of the new text first. Those of all its texts share their counts.
  const isFull = own.pieces.size >= mostKnown.texts || own.counts.size >= mostKnown.counts;
  if (readings !== undefined && isFull) {
    own.pieces.clear();
    own.counts.clear();
  }
  const read = readings ?? earlierReadingsOf(text);
  const { all, singles } = piecesIn(text, read, hasher);
  const pieces: Pieces = {
    all,
    singles,
    hex: hexPartsOf(text),
    telling: all.filter(({ isTelling }) => isTelling),
    withoutDigit: all.filter(({ hasDigit }) => !hasDigit),
    words: wordsIn(read, text, hasher),
  };
  if (text.length <= sentCharacters) own.pieces.set(text, pieces);
  return pieces;
}

/** Returns the words of a text. */
export function wordsOf(
  text: string,
  hasher: Hasher,
  readings?: readonly TrustedReading[],
): Words | undefined {
  return piecesOf(text, hasher, readings).words;
}

/**
 * Returns the words of the decoded form with the fewest digits. Encoded words have more digits than the words that they
 * encode.
 */
function wordsIn(
  readings: readonly TrustedReading[],
  written: string,
  hasher: Hasher,
): Words | undefined {
  const [first] = readings;
  let chosen = first;
  if (first === undefined || chosen === undefined) return { forwards: [], backwards: [] };
  let fewest = digitsIn(first.text);
  for (const reading of readings) {
    if (fewest === 0) break;
    if (reading === first || reading.trust !== "plain") continue;
    const digits = digitsIn(reading.text);
    if (digits < fewest && newPart(reading, first).hasNewWords)
      [chosen, fewest] = [reading, digits];
  }
  const { length } = chosen.tokens();
  if (length > mostPlacedWords && inShortLines(chosen.tokens(), chosen, written).length < length)
    return undefined;
  const backwards = readings.find(({ trust }) => trust === "reversed");
  return {
    forwards: placed(chosen, hasher),
    backwards: backwards === undefined ? [] : placed(backwards, hasher),
  };
}

function placed(reading: Reading, hasher: Hasher): PlacedWord[] {
  return reading.tokens().map((token) => ({ token, hash: hasher.token(token.text), reading }));
}

/**
 * Returns the readings of a text that was sent. A text that cannot be compared was approved by a person, and has none.
 */
function earlierReadingsOf(text: string): readonly TrustedReading[] {
  try {
    return readingsOf(text);
  } catch (error) {
    if (error instanceof NotCompared) return [];
    throw error;
  }
}

/** Several tokens without a space between them, such as a part of an address. The scheme of a URL is left out. */
const chunkForm =
  /(?:(?<=https?:\/{0,2})|(?<!\S))(?!https?:)\S*[\p{L}\p{N}][^\s\p{L}\p{N}\p{M}]+[\p{L}\p{N}]\S*/gu;
/** Groups of digits, as in numbers of telephones and accounts. */
const groupsForm = /[\p{L}\p{N}]*\p{N}(?:[\s\-./()]{1,3}[\p{L}\p{N}]*\p{N}[\p{L}\p{N}]*)+/gu;
const mayHaveGroups = /\d[\s\-./()]{1,3}[a-z]*\d/;
const mayHaveChunks = /[^\s][^\s\p{L}\p{N}\p{M}]+[\p{L}\p{N}]/u;
const singlesForm =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[^\p{L}\p{N}]{1,3}[\p{L}\p{N}](?![\p{L}\p{N}]))+/gu;

/**
 * Returns the possible pieces of codes: tokens with digits, words of a short text, parts of addresses, groups of
 * digits, runs of single characters, and decoded words, each in both directions.
 */
function piecesIn(
  written: string,
  readings: readonly TrustedReading[],
  hasher: Hasher,
): Pick<Pieces, "all" | "singles"> {
  const apart = new Set<string>();
  const pieces = new Map<string, Piece>();
  const places = new Set<number>();
  const add = (whole: string, spanOfWhole: () => Span, spanOfPlace?: () => Span): void => {
    const text = whole.replace(/[^\p{L}\p{N}]/gu, "");
    if (text.length < 1 || text.length > longestPiece || pieces.has(text)) return;
    // Computed late, because the places of most readings are not needed.
    const span = spanOfWhole();
    const place = spanOfPlace === undefined ? span.start : spanOfPlace().start;
    if (places.size >= placesPerText && !places.has(place)) return;
    places.add(place);
    pieces.set(text, toPiece(text, { span, isBackwards: false, place }, hasher));
    const turned = backwards(text);
    const key = `${turned} backwards`;
    if (turned === text || pieces.has(key)) return;
    pieces.set(key, toPiece(turned, { span, isBackwards: true, place }, hasher));
  };
  const [first] = readings;
  for (const reading of readings) {
    // Decoded readings repeat most of the text, so only their codes and new words are added.
    if (reading.trust !== "plain") continue;
    if (places.size >= placesPerText) break;
    const tokens = reading.tokens();
    const part =
      reading === first || first === undefined ? wholeOf(reading) : newPart(reading, first);
    const addAll = (form: RegExp): void => {
      for (const { 0: run, index } of reading.text.matchAll(form))
        add(run, () => spanOf(reading, index, index + run.length));
    };
    const fresh = tokens.slice(part.first, part.last + 1);
    const words = tokens.length > fewWords ? inShortLines(fresh, reading, written) : fresh;
    for (const [index, token] of tokens.entries()) {
      const { text, start, end, hasDigit } = token;
      if (!hasDigit && !words.includes(token)) continue;
      if (text.length === 1 && words.includes(token) && isApart(index, reading)) apart.add(text);
      const span = (): Span => spanOf(reading, start, end);
      add(text, span);
      const said = hasDigit ? undefined : spokenPhrases.get(text);
      if (said?.length === 1) add(said, span);
      if (!hasDigit) continue;
      for (const run of text.matchAll(/\p{N}{2,}|\p{L}{2,}/gu))
        if (run[0].length < text.length)
          add(
            run[0],
            () => spanOf(reading, start + run.index, start + run.index + run[0].length),
            span,
          );
    }
    if (part.last < part.first) continue;
    const freshText = reading.text.slice(tokens[part.first]?.start, tokens[part.last]?.end);
    if (mayHaveChunks.test(freshText)) addAll(chunkForm);
    if (mayHaveGroups.test(freshText)) addAll(groupsForm);
    if (mayHaveSingles(reading.text, tokens)) addAll(singlesForm);
  }
  for (const { text, span } of decodedPieces(written)) {
    add(text, () => span);
    for (const token of tokensOf(text)) add(token.text, () => span);
  }
  const all = [...pieces.values()].toSorted((one, other) => one.place - other.place);
  return { all, singles: all.filter(({ text }) => apart.has(text)) };
}

/** Returns the words of short lines. Each argument of a call is a line, and a short text of its own. */
function inShortLines(
  tokens: readonly Token[],
  reading: Reading,
  written: string,
): readonly Token[] {
  if (tokens.length > mostWordsOfLines || !written.includes("\n")) return [];
  const lines = new Map<number, Token[]>();
  for (const token of tokens) {
    const { start } = spanOf(reading, token.start, token.end);
    const line = written.lastIndexOf("\n", start);
    lines.set(line, [...(lines.get(line) ?? []), token]);
  }
  return [...lines.values()].filter(({ length }) => length <= fewWords).flat();
}

/** Returns whether a space separates a token from each of its neighbours, unless those have another script. */
function isApart(index: number, reading: Reading): boolean {
  const tokens = reading.tokens();
  const [before, token, after] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  const isSpace = (start = 0, end = 0): boolean => /\s/.test(reading.text.slice(start, end));
  return (
    (before === undefined || isUnspaced(before) || isSpace(before.end, token?.start)) &&
    (after === undefined || isUnspaced(after) || isSpace(token?.end, after.start))
  );
}

/** Returns false if a text has no two single characters in a row. Most texts have none. */
function mayHaveSingles(text: string, tokens: readonly Token[]): boolean {
  // Marks are parts of tokens, and other scripts have tokens that follow each other without a separator.
  if (!isPrintable.test(text)) return true;
  return tokens.some(
    ({ text: { length } }, at) => length === 1 && tokens[at - 1]?.text.length === 1,
  );
}
