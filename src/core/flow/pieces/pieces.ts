import { bitsOf, pairsOf } from "../reading/find-codes.ts";
import type { Hasher } from "../hasher.ts";
import { sentCharacters } from "../ledger.ts";
import { decodedPieces } from "./encoded-pieces.ts";
import { weightOf } from "../reading/frequent-words.ts";
import { newPart, wholeOf } from "../reading/new-part.ts";
import { NotCompared, type Reading, type Span, spanOf } from "../reading/reading.ts";
import { type TrustedReading, fewWords, readingsOf } from "../reading/readings.ts";
import { spokenPhrases } from "../spelling/number-words.ts";
import { type Token, digitsIn, isEveryday, isPrintable, tokensOf } from "../reading/tokens.ts";

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

/** Limit on characters that are sent singly, one in each call. */
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
  /** True if the characters were in the opposite order. */
  isBackwards: boolean;
  /** The place among those of its text. Different ways to read the same characters have the same place. */
  place: number;
}

type Way = Pick<Piece, "span" | "isBackwards" | "place">;

function toPiece(text: string, { span, isBackwards, place }: Way, hasher: Hasher): Piece {
  const hasDigit = /\p{N}/u.test(text);
  return {
    text,
    pairs: pairsOf(text, hasher),
    span,
    hasDigit,
    bits: hasDigit ? bitsOf(text) : bitsOfLetters(text),
    isTelling: text.length > 1 && !(text.length >= charactersNeeded && isEveryday(text)),
    isBackwards,
    place,
  };
}

function bitsOfLetters(text: string): number {
  return text.length * (weightOf(text) === 1 ? oddLetterBits : wordLetterBits);
}

/** The pieces of one text. */
export interface Pieces {
  all: readonly Piece[];
  telling: readonly Piece[];
  withoutDigit: readonly Piece[];
  /** Undefined for a longer text than `mostPlacedWords`, which is a document. */
  words: Words | undefined;
}

/** The words of a text, decoded as far as possible, and those of the text backwards. */
export interface Words {
  forwards: readonly PlacedWord[];
  backwards: readonly PlacedWord[];
}

interface PlacedWord {
  token: Token;
  reading: Reading;
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
  const read = readings ?? earlierReadingsOf(text);
  const all = piecesIn(text, read, hasher);
  const pieces: Pieces = {
    all,
    telling: all.filter(({ isTelling }) => isTelling),
    withoutDigit: all.filter(({ hasDigit }) => !hasDigit),
    words: wordsIn(read),
  };
  if (own.size >= mostKnown) own.clear();
  if (text.length <= sentCharacters) own.set(text, pieces);
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
function wordsIn(readings: readonly TrustedReading[]): Words | undefined {
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
  if (chosen.tokens().length > mostPlacedWords) return undefined;
  const backwards = readings.find(({ trust }) => trust === "reversed");
  return { forwards: placed(chosen), backwards: backwards === undefined ? [] : placed(backwards) };
}

function placed(reading: Reading): PlacedWord[] {
  return reading.tokens().map((token) => ({ token, reading }));
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
function piecesIn(written: string, readings: readonly TrustedReading[], hasher: Hasher): Piece[] {
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
    const backwards = text.length > 1 ? Array.from(text).toReversed().join("") : text;
    const key = `${backwards} backwards`;
    if (backwards === text || pieces.has(key)) return;
    pieces.set(key, toPiece(backwards, { span, isBackwards: true, place }, hasher));
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
    const words = tokens.length > fewWords ? [] : tokens.slice(part.first, part.last + 1);
    for (const token of tokens) {
      const { text, start, end, hasDigit } = token;
      if (!hasDigit && !words.includes(token)) continue;
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
    const fresh = reading.text.slice(tokens[part.first]?.start, tokens[part.last]?.end);
    if (mayHaveChunks.test(fresh)) addAll(chunkForm);
    if (mayHaveGroups.test(fresh)) addAll(groupsForm);
    if (mayHaveSingles(reading.text, tokens)) addAll(singlesForm);
  }
  for (const { text, span } of decodedPieces(written)) {
    add(text, () => span);
    for (const token of tokensOf(text)) add(token.text, () => span);
  }
  return [...pieces.values()].toSorted((one, other) => one.place - other.place);
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
    .map((text) => toPiece(text, { span: place, isBackwards: false, place: 0 }, hasher));
}
