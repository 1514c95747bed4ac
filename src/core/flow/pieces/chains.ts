import { bitsNeeded, bitsOf } from "../reading/find-codes.ts";
import type { KnownCode, KnownContents } from "../known-contents.ts";
import type { Piece } from "./pieces.ts";
import type { Span } from "../reading/reading.ts";
import { isEveryday } from "../reading/tokens.ts";

// The pieces of one code, in its order.

/** Most pieces of one code that are examined. */
const mostLinks = 64;
/** Most characters that two neighbouring pieces have in common. */
const mostOverlap = 2;
/** Bits beyond those of a coincidence, and how many more for letters without digits. */
export const doubt = 4;
const doubtOfLetters = 3;

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

/** A piece at its place in a code, or a chain of pieces that ends with this one. */
interface Link {
  /** The last piece. */
  piece: Piece;
  at: number;
  end: number;
  bits: number;
  covered: number;
  isNew: boolean;
  text: string;
  span: Span | undefined;
  pieces: number;
  /** The place of the piece, and its place among those with digits. */
  place: number;
  digitPlace: number;
  /** False if a piece consists of whole words of the code. */
  cutsWords: boolean;
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
  const links = linksOf(code, contents, pieces, sent, { ...way, needed });
  const best: Link[] = [];
  for (const link of links) best.push(lengthened(best, link, code, sent.places));
  const enough = best.find(
    (chain) =>
      chain.isNew &&
      chain.covered >= neededOf(code.pairCount, way) &&
      isUnlikely(chain, code, needed),
  );
  return enough?.span && !isEveryday(enough.text)
    ? { text: enough.text, span: enough.span }
    : undefined;
}

/** Adds a piece to the chain with which it has the most bits. Returns the piece alone if no chain is better. */
function lengthened(best: readonly Link[], link: Link, code: KnownCode, places: Places): Link {
  const choices = log2(Math.max(1, link.piece.hasDigit ? places.withDigit : places.all));
  let bits = link.bits - choices - (link.at === 0 ? 0 : log2(code.pairCount));
  let chain: Link | undefined;
  for (const before of best) {
    const together = bitsTogether(before, link);
    if (together > bits) [bits, chain] = [together, before];
  }
  return chain === undefined ? { ...link, bits } : joined(chain, link, bits);
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
    (link.bits * newCharacters(link, before)) / link.text.length -
    log2(2 * Math.max(1, distance(link, before))) -
    (gap === 0 ? 0 : 1 + log2(1 + Math.abs(gap)))
  );
}

/** Returns whether a chain is unlikely to be a coincidence. */
function isUnlikely(
  { bits, text, pieces, cutsWords }: Link,
  { kind }: KnownCode,
  needed: number,
): boolean {
  if (bits < needed || bitsOf(text.replace(repeated, "$1$1")) < needed) return false;
  // A single piece of an address may be the name of a website, and people search for these.
  if (kind === "place") return pieces > 1;
  const hasDigit = /\p{N}/u.test(text);
  return hasDigit || (pieces > 1 && cutsWords && bits >= needed + doubtOfLetters);
}

/** Characters that are repeated more than twice prove no more than two of them. */
const repeated = /(.)\1{2,}/gu;

function newCharacters(link: Link, before: Link): number {
  return link.end - Math.max(before.end, link.at);
}

function joined(before: Link, link: Link, bits: number): Link {
  const more = newCharacters(link, before);
  return {
    ...link,
    bits,
    covered: before.covered + more,
    isNew: before.isNew || link.isNew,
    text: before.text + link.text.slice(-more),
    span: link.span ?? before.span,
    pieces: before.pieces + 1,
    cutsWords: before.cutsWords && link.cutsWords,
  };
}

function distance(one: Link, other: Link): number {
  return one.piece.hasDigit && other.piece.hasDigit
    ? Math.abs(one.digitPlace - other.digitPlace)
    : Math.abs(one.place - other.place);
}

/** Returns the pieces that a code has, in its order. Empty if their bits are too few together. */
function linksOf(
  code: KnownCode,
  contents: KnownContents,
  pieces: readonly Piece[],
  sent: Sent,
  { needed, withWords }: Pick<Way, "withWords"> & { needed: number },
): Link[] {
  const { firstNew, hasLeft, begins, nextSame } = sent;
  const bound = new BitsBound(code.pairCount, sent.places.withDigit);
  const found: Link[] = [];
  let hasNew = false;
  for (let at = 0; at < code.pairCount; at += 1) {
    bound.moveTo(at);
    const pair = contents.pairAt(code.start + at);
    if (!hasLeft(pair)) continue;
    for (let index = (begins[pair] ?? 0) - 1; index >= 0; index = nextSame[index] ?? -1) {
      const piece = pieces[index];
      if (piece === undefined || !isPieceAt(piece, code, at, contents)) continue;
      const cutsWords = !areWords(code, at, piece.text.length, contents);
      if (!withWords && !cutsWords) continue;
      bound.add(piece, at);
      hasNew ||= index >= firstNew;
      if (found.length < mostLinks) found.push(linkOf(piece, index, { at, cutsWords }, sent));
    }
  }
  if (!hasNew || bound.most < needed) return [];
  return found.toSorted((a, b) => a.at - b.at || a.end - b.end);
}

function isPieceAt(
  { pairs }: Piece,
  code: KnownCode,
  at: number,
  contents: KnownContents,
): boolean {
  return at + pairs.length <= code.pairCount && contents.hasPairsAt(code.start + at, pairs);
}

function linkOf(
  piece: Piece,
  index: number,
  { at, cutsWords }: Pick<Link, "at" | "cutsWords">,
  { firstNew, places: { placeOf, digitPlaceOf } }: Sent,
): Link {
  const { text, bits } = piece;
  const isNew = index >= firstNew;
  return {
    piece,
    at,
    end: at + text.length,
    bits,
    covered: text.length,
    isNew,
    text,
    span: isNew ? piece.span : undefined,
    pieces: 1,
    place: placeOf[index] ?? 0,
    digitPlace: digitPlaceOf[index] ?? 0,
    cutsWords,
  };
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
