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

/**
 * The pieces of the code that is examined now, each at its place in the code, with the best chain that ends with it.
 * Arrays, because a comparison has hundreds of links and keeps none.
 */
const links = {
  /** The index of the piece, its place in the code, and its end. */
  index: new Int32Array(mostLinks),
  at: new Int32Array(mostLinks),
  end: new Int32Array(mostLinks),
  /** The link before it in the chain, or -1. The lists below are of the chain. */
  before: new Int32Array(mostLinks),
  bits: new Float64Array(mostLinks),
  covered: new Int32Array(mostLinks),
  pieces: new Int32Array(mostLinks),
  /** 0 if a piece consists of whole words of the code. */
  cutsWords: new Uint8Array(mostLinks),
  /** The index of the last new piece. -1 if all were sent before. */
  newPiece: new Int32Array(mostLinks),
};
const none = -1;

/** The code that is examined now, with all pieces. */
interface Examined {
  code: KnownCode;
  contents: KnownContents;
  pieces: readonly Piece[];
  sent: Sent;
}

/** Returns the pieces with the most information, in the order of the code, if a coincidence is unlikely. */
export function bestChain(
  code: KnownCode,
  contents: KnownContents,
  pieces: readonly Piece[],
  sent: Sent,
  way: Way,
): { text: string; span: Span } | undefined {
  const examined = { code, contents, pieces, sent };
  const bits = bitsNeeded(contents.newerThan(code).codes, 1) + doubt;
  const covered = neededOf(code.pairCount, way);
  const count = findLinks(examined, { bits, covered, withWords: way.withWords });
  for (let link = 0; link < count; link += 1) lengthen(link, examined);
  for (let link = 0; link < count; link += 1) {
    const newPiece = pieces[links.newPiece[link] ?? none];
    if (newPiece === undefined || (links.covered[link] ?? 0) < covered) continue;
    if (!isUnlikely(link, code, pieces, bits)) continue;
    const text = textOf(link, pieces);
    return isEveryday(text) ? undefined : { text, span: newPiece.span };
  }
  return undefined;
}

/** Returns whether so many characters are a whole code. People search for all words of an address. */
function isWhole(covered: number, { kind, pairCount }: KnownCode): boolean {
  return (kind === "code" || kind === "secret") && covered > pairCount;
}

/** Adds a piece to the chain with which it has the most bits. The piece stays alone if no chain is better. */
function lengthen(link: number, { code, pieces, sent: { places } }: Examined): void {
  const index = links.index[link] ?? 0;
  const piece = pieces[index];
  if (piece === undefined) return;
  const { hasDigit, isBackwards } = piece;
  const at = links.at[link] ?? 0;
  const end = links.end[link] ?? 0;
  const place = places.placeOf[index];
  const choices = log2(Math.max(1, hasDigit ? places.withDigit : places.all));
  let bits = piece.bits - choices - (at === 0 ? 0 : log2(code.pairCount));
  let best = none;
  for (let before = 0; before < link; before += 1) {
    const endBefore = links.end[before] ?? 0;
    const gap = at - endBefore;
    if (-gap > mostOverlap || endBefore >= end || (links.at[before] ?? 0) >= at) continue;
    const indexBefore = links.index[before] ?? 0;
    const other = pieces[indexBefore];
    if (other?.isBackwards !== isBackwards || places.placeOf[indexBefore] === place) continue;
    // Characters that both pieces have count once.
    const together =
      (links.bits[before] ?? 0) +
      (piece.bits * (end - Math.max(endBefore, at))) / piece.text.length -
      log2(2 * Math.max(1, distance(index, indexBefore, hasDigit && other.hasDigit, places))) -
      (gap === 0 ? 0 : 1 + log2(1 + Math.abs(gap)));
    if (together <= bits) continue;
    bits = together;
    best = before;
  }
  links.bits[link] = bits;
  links.before[link] = best;
  if (best === none) return;
  links.covered[link] = (links.covered[best] ?? 0) + end - Math.max(links.end[best] ?? 0, at);
  links.pieces[link] = (links.pieces[best] ?? 0) + 1;
  links.cutsWords[link] = (links.cutsWords[link] ?? 0) & (links.cutsWords[best] ?? 0);
  if (links.newPiece[link] === none) links.newPiece[link] = links.newPiece[best] ?? none;
}

/** Returns how many places are between two pieces. Only those with digits count if both have some. */
function distance(one: number, other: number, haveDigits: boolean, places: Places): number {
  const { placeOf, digitPlaceOf } = places;
  const list = haveDigits ? digitPlaceOf : placeOf;
  return Math.abs((list[one] ?? 0) - (list[other] ?? 0));
}

/** Returns whether the chain of a link is unlikely to be a coincidence. */
function isUnlikely(
  link: number,
  code: KnownCode,
  pieces: readonly Piece[],
  most: number,
): boolean {
  const [bits, covered] = [links.bits[link] ?? 0, links.covered[link] ?? 0];
  if (bits < most - lessForWhole) return false;
  const text = textOf(link, pieces);
  const isPassword = isWhole(covered, code) && digitsIn(text) * 2 <= covered;
  const needed = isPassword ? most - lessForWhole : most;
  if (bits < needed) return false;
  if (bitsOf(text.replace(repeated, "$1$1")) < needed) return false;
  const isOne = links.pieces[link] === 1;
  // A single piece of an address may be the name of a website, and people search for these.
  if (code.kind === "place") return !isOne;
  const hasDigit = /\p{N}/u.test(text);
  return hasDigit || (!isOne && links.cutsWords[link] === 1 && bits >= needed + doubtOfLetters);
}

/** Characters that are repeated more than twice prove no more than two of them. */
const repeated = /(.)\1{2,}/gu;

function textOf(link: number, pieces: readonly Piece[]): string {
  const { text = "" } = pieces[links.index[link] ?? 0] ?? {};
  const before = links.before[link] ?? none;
  if (before === none) return text;
  const overlap = Math.max(links.end[before] ?? 0, links.at[link] ?? 0) - (links.end[link] ?? 0);
  return textOf(before, pieces) + text.slice(overlap);
}

/**
 * Finds the pieces that a code has, in its order. Most codes end before their chains are examined.
 * @returns the number of links. Zero if their bits or characters are too few together
 */
function findLinks(
  { code, contents, pieces, sent }: Examined,
  needed: Pick<Way, "withWords"> & { bits: number; covered: number },
): number {
  const { firstNew, hasLeft, begins, nextSame } = sent;
  const bound = new BitsBound(code.pairCount, sent.places.withDigit);
  let count = 0;
  let hasNew = false;
  /** The characters that all pieces cover together, and the end of the last one. No chain covers more. */
  let covered = 0;
  let end = 0;
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
      enter(count, index, at, endOfPiece);
      count += 1;
    }
  }
  if (!hasNew || covered < needed.covered) return 0;
  if (bound.most < needed.bits - (isWhole(covered, code) ? lessForWhole : 0)) return 0;
  for (let link = 0; link < count; link += 1) {
    const at = links.at[link] ?? 0;
    const index = links.index[link] ?? 0;
    const length = (links.end[link] ?? 0) - at;
    links.covered[link] = length;
    links.pieces[link] = 1;
    links.cutsWords[link] = areWords(code, at, length, contents) ? 0 : 1;
    links.newPiece[link] = index >= firstNew ? index : none;
  }
  return count;
}

/** Enters the link with this number, behind those that begin before it or end before it. */
function enter(link: number, index: number, at: number, end: number): void {
  let place = link;
  for (; place > 0 && links.at[place - 1] === at; place -= 1) {
    if ((links.end[place - 1] ?? 0) <= end) break;
    links.index[place] = links.index[place - 1] ?? 0;
    links.end[place] = links.end[place - 1] ?? 0;
  }
  links.index[place] = index;
  links.at[link] = at;
  links.end[place] = end;
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
