import type { Hasher } from "../hasher.ts";
import { sentCharacters } from "../ledger.ts";
import { encodedParts, matchesInRuns } from "../reading/odd-runs.ts";
import { newPart } from "../reading/new-part.ts";
import { NotCompared, type Reading } from "../reading/reading.ts";
import { type TrustedReading, readingsOf } from "../reading/readings.ts";
import { type Token, digitsIn, isEveryday } from "../reading/tokens.ts";
import { type DateParts, datePartsOf } from "./date-parts.ts";
import { type Piece, countsOf } from "./piece.ts";
import { inShortLines, piecesIn } from "./pieces-in.ts";

/** Limit on words of a text in which pieces of a run are searched. */
const mostPlacedWords = 20;
/** The pieces of one text. */
export interface Pieces {
  all: readonly Piece[];
  telling: readonly Piece[];
  withoutDigit: readonly Piece[];
  /** Single characters between spaces, in a short text. Those within a number or word, such as in `0.1`, belong to it. */
  singles: readonly Piece[];
  /** Parts that may be hexadecimal digits of an encoded text. */
  hex: readonly string[];
  /** Parts that may be encoded otherwise. */
  encoded: readonly string[];
  dateParts: DateParts;
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
const shortestHex = 3;

function hexPartsOf(text: string): readonly string[] {
  const parts = matchesInRuns(text, hexForm, shortestHex).map(({ run }) => run.toLowerCase());
  return parts.filter((part) => !isEveryday(part));
}

/** Limit on hexadecimal parts that are joined. */
export const mostHexParts = 8;

/** Pieces of earlier texts, which do not change between comparisons. */
const known = new WeakMap<Hasher, Map<string, Pieces>>();
const mostKnown = { texts: 2_000, counts: 100_000 };

function knownWith(hasher: Hasher): Map<string, Pieces> {
  let own = known.get(hasher);
  if (own === undefined) known.set(hasher, (own = new Map<string, Pieces>()));
  return own;
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
  const found = own.get(text) ?? (isLastLong(text, hasher) ? lastLong.pieces : undefined);
  if (found !== undefined) return found;
  // Only before a comparison, which reads the pieces of the new text first. Those of all its texts share their counts.
  const counts = countsOf(hasher);
  const isFull = own.size >= mostKnown.texts || counts.size >= mostKnown.counts;
  if (readings !== undefined && isFull) {
    own.clear();
    counts.clear();
    lastEarlier = { hasher: undefined, texts: [], pieces: [] };
    lastLong = { hasher: undefined, text: "", pieces: undefined };
  }
  const read = readings ?? earlierReadingsOf(text);
  const { all, singles } = piecesIn(text, read, hasher);
  const pieces: Pieces = {
    all,
    singles,
    hex: hexPartsOf(text),
    encoded: encodedParts(text),
    telling: all.filter(({ isTelling }) => isTelling),
    withoutDigit: all.filter(({ hasDigit }) => !hasDigit),
    dateParts: datePartsOf(read),
    words: wordsIn(read, text, hasher),
  };
  if (text.length <= sentCharacters) own.set(text, pieces);
  else lastLong = { hasher, text, pieces };
  return pieces;
}

/** The last text that is too long to be kept, with its pieces. One comparison needs them several times. */
let lastLong: { hasher: Hasher | undefined; text: string; pieces: Pieces | undefined } = {
  hasher: undefined,
  text: "",
  pieces: undefined,
};

function isLastLong(text: string, hasher: Hasher): boolean {
  return lastLong.hasher === hasher && lastLong.text === text;
}

/** The last earlier texts with their pieces. Most calls have the same ones, and looking up each text takes longer. */
let lastEarlier: { hasher: Hasher | undefined; texts: readonly string[]; pieces: Pieces[] } = {
  hasher: undefined,
  texts: [],
  pieces: [],
};

/** Returns the pieces of earlier texts. */
export function piecesOfEarlier(texts: readonly string[], hasher: Hasher): Pieces[] {
  const last = lastEarlier.hasher === hasher ? lastEarlier : undefined;
  const start = last?.texts.indexOf(texts[0] ?? "") ?? -1;
  const pieces = texts.map((text, at) => {
    const known =
      start >= 0 && last?.texts[start + at] === text ? last.pieces[start + at] : undefined;
    return known ?? piecesOf(text, hasher);
  });
  lastEarlier = { hasher, texts, pieces };
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
