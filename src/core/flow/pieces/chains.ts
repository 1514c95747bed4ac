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

interface Link {
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
  for (const link of links) {
    const choices = log2(
      Math.max(1, link.piece.hasDigit ? sent.places.withDigit : sent.places.all),
    );
    const start = link.bits - choices - (link.at === 0 ? 0 : log2(code.pairCount));
    let bits = start;
    let after: Link | undefined;
    for (const before of best) {
      if (before.at >= link.at || before.end >= link.end || before.place === link.place) continue;
      if (before.piece.isBackwards !== link.piece.isBackwards) continue;
      // Characters that both pieces have count once.
      const gap = link.at - before.end;
      if (-gap > mostOverlap) continue;
      const together =
        before.bits +
        (link.bits * newCharacters(link, before)) / link.text.length -
        log2(2 * Math.max(1, distance(link, before))) -
        (gap === 0 ? 0 : 1 + log2(1 + Math.abs(gap)));
      if (together > bits) [bits, after] = [together, before];
    }
    best.push(after === undefined ? { ...link, bits } : joined(after, link, bits));
  }
  const enough = best.find(
    ({ bits, covered, isNew, text, pieces: count, cutsWords }) =>
      isNew &&
      covered >= neededOf(code.pairCount, way) &&
      bits >= needed &&
      bitsOf(text.replace(repeated, "$1$1")) >= needed &&
      // A single piece of an address may be the name of a website, and people search for these.
      (code.kind === "place"
        ? count > 1
        : /\p{N}/u.test(text) || (count > 1 && cutsWords && bits >= needed + doubtOfLetters)),
  );
  return enough?.span && !isEveryday(enough.text)
    ? { text: enough.text, span: enough.span }
    : undefined;
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
  { firstNew, hasLeft, begins, nextSame, places: { withDigit, placeOf, digitPlaceOf } }: Sent,
  { needed, withWords }: Pick<Way, "withWords"> & { needed: number },
): Link[] {
  const fewestChoices = log2(Math.max(1, withDigit));
  const later = log2(code.pairCount);
  const found: Link[] = [];
  let most = 0;
  let hasNew = false;
  // The bits of the best chains, if all their pieces were sent next to each other.
  const { forwards, backwards } = reached;
  forwards.fill(Number.NEGATIVE_INFINITY, 0, code.pairCount + 2);
  backwards.fill(Number.NEGATIVE_INFINITY, 0, code.pairCount + 2);
  for (let at = 0; at < code.pairCount; at += 1) {
    if (at > 0) {
      forwards[at] = Math.max(forwards[at] ?? 0, forwards[at - 1] ?? 0);
      backwards[at] = Math.max(backwards[at] ?? 0, backwards[at - 1] ?? 0);
    }
    const pair = contents.pairAt(code.start + at);
    if (!hasLeft(pair)) continue;
    for (let index = (begins[pair] ?? 0) - 1; index >= 0; index = nextSame[index] ?? -1) {
      const piece = pieces[index];
      if (piece === undefined) continue;
      const { text, pairs, bits, isBackwards } = piece;
      if (at + pairs.length > code.pairCount) continue;
      if (!contents.hasPairsAt(code.start + at, pairs)) continue;
      const cutsWords = !areWords(code, at, text.length, contents);
      if (!withWords && !cutsWords) continue;
      const ends = isBackwards ? backwards : forwards;
      let own = -fewestChoices - (at === 0 ? 0 : later) + bits;
      for (let overlap = 0; overlap <= mostOverlap && overlap < text.length; overlap += 1) {
        const more = (bits * (text.length - overlap)) / text.length;
        own = Math.max(own, (ends[at + overlap] ?? 0) - 1 - log2(1 + overlap) + more);
      }
      const end = at + text.length;
      ends[end] = Math.max(ends[end] ?? 0, own);
      most = Math.max(most, own);
      const isNew = index >= firstNew;
      hasNew ||= isNew;
      if (found.length < mostLinks)
        found.push({
          piece,
          at,
          end,
          bits,
          covered: text.length,
          isNew,
          text,
          span: isNew ? piece.span : undefined,
          pieces: 1,
          place: placeOf[index] ?? 0,
          digitPlace: digitPlaceOf[index] ?? 0,
          cutsWords,
        });
    }
  }
  if (!hasNew || most < needed) return [];
  return found.toSorted((a, b) => a.at - b.at || a.end - b.end);
}

/**
 * The most bits of a chain that ends at a place of a code or before it, in each direction. No code has so many places.
 */
const reached = { forwards: new Float64Array(256), backwards: new Float64Array(256) };

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
