import type { Hasher } from "../hasher.ts";
import { type Span, backwards } from "../reading/reading.ts";
import { type Piece, charactersNeeded, toPiece } from "./piece.ts";
import type { Pieces } from "./pieces.ts";

// A single character has no pair, so no code is found by it. With the piece before or after it, it has one.

/** How far the text of a single character may be from that of the piece beside it. One other text may be between them. */
const mostApart = 2;
/** Limits on single characters of a text, and on pieces that they may follow or precede. A text with more is a table. */
const mostSingles = 4;
const mostNeighbours = 12;
/** Pieces of one code have similar lengths. Characters. */
const longestNeighbour = 4;
/** A character that more texts have belongs to a sentence around the pieces. */
const mostCopies = 2;

/** A single character, a piece beside it, and both orders of them as one piece. */
interface Joined {
  single: Piece;
  neighbour: Piece;
  pieces: readonly Piece[];
}

/**
 * The joined pieces of two texts at one distance, which do not change between comparisons: by the later text, the
 * earlier text and the distance. The same text may be sent again at another distance.
 */
const known = new WeakMap<Pieces, WeakMap<Pieces, (readonly Joined[] | undefined)[]>>();
const nothing: readonly Piece[] = [];

/**
 * Joins the single characters of each text with the pieces of the same text and of those near it.
 * @param isOdd whether a piece is no word that other texts repeat
 * @returns the joined pieces whose later part is in this text
 */
export function createJoiner(
  texts: readonly Pieces[],
  isOdd: (piece: Piece) => boolean,
  hasher: Hasher,
): (index: number) => readonly Piece[] {
  const times = new Map<string, number>();
  for (const { singles } of texts)
    for (const { text } of singles) times.set(text, (times.get(text) ?? 0) + 1);
  if (times.size === 0) return () => nothing;
  return (index) => {
    const found: Piece[] = [];
    const later = texts[index];
    for (let distance = 0; distance <= mostApart; distance += 1) {
      const earlier = texts[index - distance];
      if (later === undefined || earlier === undefined) continue;
      if (later.singles.length === 0 && earlier.singles.length === 0) continue;
      for (const { single, neighbour, pieces } of joinedIn(later, earlier, distance, hasher))
        if ((times.get(single.text) ?? 0) <= mostCopies && isOdd(neighbour)) found.push(...pieces);
    }
    return found;
  };
}

function joinedIn(
  later: Pieces,
  earlier: Pieces,
  distance: number,
  hasher: Hasher,
): readonly Joined[] {
  let ofLater = known.get(later);
  if (ofLater === undefined) known.set(later, (ofLater = new WeakMap()));
  let ofBoth = ofLater.get(earlier);
  if (ofBoth === undefined) ofLater.set(earlier, (ofBoth = []));
  const before = ofBoth[distance];
  if (before !== undefined) return before;
  const found = [
    ...joinedWith(later.singles, earlier.telling, (single) => single, distance, hasher),
    ...(distance === 0
      ? []
      : joinedWith(earlier.singles, later.telling, (_single, piece) => piece, distance, hasher)),
  ];
  ofBoth[distance] = found;
  return found;
}

/** Joins characters with pieces. @param laterOf returns the one of both that was sent later */
function joinedWith(
  singles: readonly Piece[],
  telling: readonly Piece[],
  laterOf: (single: Piece, neighbour: Piece) => Piece,
  distance: number,
  hasher: Hasher,
): Joined[] {
  if (singles.length > mostSingles) return [];
  const neighbours = telling
    .filter(({ text }) => text.length <= longestNeighbour)
    .slice(0, mostNeighbours);
  return singles.flatMap((single) =>
    neighbours
      .filter(({ place }) => distance > 0 || place !== single.place)
      .map((neighbour) => {
        const placing = { later: laterOf(single, neighbour), distance };
        const texts = [single.text + neighbour.text, neighbour.text + single.text];
        const pieces = texts.map((text) => joinedPiece(text, [single, neighbour], placing, hasher));
        return { single, neighbour, pieces };
      }),
  );
}

/** Bits by which each of the two orders, and each text between the parts, makes a joined piece likelier by chance. */
const bitsOfOrder = 1;
const bitsOfDistance = 1;

/** Returns a piece whose two parts were sent apart. It has the place of the later part. */
function joinedPiece(
  text: string,
  parts: readonly [Piece, Piece],
  { later, distance }: { later: Piece; distance: number },
  hasher: Hasher,
): Piece {
  const { span, place } = later;
  const isBackwards = parts[1].isBackwards;
  const piece = toPiece(text, { span, isBackwards, place }, hasher);
  const bits = parts[0].bits + parts[1].bits - bitsOfOrder - distance * bitsOfDistance;
  return { ...piece, bits };
}

/** Limit on characters that are sent singly, one in each call. */
const longestSingles = 16;

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
    .flatMap((text) => [text, backwards(text)])
    .map((text) => toPiece(text, { span: place, isBackwards: false, place: 0 }, hasher));
}
