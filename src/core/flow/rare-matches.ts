import { spend, turn } from "../shared/event-loop.ts";
import { hitsIn, solidHitsIn, withoutOverlaps } from "./compare.ts";
import type { Hasher } from "./hasher.ts";
import type { Hit, Outgoing } from "./hit.ts";
import type { KnownContents } from "./known-contents.ts";
import { type Frequencies, type GivenSource, type Source, inShort } from "./ledger.ts";
import type { OutgoingArguments } from "./pieces/argument-lines.ts";
import { mostTried } from "./pieces/sent-in-pieces.ts";
import { decodedRuns, visibleTexts } from "./reading/decode.ts";
import { defaultRarity, rareHits } from "./reading/rarity.ts";
import { NotCompared, type Reading, spanOf } from "./reading/reading.ts";
import { type TrustedReading, readingsOf } from "./reading/readings.ts";

/** A longer text is compared in windows of this length. Scattered codes are searched only in shorter ones. */
const windowCharacters = 2_400;
/** The part that a window shares with the next one. Every code is shorter, also in other spellings. */
const overlap = 480;
/** A longer text is not compared. No recorded item is longer. */
const mostCompared = 200_000;
/** Levels of nested encodings of runs that are longer than the overlap. */
const maxDepth = 3;
/** How many times longer a character takes here than in other work of the event loop. */
const effort = 5;

interface Known {
  contents: KnownContents;
  hasher: Hasher;
}

interface Comparison {
  mails: number;
  /** The readings of the text, if they are known. */
  readings: readonly TrustedReading[] | undefined;
  /** The short arguments of the call in rows. */
  rows?: OutgoingArguments["rows"];
  frequenciesOf: (terms: readonly string[]) => Promise<Frequencies>;
  /** Returns false if the text may go back to the writers of these items. */
  isForeign: (sources: readonly Source[]) => boolean;
  /** Limit on returned matches. The comparison of a long text ends with this number. */
  most: number;
}

export interface RareMatches {
  /** In the order of the text, without overlaps. */
  matches: readonly Hit[];
  /** The newest item of each match, each once and sorted. Includes those of matches that are not in `matches`. */
  sources: readonly GivenSource[];
  /** True if the text may match further items. */
  hasMore: boolean;
}

/** Reads a text before it is compared, if it is short enough to be compared at once. */
export function readingsAhead(text: string): readonly TrustedReading[] | undefined {
  return text.length > windowCharacters ? undefined : whereComparable(() => readingsOf(text));
}

/** Returns the rare matches of a text. Undefined if it cannot be compared as a whole. */
export async function rareMatches(
  outgoing: Outgoing,
  known: Known,
  { mails, readings, rows, frequenciesOf, isForeign, most }: Comparison,
): Promise<RareMatches | undefined> {
  const found: Hit[] = [];
  const sources = new Map<string, GivenSource>();
  const isOneWindow = outgoing.text.length <= windowCharacters;
  let hasMore = false;
  for await (const hits of hitsOfArguments(outgoing, known, { mails, readings, rows })) {
    if (hits === undefined) return undefined;
    const foreign = hits.filter((hit) => isForeign(hit.sources));
    // The index counts a word in about as much time as the rest takes, so only words of hits are counted.
    const terms = [...new Set(foreign.flatMap((hit) => hit.terms))];
    const rare = rareHits(foreign, await frequenciesOf(terms), defaultRarity);
    for (const source of withoutCoincidences(rare).flatMap((hit) => hit.sources.slice(0, 1)))
      sources.set(inShort(source), source);
    found.push(...withoutOverlaps(rare));
    hasMore ||= hits.filter(({ kind }) => kind === "parts").length >= mostTried;
    if (isOneWindow || found.length < most) continue;
    hasMore = true;
    break;
  }
  return {
    matches: withoutOverlaps(found).slice(0, most),
    sources: [...sources.keys()].toSorted().flatMap((key) => sources.get(key) ?? []),
    hasMore,
  };
}

/** How many times longer a match may be in the outgoing text than in the item. Hexadecimal needs twice the characters. */
const mostStretched = 2;

/**
 * Leaves out matches within a larger one whose item has all these characters. They often are parts of further items by
 * chance. A match whose characters are scattered is different: other items may have the characters between them.
 */
function withoutCoincidences(matches: readonly Hit[]): readonly Hit[] {
  const solid = matches.filter(
    ({ isWhole, text, span }) => isWhole && lengthOf(span) <= text.length * mostStretched,
  );
  return matches.filter(
    ({ isWhole, span }) =>
      !solid.some(
        (whole) =>
          whole.span.start <= span.start &&
          span.end <= whole.span.end &&
          (!isWhole || lengthOf(span) < lengthOf(whole.span)),
      ),
  );
}

function lengthOf({ start, end }: Hit["span"]): number {
  return end - start;
}

/** Yields the hits of a call's text, and those of its arguments in rows. The rows alone are in no pieces. */
async function* hitsOfArguments(
  outgoing: Outgoing,
  known: Known,
  { mails, readings, rows }: Pick<Comparison, "mails" | "readings" | "rows">,
): AsyncGenerator<readonly Hit[] | undefined, void> {
  yield* hitsOfWindows(outgoing, known, { mails, readings });
  if (rows === undefined) return;
  const hits = whereComparable(() => solidHitsIn(rows.text, known, { mails }));
  yield hits?.map((hit) => ({ ...hit, span: rows.spanOf(hit.span), isWhole: false }));
}

/**
 * Yields the hits of a text. A long text is compared in windows, each as a text of its own, so that the time grows with
 * the length and not with its square. Other calls run between the windows. Yields undefined if a text cannot be compared.
 */
async function* hitsOfWindows(
  outgoing: Outgoing,
  known: Known,
  { mails, readings }: Pick<Comparison, "mails" | "readings">,
): AsyncGenerator<readonly Hit[] | undefined, void> {
  const { text, earlier } = outgoing;
  if (text.length <= windowCharacters) {
    yield whereComparable(() => hitsIn(outgoing, known, { mails, readings }));
    return;
  }
  if (text.length > mostCompared) {
    yield undefined;
    return;
  }
  let sources = visibleTexts(text);
  for (let depth = 0; sources.length > 0; depth += 1) {
    const decoded: Reading[] = [];
    for (const source of sources) {
      for (const start of windowStarts(source.text.length)) {
        const window = source.text.slice(start, start + windowCharacters);
        const hits = whereComparable(() => hitsIn({ text: window, earlier }, known, { mails }));
        yield hits?.map((hit) => ({
          ...hit,
          span: spanOf(source, start + hit.span.start, start + hit.span.end),
        }));
        spend(window.length * effort);
        await turn();
      }
      if (depth === maxDepth) continue;
      for (const runs of decodedRuns(source, overlap)) {
        decoded.push(...runs);
        spend(source.text.length);
        await turn();
      }
    }
    sources = decoded;
  }
}

function windowStarts(length: number): number[] {
  const step = windowCharacters - overlap;
  const last = Math.max(0, length - windowCharacters);
  return Array.from({ length: Math.ceil(last / step) + 1 }, (_, at) => Math.min(last, at * step));
}

/** Returns undefined if a text cannot be compared. */
function whereComparable<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof NotCompared) return undefined;
    throw error;
  }
}
