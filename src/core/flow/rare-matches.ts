import { spend, turn } from "../shared/event-loop.ts";
import { hitsIn, rareOf, withoutOverlaps } from "./compare.ts";
import type { Hasher } from "./hasher.ts";
import type { Hit, Outgoing } from "./hit.ts";
import type { KnownContents } from "./known-contents.ts";
import type { Frequencies, Source } from "./ledger.ts";
import { decodedRuns, visibleTexts } from "./reading/decode.ts";
import { defaultRarity } from "./reading/rarity.ts";
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
  frequenciesOf: (terms: readonly string[]) => Promise<Frequencies>;
  /** Returns false if the text may go back to the writers of these items. */
  isForeign: (sources: readonly Source[]) => boolean;
  /** The comparison ends with this number of matches. */
  most: number;
}

/** Reads a text before it is compared, if it is short enough to be compared at once. */
export function readingsAhead(text: string): readonly TrustedReading[] | undefined {
  return text.length > windowCharacters ? undefined : whereComparable(() => readingsOf(text));
}

/** Returns the rare matches of a text. Undefined if it cannot be compared as a whole. */
export async function rareMatches(
  outgoing: Outgoing,
  known: Known,
  { mails, readings, frequenciesOf, isForeign, most }: Comparison,
): Promise<readonly Hit[] | undefined> {
  const found: Hit[] = [];
  for await (const hits of hitsOfWindows(outgoing, known, { mails, readings })) {
    if (hits === undefined) return undefined;
    const foreign = hits.filter(({ sources }) => isForeign(sources));
    // The index counts a word in about as much time as the rest takes, so only words of hits are counted.
    const terms = [...new Set(foreign.flatMap((hit) => hit.terms))];
    found.push(...rareOf(foreign, await frequenciesOf(terms), defaultRarity));
    if (found.length >= most) break;
  }
  return withoutOverlaps(found).slice(0, most);
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
