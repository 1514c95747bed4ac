import { bitsNeeded, letterBits } from "../reading/find-codes.ts";
import { type CodeKind, codeKinds } from "../content-marks.ts";
import { type Hasher, pairBits } from "../hasher.ts";
import type { Hit, Outgoing } from "../hit.ts";
import type { KnownCode, KnownContents } from "../known-contents.ts";
import { seedHash, seedPairs } from "../mark-hashes.ts";
import { type Places, type Sent, type Way, bestChain, doubt, neededOf } from "./chains.ts";
import { type Piece, charactersNeeded } from "./piece.ts";
import { piecesOf, piecesOfEarlier } from "./pieces.ts";
import { createJoiner, singleCharacters } from "./joined-singles.ts";
import { weightOf } from "../reading/frequent-words.ts";
import { backwards } from "../reading/reading.ts";
import type { TrustedReading } from "../reading/readings.ts";

/** Earlier texts that are searched for pieces of a code. */
export const mostEarlierTexts = 40;
/** How much of a code, address or text must have been sent in pieces. */
const ways: Readonly<Record<CodeKind, readonly Way[]>> = {
  code: [{ share: 0.5, least: charactersNeeded, withWords: true }],
  place: [
    // Whole words of an address occur in ordinary texts too. Pieces that cut through words do not, so fewer are enough.
    // The first of five pieces may be `https://` alone.
    { share: 0.4, least: charactersNeeded, withWords: false },
    // People search for a sender's name and website.
    { share: 1, least: charactersNeeded, withWords: true },
  ],
  // Such a text may be a whole mail, whose sentences are not known.
  text: [{ share: 0, least: 10, withWords: true }],
  // Years and round numbers occur everywhere, and so do their pieces.
  year: [],
  // Days, months and years occur everywhere too.
  whole: [{ share: 1, least: charactersNeeded, withWords: true }],
  secret: [{ share: 0.5, least: charactersNeeded, withWords: true }],
};
/** For each kind in `codeKinds` and each number of pairs, the fewest characters of a code that must have been sent. */
const fewestOf = codeKinds.map((kind) =>
  Float64Array.from({ length: 256 }, (_, pairCount) =>
    Math.min(...ways[kind].map((way) => neededOf(pairCount, way))),
  ),
);
/** Codes that are examined: those of which the largest share may have been sent. */
export const mostTried = 40;
/** Limit on places of pairs that are examined. A ledger of 2 000 mails has about 60 000 pairs of codes. */
const mostPlaces = 200_000;
/** How many texts may have a rare piece of letters, because it may be sent again. */
const mostTimes = 2;
/** Limit on copies of one piece that are examined, the newest. A year that every text has would displace other pieces. */
const mostCopies = 4;

/**
 * For each pair, the last comparison in which a piece had it, by its mark. Comparisons share the array, because
 * nothing interrupts one, and clearing it each time would be slow. Its bytes fit into a processor's cache.
 */
const leaves = new Uint8Array(1 << pairBits);
/** For each pair of this comparison, the index of the first piece that begins with it, plus one. */
const begins = new Int32Array(1 << pairBits);
/** The number of this comparison, and its mark in `leaves`. */
let comparison = 0;
let mark = 0;
const mostMarks = 255;

const hasLeft = (pair: number): boolean => leaves[pair] === mark;

/** Returns a count, which begins at zero in each comparison. */
function current(count: Piece["count"]): Piece["count"] {
  if (count.comparison !== comparison) {
    count.comparison = comparison;
    count.times = 0;
    count.copies = 0;
  }
  return count;
}

/** Returns false if no code has these pairs in a row. */
function mayHave(contents: KnownContents, pairs: readonly number[]): boolean {
  if (pairs.length < seedPairs) return pairs.every((pair) => contents.hasPair(pair));
  for (let at = 0; at + seedPairs <= pairs.length; at += 1)
    if (!contents.mayHaveSeed(seedHash(pairs, at))) return false;
  return true;
}

/** Returns whether a piece is in no list of frequent words, in the order in which it was sent. */
const isRare = ({ text, isBackwards }: Piece): boolean =>
  weightOf(isBackwards ? backwards(text) : text) === 1;

/** Finds a code of which at least half was sent to one destination, with the last piece in this text. */
export function sentInPieces(
  { text: leaving, earlier }: Outgoing,
  readings: readonly TrustedReading[],
  contents: KnownContents,
  hasher: Hasher,
): Hit[] {
  const own = piecesOf(leaving, hasher, readings);
  if (own.all.length === 0) return [];
  const texts = [...piecesOfEarlier(earlier.slice(-mostEarlierTexts), hasher), own];
  comparison += 1;
  for (const { withoutDigit } of new Set(texts))
    for (const { count } of withoutDigit) current(count).times += 1;
  const pieces: Piece[] = [];
  const places = new PlaceCounter();
  let firstNew = 0;
  // Words without digits that every text repeats belong to a sentence around the pieces.
  const isOdd = (piece: Piece): boolean =>
    piece.hasDigit || piece.count.times <= 1 || (piece.count.times <= mostTimes && isRare(piece));
  const joinedAt = createJoiner(texts, isOdd, hasher);
  for (const [index, { telling }] of texts.entries()) {
    if (index === texts.length - 1) firstNew = pieces.length;
    // A question that is asked again has no other words. Its digits may be the next ones of a code.
    const isAgain = texts.lastIndexOf(texts[index] ?? own) > index;
    for (const piece of telling) {
      if (!isOdd(piece) || (isAgain && !piece.hasDigit)) continue;
      pieces.push(piece);
      places.count(index, piece);
    }
    for (const piece of joinedAt(index)) {
      pieces.push(piece);
      places.add();
    }
  }
  for (const piece of singleCharacters(texts, hasher)) {
    pieces.push(piece);
    places.count(texts.length, piece);
  }
  if (pieces.length === firstNew) return [];
  const mayBeInCode = (piece: Piece): boolean => {
    const known = piece.mayBeInCode;
    if (known.version !== contents.version) {
      known.version = contents.version;
      known.is = mayHave(contents, piece.pairs);
    }
    return known.is;
  };
  // Most texts end here: no code has any of their pieces.
  const now = pieces.slice(firstNew).filter(mayBeInCode);
  if (now.length === 0) return [];
  const nextSame = linked(pieces, mayBeInCode);
  const sent: Sent = { firstNew, hasLeft, begins, nextSame, places };
  const hits: Hit[] = [];
  const proof = new FewestForProof(places.all);
  const codes = contents.codesOf({
    now: now.map(({ pairs }) => pairs),
    hasLeft,
    fewest: (kind, pairCount, newer) => {
      const fewest = fewestOf[kind]?.[pairCount] ?? 0;
      return codeKinds[kind] === "secret" ? fewest : Math.max(fewest, proof.characters(newer));
    },
    most: mostTried,
    mostPlaces,
  });
  for (const code of codes) {
    const hit = hitOf(code, contents, pieces, sent);
    if (hit !== undefined && !hits.some(({ text }) => text === hit.text)) hits.push(hit);
  }
  return hits;
}

/**
 * Enters the pieces that some code may have into `leaves` and `begins`. Returns for each one the next that begins with the
 * same pair, or -1.
 */
function linked(pieces: readonly Piece[], mayBeInCode: (piece: Piece) => boolean): number[] {
  mark += 1;
  if (mark > mostMarks) {
    leaves.fill(0);
    mark = 1;
  }
  const nextSame: number[] = [];
  for (let index = pieces.length - 1; index >= 0; index -= 1) {
    nextSame[index] = -1;
    const piece = pieces[index];
    const first = piece?.pairs[0];
    if (piece === undefined || first === undefined || !mayBeInCode(piece)) continue;
    const count = current(piece.count);
    if (count.copies >= mostCopies) continue;
    count.copies += 1;
    for (const pair of piece.pairs) {
      if (leaves[pair] !== mark) begins[pair] = 0;
      leaves[pair] = mark;
    }
    nextSame[index] = (begins[first] ?? 0) - 1;
    begins[first] = index + 1;
  }
  return nextSame;
}

/**
 * Counts the characters that are no coincidence among so many codes. Hundreds of codes have a piece of two digits, so
 * logarithms are computed only where the number changes.
 */
class FewestForProof {
  readonly #tries: number;
  #characters = 0;
  /** The most codes for which these characters are enough. */
  #most = 0;

  constructor(tries: number) {
    this.#tries = tries;
  }

  /** Returns the fewest characters. @param codes the number of codes, which grows from call to call */
  characters(codes: number): number {
    while (codes > this.#most) {
      this.#characters += 1;
      const bits = this.#characters * letterBits - doubt - bitsNeeded(0.5, this.#tries);
      this.#most = Math.floor(2 ** (bits - 1));
      // The logarithms are rounded.
      while (this.#isEnough(this.#most + 1)) this.#most += 1;
      while (this.#most > 0 && !this.#isEnough(this.#most)) this.#most -= 1;
    }
    return this.#characters;
  }

  #isEnough(codes: number): boolean {
    return this.#characters * letterBits >= bitsNeeded(codes, this.#tries) + doubt;
  }
}

/** Counts the places of pieces, which are given in their order. */
class PlaceCounter implements Places {
  all = 0;
  withDigit = 0;
  placeOf: number[] = [];
  digitPlaceOf: number[] = [];
  #last = { text: -1, place: -1 };
  #lastWithDigit = { text: -1, place: -1 };

  count(text: number, { place, hasDigit, isNumbered }: Piece): void {
    if (hasMoved(this.#last, text, place)) this.all += 1;
    if (hasDigit && !isNumbered && hasMoved(this.#lastWithDigit, text, place)) this.withDigit += 1;
    this.add();
  }

  /** Adds a piece at the last place. */
  add(): void {
    this.placeOf.push(this.all);
    this.digitPlaceOf.push(this.withDigit);
  }
}

/** Returns whether a place is not the last one, and keeps it. */
function hasMoved(last: { text: number; place: number }, text: number, place: number): boolean {
  if (last.text === text && last.place === place) return false;
  last.text = text;
  last.place = place;
  return true;
}

function hitOf(
  code: KnownCode,
  contents: KnownContents,
  pieces: readonly Piece[],
  sent: Sent,
): Hit | undefined {
  let chain: ReturnType<typeof bestChain>;
  for (const way of ways[code.kind]) chain ??= bestChain(code, contents, pieces, sent, way);
  const source = contents.sourceOf(code.content);
  if (chain === undefined || source === undefined) return undefined;
  const { text, span } = chain;
  return { kind: "parts", text, terms: [text], span, sources: [source] };
}
