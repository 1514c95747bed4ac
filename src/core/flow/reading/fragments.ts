import { bitsNeeded, bitsOf, letterBits } from "./find-codes.ts";
import { type Hasher, pairBits } from "../hasher.ts";
import type { Hit, Outgoing } from "../hit.ts";
import type { KnownCode, KnownContents } from "../known-contents.ts";
import { type Piece, charactersNeeded, piecesOf, singleCharacters } from "./pieces.ts";
import type { Span } from "./reading.ts";
import type { TrustedReading } from "./readings.ts";
import { isEveryday } from "./tokens.ts";

/** Earlier texts that are searched for pieces of a code. */
export const mostEarlierTexts = 40;
/**
 * The share of a code that must have been sent. Less of an address is enough, because its first of five pieces may be
 * `https://` alone.
 */
const shareNeeded = 0.5;
const shareOfPlace = 0.4;
/** The share of an address if pieces are whole words of it. People search for a sender's name and website. */
const shareOfWords = 1;
/** Most matches of one text. More would not help the person who decides. */
const mostHits = 4;
/** Codes that are examined, the newest first. An older one rarely reaches the needed bits. */
const mostTried = 40;
/** Most places of pairs that are examined. A ledger of 2 000 mails has about 60 000 pairs of codes. */
const mostPlaces = 200_000;
/** Most pieces of one code that are examined. */
const mostLinks = 64;
/** Most copies of one piece that are examined, the newest. A year that every text has would displace other pieces. */
const mostCopies = 4;
/** Most characters that two neighbouring pieces have in common. */
const mostOverlap = 2;
/** Bits beyond those of a coincidence, and how many more for letters without digits. */
const doubt = 4;
const doubtOfLetters = 3;

/**
 * For each pair, the number of the last comparison in which a piece had it. One comparison takes no turns, and to clear
 * arrays of this size each time is slow. Bytes fit into a processor's cache.
 */
const leaves = new Uint8Array(1 << pairBits);
/** For each pair of this comparison, the index of the first piece that begins with it, plus one. */
const begins = new Int32Array(1 << pairBits);
let comparison = 0;
/** The largest number in `leaves`. */
const mostComparisons = 255;

const hasLeft = (pair: number): boolean => leaves[pair] === comparison;

/** Finds a code of which at least half was sent to one destination, with the last piece in this text. */
export function sentInPieces(
  { text: leaving, earlier }: Outgoing,
  readings: readonly TrustedReading[],
  contents: KnownContents,
  hasher: Hasher,
): Hit[] {
  const now = piecesOf(leaving, hasher, readings);
  if (now.all.length === 0) return [];
  const texts = earlier.slice(-mostEarlierTexts).map((each) => piecesOf(each, hasher));
  texts.push(now);
  const times = new Map<string, number>();
  for (const { withoutDigit } of texts)
    for (const { text } of withoutDigit) times.set(text, (times.get(text) ?? 0) + 1);
  const pieces: Piece[] = [];
  const places = new PlaceCounter();
  let firstNew = 0;
  for (const [index, { telling }] of texts.entries()) {
    if (index === texts.length - 1) firstNew = pieces.length;
    for (const piece of telling) {
      // Words without digits that every text repeats belong to a sentence around the pieces.
      if (!piece.hasDigit && times.get(piece.text) !== 1) continue;
      pieces.push(piece);
      places.count(index, piece);
    }
  }
  for (const piece of singleCharacters(texts, hasher)) {
    pieces.push(piece);
    places.count(texts.length, piece);
  }
  if (pieces.length === firstNew) return [];
  const sent: Sent = { firstNew, nextSame: linked(pieces), places };
  const hits: Hit[] = [];
  const isEnough = (covered: number, pairCount: number, newer: number): boolean =>
    covered >= neededOf(pairCount, shareOfPlace) &&
    covered * letterBits >= bitsNeeded(newer, places.all) + doubt;
  const codes = contents.codesOf({
    now: pieces.slice(firstNew).map(({ pairs }) => pairs),
    hasLeft,
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

/** Enters the pieces into `leaves` and `begins`. Returns for each one the next that begins with the same pair, or -1. */
function linked(pieces: readonly Piece[]): number[] {
  comparison += 1;
  if (comparison > mostComparisons) {
    leaves.fill(0);
    comparison = 1;
  }
  const nextSame: number[] = [];
  const copies = new Map<string, number>();
  for (let index = pieces.length - 1; index >= 0; index -= 1) {
    nextSame[index] = -1;
    const piece = pieces[index];
    const first = piece?.pairs[0];
    if (piece === undefined || first === undefined) continue;
    const copy = copies.get(piece.text) ?? 0;
    if (copy >= mostCopies) continue;
    copies.set(piece.text, copy + 1);
    for (const pair of piece.pairs) {
      if (leaves[pair] !== comparison) begins[pair] = 0;
      leaves[pair] = comparison;
    }
    nextSame[index] = (begins[first] ?? 0) - 1;
    begins[first] = index + 1;
  }
  return nextSame;
}

/** All pieces. `begins` has the first one for each pair. */
interface Sent {
  /** Index of the first piece of the new text. */
  firstNew: number;
  /** For each piece, the index of the next one that begins with the same pair. -1 if there is none. */
  nextSame: readonly number[];
  places: Places;
}

interface Places {
  /** The number of places of pieces, and of those with digits. */
  all: number;
  withDigit: number;
  /** For each piece, the number of places until its own. */
  placeOf: readonly number[];
  /** The same for places with digits. Those are rare, so the words between them do not make a coincidence likelier. */
  digitPlaceOf: readonly number[];
}

/** Counts the places of pieces, which are given in their order. */
class PlaceCounter implements Places {
  all = 0;
  withDigit = 0;
  placeOf: number[] = [];
  digitPlaceOf: number[] = [];
  #last = "";
  #lastWithDigit = "";

  count(text: number, { place, hasDigit }: Piece): void {
    const key = `${text} ${place}`;
    if (key !== this.#last) this.all += 1;
    this.#last = key;
    if (hasDigit) {
      if (key !== this.#lastWithDigit) this.withDigit += 1;
      this.#lastWithDigit = key;
    }
    this.placeOf.push(this.all);
    this.digitPlaceOf.push(this.withDigit);
  }
}

function hitOf(
  code: KnownCode,
  contents: KnownContents,
  pieces: readonly Piece[],
  sent: Sent,
): Hit | undefined {
  // Whole words of an address occur in ordinary texts too. Pieces that cut through words do not, so fewer are enough.
  const ways: readonly Way[] =
    code.kind === "place"
      ? [
          { share: shareOfPlace, withWords: false },
          { share: shareOfWords, withWords: true },
        ]
      : [{ share: shareNeeded, withWords: true }];
  let chain: ReturnType<typeof bestChain>;
  for (const way of ways) chain ??= bestChain(code, contents, pieces, sent, way);
  const source = contents.sourceOf(code.content);
  if (chain === undefined || source === undefined) return undefined;
  const { text, span } = chain;
  return { kind: "parts", text, terms: [text], span, sources: [source] };
}

interface Way {
  share: number;
  /** Whether pieces may be whole words of the code. */
  withWords: boolean;
}

function neededOf(pairCount: number, share: number): number {
  return Math.max(charactersNeeded, Math.ceil((pairCount + 1) * share));
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
function bestChain(
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
    let chosen: Link = { ...link, bits: start };
    for (const before of best) {
      if (before.at >= link.at || before.end >= link.end || before.place === link.place) continue;
      if (before.piece.isBackwards !== link.piece.isBackwards) continue;
      // Characters that both pieces have count once.
      const gap = link.at - before.end;
      if (-gap > mostOverlap) continue;
      const more = link.end - Math.max(before.end, link.at);
      const bits =
        before.bits +
        (link.bits * more) / link.text.length -
        log2(2 * Math.max(1, distance(link, before))) -
        (gap === 0 ? 0 : 1 + log2(1 + Math.abs(gap)));
      if (bits <= chosen.bits) continue;
      chosen = {
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
    best.push(chosen);
  }
  const enough = best.find(
    ({ bits, covered, isNew, text, pieces: count, cutsWords }) =>
      isNew &&
      covered >= neededOf(code.pairCount, way.share) &&
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
  { firstNew, nextSame, places: { withDigit, placeOf, digitPlaceOf } }: Sent,
  { needed, withWords }: Pick<Way, "withWords"> & { needed: number },
): Link[] {
  const fewestChoices = log2(Math.max(1, withDigit));
  const later = log2(code.pairCount);
  const found: Link[] = [];
  // The most bits of a chain of pieces that begin before a place, if all were sent next to each other.
  let before = Number.NEGATIVE_INFINITY;
  let hasNew = false;
  for (let at = 0; at < code.pairCount; at += 1) {
    const pair = contents.pairAt(code.start + at);
    if (!hasLeft(pair)) continue;
    let most = before;
    for (let index = (begins[pair] ?? 0) - 1; index >= 0; index = nextSame[index] ?? -1) {
      const piece = pieces[index];
      if (piece === undefined) continue;
      const { text, pairs, bits } = piece;
      if (at + pairs.length > code.pairCount) continue;
      if (!contents.hasPairsAt(code.start + at, pairs)) continue;
      const cutsWords = !areWords(code, at, text.length, contents);
      if (!withWords && !cutsWords) continue;
      most = Math.max(most, Math.max(-fewestChoices - (at === 0 ? 0 : later), before - 1) + bits);
      const isNew = index >= firstNew;
      hasNew ||= isNew;
      if (found.length < mostLinks)
        found.push({
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
        });
    }
    before = most;
  }
  if (!hasNew || before < needed) return [];
  return found.toSorted((a, b) => a.at - b.at || a.end - b.end);
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
