import { isWord } from "../content-marks.ts";
import type { Hit, Outgoing } from "../hit.ts";
import type { KnownContents } from "../known-contents.ts";
import { runLength } from "../mark-hashes.ts";
import { weightOf } from "../reading/frequent-words.ts";
import { spanOf } from "../reading/reading.ts";
import type { TrustedReading } from "../reading/readings.ts";
import { type PlacedWord, wordsOf } from "./pieces.ts";
import { type Known, RunWords, type Sequence, type RunStep } from "./run-words.ts";

// Runs of words that are sent in pieces, each among other words.

/** Earlier texts that are searched for pieces of a run. */
const mostTexts = 6;
/** Limit on pieces of a run, so that a sentence in five pieces is found at the third. */
const mostPieces = 3;
/** Steps of one search. Ordinary texts need a few dozen. */
const mostSteps = 4_000;
/** Fewest letters of a word that shows that a text is backwards. */
const shortestKnown = 4;
/** The least weight of the words of a run. Unrelated texts together often have pieces of frequent phrases. */
const leastWeight = 0.3;
/** Fewest characters of a run. */
const shortestRun = 13;

/** The pieces of the run that is searched now. */
interface Progress {
  pieces: number;
  /** The number of words in the last piece. */
  length: number;
  /** Whether a piece is in the new text. */
  hasNew: boolean;
}

/** Finds a run of words in pieces of this text and of earlier ones. */
export function runsInPieces(
  { text, earlier }: Outgoing,
  readings: readonly TrustedReading[],
  known: Known,
): Hit[] {
  const own = wordsOf(text, known.hasher, readings);
  if (own === undefined) return [];
  const texts = [...earlier.slice(-mostTexts).map((each) => wordsOf(each, known.hasher)), own];
  const sequences: Sequence[] = [];
  let first = 0;
  for (const [index, words] of texts.filter((each) => each !== undefined).entries()) {
    const isBackwards = words.backwards.filter((word) => isKnown(word, known)).length > 1;
    for (const each of isBackwards ? [words.forwards, words.backwards] : [words.forwards]) {
      sequences.push({ words: each, text: index, isNew: words === own, first });
      first += each.length;
    }
  }
  return new Search(sequences, known).hits();
}

/** Returns whether an item has a word. Words of a text backwards are rarely known. */
function isKnown({ token, hash }: PlacedWord, { contents }: Known): boolean {
  return token.text.length >= shortestKnown && contents.mayHaveWord(hash);
}

/** The fingerprints of the run that is examined now. */
const hashes = new Int32Array(runLength);

class Search {
  readonly #known: Known;
  readonly #words: RunWords;
  readonly #run: RunStep[] = [];
  #steps = 0;

  constructor(sequences: readonly Sequence[], known: Known) {
    this.#known = known;
    this.#words = new RunWords(sequences, known);
  }

  hits(): Hit[] {
    for (const words of this.#words.all)
      for (const first of words) {
        const isCut = first.to !== first.from;
        if (isCut && !this.#words.areKnown(first.from - 1, first.from)) continue;
        const hit = this.#from(first, {
          pieces: isCut ? 2 : 1,
          length: 1,
          hasNew: this.#words.isNew(first),
        });
        if (hit !== undefined) return [hit];
      }
    return [];
  }

  /** Adds a word to the run and searches the rest of it. */
  #from(step: RunStep, progress: Progress): Hit | undefined {
    if ((this.#steps += 1) > mostSteps) return undefined;
    hashes[this.#run.length] = step.hash;
    this.#run.push(step);
    const hit =
      this.#run.length < runLength
        ? this.#rest(step, progress)
        : progress.pieces > 1
          ? this.#hitOf(this.#run)
          : undefined;
    this.#run.pop();
    return hit;
  }

  #rest(last: RunStep, { pieces, length, hasNew }: Progress): Hit | undefined {
    const run = this.#run;
    const { contents } = this.#known;
    const before = run.at(-2)?.hash;
    const isEnd = run.length === runLength - 1;
    for (const step of this.#words.followers(last, this.#mayEnd(pieces, length), isEnd)) {
      const isNext = this.#words.areNeighbours(last.to, step.from);
      const isCut = step.to !== step.from;
      const morePieces = pieces + (isNext ? 0 : 1) + (isCut ? 1 : 0);
      // A half between two jumps would be a piece of a single word.
      if (morePieces > mostPieces || (isCut && !isNext)) continue;
      // The earlier texts alone were searched when they were sent.
      const isLast = morePieces === mostPieces || isEnd;
      const willHaveNew = hasNew || this.#words.isNew(step);
      if (isLast && !willHaveNew) continue;
      // Most words end here. Frequent ones make thousands of runs that no item has.
      if (before !== undefined && !contents.mayHaveNeighbours(before, last.hash, step.hash))
        continue;
      if (!this.#mayContinueWith(step) || run.some(({ to }) => to === step.from)) continue;
      const hit = this.#from(step, {
        pieces: morePieces,
        length: isNext && !isCut ? length + 1 : 1,
        hasNew: willHaveNew,
      });
      if (hit !== undefined) return hit;
    }
    return undefined;
  }

  /** Returns whether an item may have the run with this next word. */
  #mayContinueWith({ hash }: RunStep): boolean {
    const { contents } = this.#known;
    const at = this.#run.length;
    hashes[at] = hash;
    return at < runLength - 2 || contents.mayHaveRun(hashes, at + 1);
  }

  /** Returns whether another piece may follow. A piece must have two words, unless the run began in the middle of it. */
  #mayEnd(pieces: number, length: number): boolean {
    if (pieces === mostPieces) return false;
    const first = this.#run[0]?.from ?? 0;
    return length > 1 || (pieces === 1 && this.#words.areKnown(first - 1, first));
  }

  /**
   * Returns whether each piece has at least two words. Unrelated texts together often have all single words of a run.
   */
  #areLong(run: readonly RunStep[]): boolean {
    const lengths = [0];
    for (const [at, { from, to }] of run.entries()) {
      if (at > 0 && !this.#words.areNeighbours(run[at - 1]?.to ?? 0, from)) lengths.push(0);
      lengths.push((lengths.pop() ?? 0) + 1);
      if (to !== from) lengths.push(1);
    }
    const [first, last] = [run[0], run.at(-1)];
    if (first === undefined || last === undefined) return false;
    // The run may have begun or ended in the middle of a piece.
    if (lengths[0] === 1 && this.#words.areKnown(first.from - 1, first.from)) lengths[0] = 2;
    if (lengths.at(-1) === 1 && this.#words.areKnown(last.to, last.to + 1))
      lengths.splice(-1, 1, 2);
    return lengths.every((length) => length > 1);
  }

  #hitOf(run: readonly RunStep[]): Hit | undefined {
    const { contents } = this.#known;
    const withRun = contents.withRun(hashes, 0);
    if (withRun.length === 0 || !this.#areLong(run)) return undefined;
    const fresh = run.flatMap(({ from, to }) =>
      [this.#words.nodes[from], this.#words.nodes[to]].filter(
        (node) => node?.sequence.isNew === true,
      ),
    );
    if (fresh.length === 0) return undefined;
    const terms = run.filter(({ word }) => isWord({ text: word, hasDigit: /\p{N}/u.test(word) }));
    const found = withRun.filter((content) => weightIn(content, terms, contents) >= leastWeight);
    const words = run.map(({ word }) => word);
    if (found.length === 0 || words.join("").length < shortestRun) return undefined;
    const spans = fresh.flatMap((node) =>
      node === undefined ? [] : [spanOf(node.reading, node.token.start, node.token.end)],
    );
    return {
      kind: "run",
      text: words.join(" "),
      terms: [...new Set(terms.map(({ word }) => word))],
      span: {
        start: Math.min(...spans.map(({ start }) => start)),
        end: Math.max(...spans.map(({ end }) => end)),
      },
      sources: found
        .map((content) => contents.sourceOf(content))
        .filter((source) => source !== undefined),
    };
  }
}

/** Returns the weight of words in an item. People search for words of its topic. */
function weightIn(content: number, words: readonly RunStep[], contents: KnownContents): number {
  return words.reduce(
    (sum, { word, hash }) => sum + (contents.isTopic(content, hash) ? 0 : weightOf(word)),
    0,
  );
}
