import { bitsNeeded, bitsOf, letterBits, pairsOf } from "./find-codes.ts";
import { type Hasher, pairBits } from "../hasher.ts";
import type { Hit, Outgoing } from "../hit.ts";
import type { KnownCode, KnownContents } from "../known-contents.ts";
import { sentCharacters } from "../ledger.ts";
import { NotCompared, type Span, spanOf } from "./reading.ts";
import { type TrustedReading, fewWords, readingsOf } from "./readings.ts";
import { spokenPhrases } from "./number-words.ts";
import { isEveryday } from "./tokens.ts";

/** Earlier texts that are searched for pieces of a code. */
export const callsBack = 40;
/** Most pieces of one text. A text with more is a table. */
const piecesPerText = 24;
/** A longer token is not a piece. Characters. */
const longestPiece = 24;
/** A shorter piece is not read backwards. Characters. */
const shortestBackwards = 3;
/** The share of a code that must have been sent, and the fewest characters. */
const shareNeeded = 0.5;
const charactersNeeded = 4;
/** Most matches of one text. More would not help the person who decides. */
const mostHits = 4;
/** Codes that are examined, the newest first. An older one rarely reaches the needed bits. */
const mostTried = 40;
/** Most places of pairs that are examined. A ledger of 2 000 mails has about 60 000 pairs of codes. */
const mostPlaces = 200_000;
/** Bits beyond those of a coincidence. */
const doubt = 4;
/** Bits for each letter of a piece without digits, because most of these are ordinary words. */
const wordLetterBits = 2;

/** Most characters that are sent singly, one in each call. */
const longestSingles = 16;

interface Piece {
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

/** Pieces of earlier texts, which do not change between comparisons. */
const known = new WeakMap<Hasher, Map<string, readonly Piece[]>>();
const mostKnown = 2_000;

/** Says of each pair whether a piece has it. One comparison takes no turns, and a new array of 32 kB each time is slow. */
const leaves = new Uint8Array(1 << pairBits);
/** For each pair, the index of the first piece that begins with it, plus one. */
const begins = new Int32Array(1 << pairBits);

/** Finds a code of which at least half was sent to one destination, with the last piece in this text. */
export function sentInPieces(
  { text: leaving, earlier }: Outgoing,
  readings: readonly TrustedReading[],
  contents: KnownContents,
  hasher: Hasher,
): Hit[] {
  const now = piecesOf(leaving, hasher, readings);
  if (now.length === 0) return [];
  const texts = [...earlier.slice(-callsBack).map((each) => piecesOf(each, hasher)), now];
  const times = new Map<string, number>();
  for (const own of texts)
    for (const { text, hasDigit } of own)
      if (!hasDigit) times.set(text, (times.get(text) ?? 0) + 1);
  // Words without digits that every text repeats belong to a sentence around the pieces.
  const isPiece = ({ text, hasDigit, isTelling }: Piece): boolean =>
    isTelling && (hasDigit || times.get(text) === 1);
  const before = texts.slice(0, -1).flatMap((own) => own.filter(isPiece));
  const leavingNow = [...now.filter(isPiece), ...singleCharacters(texts, hasher)];
  if (leavingNow.length === 0) return [];
  const pieces = [...before, ...leavingNow];
  leaves.fill(0);
  begins.fill(0);
  const nextSame: number[] = [];
  for (let index = pieces.length - 1; index >= 0; index -= 1) {
    const pairs = pieces[index]?.pairs ?? [];
    for (const pair of pairs) leaves[pair] = 1;
    const first = pairs[0] ?? 0;
    nextSame[index] = (begins[first] ?? 0) - 1;
    begins[first] = index + 1;
  }
  const sent: Sent = { firstNew: before.length, nextSame, ...placesOf(pieces) };
  const hits: Hit[] = [];
  const isEnough = (covered: number, pairCount: number, newer: number): boolean =>
    covered >= neededOf(pairCount) &&
    covered >= (bitsNeeded(newer, pieces.length) + doubt) / letterBits;
  const codes = contents.codesOf({
    now: leavingNow.map(({ pairs }) => pairs),
    left: leaves,
    isEnough,
    most: mostTried,
    mostPlaces,
  });
  for (const code of codes) {
    const hit = hitOf(code, contents, pieces, sent);
    if (hit !== undefined && !hits.some(({ text }) => text === hit.text)) hits.push(hit);
    if (hits.length >= mostHits) break;
  }
  return hits;
}

/** All pieces. `begins` has the first one for each pair. */
interface Sent {
  /** Index of the first piece of the new text. */
  firstNew: number;
  /** For each piece, the index of the next one that begins with the same pair. -1 if there is none. */
  nextSame: readonly number[];
  /** The number of pieces with digits, and how many of them come before each piece or with it. */
  withDigit: number;
  placeOf: readonly number[];
}

/** Pieces with digits are rare, so the words between them do not make a coincidence more likely. */
function placesOf(pieces: readonly Piece[]): Pick<Sent, "withDigit" | "placeOf"> {
  let withDigit = 0;
  const placeOf = pieces.map(({ hasDigit }) => (hasDigit ? (withDigit += 1) : withDigit));
  return { withDigit, placeOf };
}

function hitOf(
  code: KnownCode,
  contents: KnownContents,
  pieces: readonly Piece[],
  sent: Sent,
): Hit | undefined {
  const chain = bestChain(code, contents, pieces, sent);
  const source = contents.sourceOf(code.content);
  if (chain === undefined || source === undefined) return undefined;
  const { text, span } = chain;
  return { kind: "parts", text, terms: [text], span, sources: [source] };
}

function neededOf(pairCount: number): number {
  return Math.max(charactersNeeded, Math.ceil((pairCount + 1) * shareNeeded));
}

interface Link {
  piece: number;
  at: number;
  end: number;
  bits: number;
  covered: number;
  isNew: boolean;
  text: string;
  span: Span | undefined;
  pieces: number;
}

/** Returns the pieces with the most information, in the order of the code, if a coincidence is unlikely. */
function bestChain(
  code: KnownCode,
  contents: KnownContents,
  pieces: readonly Piece[],
  { firstNew, nextSame, withDigit, placeOf }: Sent,
): { text: string; span: Span } | undefined {
  const needed = bitsNeeded(contents.newerThan(code).codes, 1) + doubt;
  const links: Link[] = [];
  let bitsOfAll = 0;
  let hasNew = false;
  for (let at = 0; at < code.pairCount; at += 1) {
    let piece = (begins[contents.pairAt(code.start + at)] ?? 0) - 1;
    for (; piece >= 0; piece = nextSame[piece] ?? -1) {
      const sentPiece = pieces[piece];
      if (sentPiece === undefined) continue;
      const { text, pairs, span, bits } = sentPiece;
      if (at + pairs.length > code.pairCount) continue;
      if (!contents.hasPairsAt(code.start + at, pairs)) continue;
      // Whole words of an address occur in ordinary texts too. Pieces that cut through words do not.
      if (code.kind === "place" && areWords(code, at, text.length, contents)) continue;
      const isNew = piece >= firstNew;
      bitsOfAll += bits;
      hasNew ||= isNew;
      links.push({
        piece,
        at,
        end: at + text.length,
        bits,
        covered: text.length,
        isNew,
        text,
        span: isNew ? span : undefined,
        pieces: 1,
      });
    }
  }
  // No chain has more bits than all pieces together.
  if (!hasNew || bitsOfAll < needed) return undefined;
  if (links.length > 64) links.length = 64;
  const ordered = links.toSorted((a, b) => a.at - b.at || a.end - b.end);
  const distance = (one: number, other: number): number =>
    pieces[one]?.hasDigit && pieces[other]?.hasDigit
      ? Math.abs((placeOf[one] ?? 0) - (placeOf[other] ?? 0))
      : Math.abs(one - other);
  const best: Link[] = [];
  for (const link of ordered) {
    const { hasDigit = false } = pieces[link.piece] ?? {};
    const choices = Math.log2(Math.max(1, hasDigit ? withDigit : pieces.length));
    const start = link.bits - choices - (link.at === 0 ? 0 : Math.log2(code.pairCount));
    let chosen: Link = { ...link, bits: start };
    for (const before of best) {
      if (before.end > link.at || before.piece === link.piece) continue;
      const gap = link.at - before.end;
      const bits =
        before.bits +
        link.bits -
        log2(1 + distance(link.piece, before.piece)) -
        (gap > 0 ? 1 + log2(1 + gap) : 0);
      if (bits <= chosen.bits) continue;
      chosen = {
        ...link,
        bits,
        covered: before.covered + link.covered,
        isNew: before.isNew || link.isNew,
        text: before.text + link.text,
        span: link.span ?? before.span,
        pieces: before.pieces + 1,
      };
    }
    best.push(chosen);
  }
  const enough = best.find(
    ({ bits, covered, isNew, text, pieces: count }) =>
      isNew &&
      covered >= neededOf(code.pairCount) &&
      bits >= needed &&
      // A single piece of an address may be the name of a website, and people search for these.
      (code.kind === "place" ? count > 1 : /\p{N}/u.test(text)),
  );
  return enough?.span && !isEveryday(enough.text)
    ? { text: enough.text, span: enough.span }
    : undefined;
}

/** Logarithms of the smallest numbers, because one comparison needs thousands. */
const logarithms = Float64Array.from({ length: 1_024 }, (_, number) => Math.log2(number));

function log2(number: number): number {
  return logarithms[number] ?? Math.log2(number);
}

function areWords(code: KnownCode, at: number, length: number, contents: KnownContents): boolean {
  const isEdge = (place: number): boolean =>
    place === 0 || place === code.pairCount + 1 || contents.isSeparated(code.start + place - 1);
  return isEdge(at) && isEdge(at + length);
}

/**
 * Returns the pieces of a text.
 * @param readings the readings of the text, if known
 */
function piecesOf(
  text: string,
  hasher: Hasher,
  readings?: readonly TrustedReading[],
): readonly Piece[] {
  const own = known.get(hasher) ?? new Map<string, readonly Piece[]>();
  known.set(hasher, own);
  const found = own.get(text);
  if (found !== undefined) return found;
  const pieces = piecesIn(readings ?? earlierReadingsOf(text), hasher);
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
    for (const run of reading.text.matchAll(
      /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[^\p{L}\p{N}]{1,3}[\p{L}\p{N}](?![\p{L}\p{N}]))+/gu,
    ))
      add(reading, run.index, run.index + run[0].length);
  }
  return [...pieces.values()].slice(0, piecesPerText);
}

/** Joins the single characters at the ends of successive texts: a code that is sent one character a call. */
function singleCharacters(texts: readonly (readonly Piece[])[], hasher: Hasher): Piece[] {
  const characters: string[] = [];
  let span: Span | undefined;
  for (const pieces of texts.toReversed()) {
    const single = pieces.findLast(({ text }) => text.length === 1);
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
