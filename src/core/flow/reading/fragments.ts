import { bitsNeeded, letterBits } from "./find-codes.ts";
import { type Hasher, pairBits } from "../hasher.ts";
import type { Hit, Outgoing } from "../hit.ts";
import type { KnownCode, KnownContents } from "../known-contents.ts";
import { type Piece, charactersNeeded, piecesOf, singleCharacters } from "./pieces.ts";
import type { Span } from "./reading.ts";
import type { TrustedReading } from "./readings.ts";
import { isEveryday } from "./tokens.ts";

/** Earlier texts that are searched for pieces of a code. */
export const mostEarlierTexts = 40;
/** The share of a code that must have been sent. */
const shareNeeded = 0.5;
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
/** Bits beyond those of a coincidence. */
const doubt = 4;

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
  let firstNew = 0;
  for (const [index, { telling }] of texts.entries()) {
    if (index === texts.length - 1) firstNew = pieces.length;
    for (const piece of telling)
      // Words without digits that every text repeats belong to a sentence around the pieces.
      if (piece.hasDigit || times.get(piece.text) === 1) pieces.push(piece);
  }
  pieces.push(...singleCharacters(texts, hasher));
  if (pieces.length === firstNew) return [];
  const sent: Sent = { firstNew, nextSame: linked(pieces), ...placesOf(pieces) };
  const hits: Hit[] = [];
  const isEnough = (covered: number, pairCount: number, newer: number): boolean =>
    covered >= neededOf(pairCount) &&
    covered * letterBits >= bitsNeeded(newer, pieces.length) + doubt;
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

function linkOf(
  sent: Piece | undefined,
  { piece, at, isNew }: Pick<Link, "piece" | "at" | "isNew">,
): Link[] {
  if (sent === undefined) return [];
  const { text, bits } = sent;
  const span = isNew ? sent.span : undefined;
  const end = at + text.length;
  return [{ piece, at, end, bits, covered: text.length, isNew, text, span, pieces: 1 }];
}

/** Returns the pieces with the most information, in the order of the code, if a coincidence is unlikely. */
function bestChain(
  code: KnownCode,
  contents: KnownContents,
  pieces: readonly Piece[],
  { firstNew, nextSame, withDigit, placeOf }: Sent,
): { text: string; span: Span } | undefined {
  const needed = bitsNeeded(contents.newerThan(code).codes, 1) + doubt;
  const fewestChoices = log2(Math.max(1, withDigit));
  const later = log2(code.pairCount);
  const found: { piece: number; at: number }[] = [];
  // The most bits of a chain that ends at a place or before it, if all its pieces were sent next to each other.
  reached.fill(Number.NEGATIVE_INFINITY, 0, code.pairCount + 2);
  let most = 0;
  let hasNew = false;
  for (let at = 0; at < code.pairCount; at += 1) {
    const before = Math.max(reached[at] ?? 0, reached[at - 1] ?? Number.NEGATIVE_INFINITY);
    reached[at] = before;
    const pair = contents.pairAt(code.start + at);
    if (!hasLeft(pair)) continue;
    let piece = (begins[pair] ?? 0) - 1;
    for (; piece >= 0; piece = nextSame[piece] ?? -1) {
      const sentPiece = pieces[piece];
      if (sentPiece === undefined) continue;
      const { text, pairs, bits } = sentPiece;
      if (at + pairs.length > code.pairCount) continue;
      if (!contents.hasPairsAt(code.start + at, pairs)) continue;
      // Whole words of an address occur in ordinary texts too. Pieces that cut through words do not.
      if (code.kind === "place" && areWords(code, at, text.length, contents)) continue;
      const own = Math.max(-fewestChoices - (at === 0 ? 0 : later), before - 1) + bits;
      const end = at + text.length;
      reached[end] = Math.max(reached[end] ?? 0, own);
      most = Math.max(most, own);
      hasNew ||= piece >= firstNew;
      if (found.length < mostLinks) found.push({ piece, at });
    }
  }
  if (!hasNew || most < needed) return undefined;
  const ordered = found
    .flatMap(({ piece, at }) => linkOf(pieces[piece], { piece, at, isNew: piece >= firstNew }))
    .toSorted((a, b) => a.at - b.at || a.end - b.end);
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

/** A code has fewer characters. */
const reached = new Float64Array(256);

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
