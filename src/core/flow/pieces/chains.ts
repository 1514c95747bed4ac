import { bitsNeeded, bitsOf } from "../reading/find-codes.ts";
import type { KnownCode, KnownContents } from "../known-contents.ts";
import type { Piece } from "./piece.ts";
import type { Span } from "../reading/reading.ts";
import { digitsIn, isEveryday } from "../reading/tokens.ts";

// The pieces of one code, in its order.

/** Limit on pieces of one code that are examined. */
const mostLinks = 64;
/** Limit on characters that two neighbouring pieces have in common. */
const mostOverlap = 2;
/** Bits beyond those of a coincidence, and how many more for letters without digits. */
export const doubt = 4;
const doubtOfLetters = 3;

/**
 * Bits that a chain needs less if it has all characters of a password, without the doubt and a little more. Numbers are
 * different: ordinary texts are full of digits.
 */
const lessForWhole = 6;

/** All pieces that were sent. */
export interface Sent {
  /** Index of the first piece of the new text. */
  firstNew: number;
  /** Returns whether a piece has a pair. */
  hasLeft: (pair: number) => boolean;
  /** For each pair that a piece has, the index of the first piece that begins with it, plus one. */
  begins: Int32Array;
  /** For each piece, the index of the next one that begins with the same pair. -1 if there is none. */
  nextSame: readonly number[];
  places: Places;
}

export interface Places {
  /** The number of places of pieces, and of those with digits. */
  all: number;
  withDigit: number;
  /** For each piece, the number of places until its own. */
  placeOf: readonly number[];
  /** The same for places with digits. Those are rare, so the words between them do not make a coincidence likelier. */
  digitPlaceOf: readonly number[];
}

export interface Way {
  /** The share of the code, and the fewest characters. */
  share: number;
  least: number;
  /** Whether pieces may be whole words of the code. */
  withWords: boolean;
}

export function neededOf(pairCount: number, { share, least }: Way): number {
  return Math.max(least, Math.ceil((pairCount + 1) * share));
}

/** A piece at its place in a code, and the best chain that ends with it. */
interface Link {
  piece: Piece;
  at: number;
  end: number;
  /** The place of the piece, and its place among those with digits. */
  place: number;
  digitPlace: number;
  /** The link before it in the chain. The properties below are those of the chain. */
  before: Link | undefined;
  bits: number;
  covered: number;
  pieces: number;
  /** False if a piece consists of whole words of the code. */
  cutsWords: boolean;
  /** The place of the last new piece. Undefined if all were sent before. */
  span: Span | undefined;
}

/** Returns the pieces with the most information, in the order of the code, if a coincidence is unlikely. */
export function bestChain(
  code: KnownCode,
  contents: KnownContents,
  pieces: readonly Piece[],
  sent: Sent,
  way: Way,
): { text: string; span: Span } | undefined {
  const needed = bitsNeeded(contents.newerThan(code).codes, 1) + doubt;
  const covered = neededOf(code.pairCount, way);
  const links = linksOf(code, contents, pieces, sent, {
    bits: needed,
    covered,
    withWords: way.withWords,
  });
  const chains: Link[] = [];
  for (const link of links) {
    lengthen(link, chains, code, sent.places);
    chains.push(link);
  }
  for (const chain of chains) {
    const { span } = chain;
    if (span === undefined || chain.covered < covered) continue;
    if (!isUnlikely(chain, code, needed)) continue;
    const text = textOf(chain);
    return isEveryday(text) ? undefined : { text, span };
  }
  return undefined;
}

/** Returns whether so many characters are a whole code. People search for all words of an address. */
function isWhole(covered: number, { kind, pairCount }: KnownCode): boolean {
  return (kind === "code" || kind === "secret") && covered > pairCount;
}

/** Adds a piece to the chain with which it has the most bits. The piece stays alone if no chain is better. */
function lengthen(link: Link, chains: readonly Link[], code: KnownCode, places: Places): void {
  const choices = log2(Math.max(1, link.piece.hasDigit ? places.withDigit : places.all));
  link.bits = link.piece.bits - choices - (link.at === 0 ? 0 : log2(code.pairCount));
  for (const before of chains) {
    const together = bitsTogether(before, link);
    if (together > link.bits) [link.bits, link.before] = [together, before];
  }
  const { before } = link;
  if (before === undefined) return;
  link.covered = before.covered + newCharacters(link, before);
  link.pieces += before.pieces;
  link.cutsWords &&= before.cutsWords;
  link.span ??= before.span;
}

/** Returns the bits of a chain with one more piece. `-Infinity` if the piece cannot follow it. */
function bitsTogether(before: Link, link: Link): number {
  const gap = link.at - before.end;
  const canFollow =
    before.at < link.at &&
    before.end < link.end &&
    before.place !== link.place &&
    before.piece.isBackwards === link.piece.isBackwards &&
    -gap <= mostOverlap;
  if (!canFollow) return Number.NEGATIVE_INFINITY;
  // Characters that both pieces have count once.
  return (
    before.bits +
    (link.piece.bits * newCharacters(link, before)) / link.piece.text.length -
    log2(2 * Math.max(1, distance(link, before))) -
    (gap === 0 ? 0 : 1 + log2(1 + Math.abs(gap)))
  );
}

/** Returns whether a chain is unlikely to be a coincidence. */
function isUnlikely(chain: Link, code: KnownCode, most: number): boolean {
  const { bits, pieces, cutsWords, covered } = chain;
  if (bits < most - lessForWhole) return false;
  const text = textOf(chain);
  const isPassword = isWhole(covered, code) && digitsIn(text) * 2 <= covered;
  const needed = isPassword ? most - lessForWhole : most;
  if (bits < needed) return false;
  if (bitsOf(text.replace(repeated, "$1$1")) < needed) return false;
  // A single piece of an address may be the name of a website, and people search for these.
  if (code.kind === "place") return pieces > 1;
  const hasDigit = /\p{N}/u.test(text);
  return hasDigit || (pieces > 1 && cutsWords && bits >= needed + doubtOfLetters);
}

/** Characters that are repeated more than twice prove no more than two of them. */
const repeated = /(.)\1{2,}/gu;

function newCharacters(link: Link, before: Link): number {
  return link.end - Math.max(before.end, link.at);
}

function textOf({ piece, at, end, before }: Link): string {
  return before === undefined
    ? piece.text
    : textOf(before) + piece.text.slice(Math.max(before.end, at) - end);
}

function distance(one: Link, other: Link): number {
  return one.piece.hasDigit && other.piece.hasDigit
    ? Math.abs(one.digitPlace - other.digitPlace)
    : Math.abs(one.place - other.place);
}

/**
 * The pieces of the code that is examined now, by their index, and their places in it. Most codes end before their links
 * are made.
 */
const chosen = { index: new Int32Array(mostLinks), at: new Int32Array(mostLinks) };

/** Returns the pieces that a code has, in its order. Empty if their bits or characters are too few together. */
function linksOf(
  code: KnownCode,
  contents: KnownContents,
  pieces: readonly Piece[],
  sent: Sent,
  needed: Pick<Way, "withWords"> & { bits: number; covered: number },
): Link[] {
  const { firstNew, hasLeft, begins, nextSame } = sent;
  const { placeOf, digitPlaceOf } = sent.places;
  const bound = new BitsBound(code.pairCount, sent.places.withDigit);
  let count = 0;
  let hasNew = false;
  /** The characters that all pieces cover together, and the end of the last one. No chain covers more. */
  let [covered, end] = [0, 0];
  for (let at = 0; at < code.pairCount; at += 1) {
    bound.moveTo(at);
    const pair = contents.pairAt(code.start + at);
    if (!hasLeft(pair)) continue;
    for (let index = (begins[pair] ?? 0) - 1; index >= 0; index = nextSame[index] ?? -1) {
      const piece = pieces[index];
      if (piece === undefined || !isPieceAt(piece, code, at, contents)) continue;
      if (!needed.withWords && areWords(code, at, piece.text.length, contents)) continue;
      bound.add(piece, at);
      hasNew ||= index >= firstNew;
      const endOfPiece = at + piece.text.length;
      if (endOfPiece > end) {
        covered += endOfPiece - Math.max(end, at);
        end = endOfPiece;
      }
      if (count === mostLinks) continue;
      chosen.index[count] = index;
      chosen.at[count] = at;
      count += 1;
    }
  }
  if (!hasNew || covered < needed.covered) return [];
  if (bound.most < needed.bits - (isWhole(covered, code) ? lessForWhole : 0)) return [];
  const links: Link[] = [];
  for (let link = 0; link < count; link += 1) {
    const [index, at] = [chosen.index[link] ?? 0, chosen.at[link] ?? 0];
    const piece = pieces[index];
    if (piece === undefined) continue;
    const { length } = piece.text;
    links.push({
      piece,
      at,
      end: at + length,
      place: placeOf[index] ?? 0,
      digitPlace: digitPlaceOf[index] ?? 0,
      before: undefined,
      bits: piece.bits,
      covered: length,
      pieces: 1,
      cutsWords: !areWords(code, at, length, contents),
      span: index >= firstNew ? piece.span : undefined,
    });
  }
  return links.toSorted((a, b) => a.at - b.at || a.end - b.end);
}

function isPieceAt(
  { pairs }: Piece,
  code: KnownCode,
  at: number,
  contents: KnownContents,
): boolean {
  return at + pairs.length <= code.pairCount && contents.hasPairsAt(code.start + at, pairs);
}

/**
 * The most bits of a chain that ends at a place of a code or before it, in each direction. No code has so many places.
 */
const reached = { forwards: new Float64Array(256), backwards: new Float64Array(256) };

/**
 * An upper bound of the bits of all chains in one code: those that they have if all their pieces were sent next to each
 * other. Only one exists at a time, because all share an array.
 */
class BitsBound {
  most = 0;
  readonly #fewestChoices: number;
  readonly #laterStart: number;

  constructor(pairCount: number, placesWithDigit: number) {
    this.#fewestChoices = log2(Math.max(1, placesWithDigit));
    this.#laterStart = log2(pairCount);
    reached.forwards.fill(Number.NEGATIVE_INFINITY, 0, pairCount + 2);
    reached.backwards.fill(Number.NEGATIVE_INFINITY, 0, pairCount + 2);
  }

  /** Moves on to the next place of the code. */
  moveTo(at: number): void {
    if (at === 0) return;
    const { forwards, backwards } = reached;
    forwards[at] = Math.max(forwards[at] ?? 0, forwards[at - 1] ?? 0);
    backwards[at] = Math.max(backwards[at] ?? 0, backwards[at - 1] ?? 0);
  }

  /** Lengthens the chains before this place by a piece, or begins one with it. */
  add({ text, bits, isBackwards }: Piece, at: number): void {
    const ends = isBackwards ? reached.backwards : reached.forwards;
    let own = -this.#fewestChoices - (at === 0 ? 0 : this.#laterStart) + bits;
    for (let overlap = 0; overlap <= mostOverlap && overlap < text.length; overlap += 1) {
      const more = (bits * (text.length - overlap)) / text.length;
      own = Math.max(own, (ends[at + overlap] ?? 0) - 1 - log2(1 + overlap) + more);
    }
    const end = at + text.length;
    ends[end] = Math.max(ends[end] ?? 0, own);
    this.most = Math.max(this.most, own);
  }
}

/** Logarithms of the smallest numbers, because one comparison needs thousands. */
const logarithms = Float64Array.from({ length: 1_024 }, (_, number) => Math.log2(number));

function log2(number: number): number {
  return logarithms[number] ?? Math.log2(number);
}

function areWords(code: KnownCode, at: number, length: number, contents: KnownContents): boolean {
  return isEdge(code, at, contents) && isEdge(code, at + length, contents);
}

function isEdge({ start, pairCount }: KnownCode, place: number, contents: KnownContents): boolean {
  return place === 0 || place === pairCount + 1 || contents.isSeparated(start + place - 1);
}
