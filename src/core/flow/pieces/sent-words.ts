import { isWord } from "../content-marks.ts";
import type { Hasher } from "../hasher.ts";
import type { Hit, Outgoing } from "../hit.ts";
import type { KnownContents } from "../known-contents.ts";
import { runLength } from "../mark-hashes.ts";
import { weightOf } from "../reading/frequent-words.ts";
import { spanOf } from "../reading/reading.ts";
import type { TrustedReading } from "../reading/readings.ts";
import { isUnspaced } from "../reading/tokens.ts";
import { type PlacedWord, wordsOf } from "./pieces.ts";
import { joinedHashes, noWord } from "./word-halves.ts";

// Runs of words that are sent in pieces, each among other words.

/** Earlier texts that are searched for pieces of a run. */
const mostTexts = 6;
/** Limit on pieces of a run, so that a sentence in five pieces is found at the third. */
const mostPieces = 3;
/** Steps of one search. Ordinary texts need a few dozen. */
const mostSteps = 4_000;
/** The longest distance between two halves of one word, in texts. */
const mostApart = 2;
/** Fewest letters of a word that shows that a text is backwards. */
const shortestKnown = 4;
/** The least weight of the words of a run. Unrelated texts together often have pieces of frequent phrases. */
const leastWeight = 0.3;
/** Fewest characters of a run. */
const shortestRun = 13;

/** The words of one text in one direction. */
interface Sequence {
  words: readonly PlacedWord[];
  text: number;
  isNew: boolean;
  /** The index of its first node. */
  first: number;
}

/** A word of a text, with what may follow it in a private item. */
interface Node extends PlacedWord {
  sequence: Sequence;
}

/** A word of a run, and the indexes of the nodes that it begins and ends with. These differ if it was cut. */
interface Step {
  hash: number;
  word: string;
  from: number;
  to: number;
}

/** The pieces of the run that is searched now. */
interface Progress {
  pieces: number;
  /** The number of words in the last piece. */
  length: number;
  /** Whether a piece is in the new text. */
  hasNew: boolean;
}

interface Known {
  contents: KnownContents;
  hasher: Hasher;
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
  readonly #sequences: readonly Sequence[];
  readonly #nodes: readonly Node[];
  readonly #known: Known;
  /** All words that are in some item, by the node that they begin with. */
  readonly #words: readonly (readonly Step[])[];
  readonly #following = new Map<Step, readonly Step[]>();
  readonly #run: Step[] = [];
  #steps = 0;

  constructor(sequences: readonly Sequence[], known: Known) {
    this.#sequences = sequences;
    this.#nodes = sequences.flatMap((sequence) =>
      sequence.words.map(({ token, hash, reading }): Node => ({ token, hash, reading, sequence })),
    );
    this.#known = known;
    const whole = this.#nodes.map(
      ({ token, hash }) => !isUnspaced(token) && known.contents.mayHaveWord(hash),
    );
    this.#words = this.#nodes.map(({ token, hash }, from) => [
      ...(whole[from] === true ? [{ hash, word: token.text, from, to: from }] : []),
      ...this.#halvesAt(from, whole),
    ]);
  }

  hits(): Hit[] {
    for (const words of this.#words)
      for (const first of words) {
        const isCut = first.to !== first.from;
        if (isCut && !this.#areKnown(first.from - 1, first.from)) continue;
        const hit = this.#from(first, {
          pieces: isCut ? 2 : 1,
          length: 1,
          hasNew: this.#isNew(first),
        });
        if (hit !== undefined) return [hit];
      }
    return [];
  }

  /** Returns the known words of which a node may be the first half. Two known words are rarely halves of one. */
  #halvesAt(from: number, whole: readonly boolean[]): Step[] {
    const { contents, hasher } = this.#known;
    const found: Step[] = [];
    const node = this.#nodes[from];
    if (node === undefined) return [];
    const { sequence: own, token } = node;
    for (const { words, text, first } of this.#sequences) {
      if (Math.abs(text - own.text) > mostApart) continue;
      const hashes = joinedHashes(own.words, words, hasher);
      const row = (from - own.first) * words.length;
      for (let at = 0; at < words.length; at += 1) {
        const hash = hashes[row + at] ?? noWord;
        const to = first + at;
        if (hash === noWord || to === from || (whole[from] === true && whole[to] === true))
          continue;
        if (this.#areNeighbours(from, to) || !contents.mayHaveWord(hash)) continue;
        found.push({ hash, word: token.text + (words[at]?.token.text ?? ""), from, to });
      }
    }
    return found;
  }

  /** Adds a word to the run and searches the rest of it. */
  #from(step: Step, progress: Progress): Hit | undefined {
    if ((this.#steps += 1) > mostSteps) return undefined;
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

  #rest(last: Step, { pieces, length, hasNew }: Progress): Hit | undefined {
    const run = this.#run;
    const { contents } = this.#known;
    const before = run.at(-2)?.hash;
    for (const step of this.#mayEnd(pieces, length) ? this.#after(last) : this.#next(last)) {
      if (before !== undefined && !contents.mayHaveNeighbours(before, last.hash, step.hash))
        continue;
      const isNext = this.#areNeighbours(last.to, step.from);
      const isCut = step.to !== step.from;
      const more = {
        pieces: pieces + (isNext ? 0 : 1) + (isCut ? 1 : 0),
        length: isNext && !isCut ? length + 1 : 1,
        hasNew: hasNew || this.#isNew(step),
      };
      // A half between two jumps would be a piece of a single word.
      if (more.pieces > mostPieces || (isCut && !isNext)) continue;
      // The earlier texts alone were searched when they were sent.
      const isLast = more.pieces === mostPieces || run.length === runLength - 1;
      if ((isLast && !more.hasNew) || run.some(({ to }) => to === step.from)) continue;
      const hit = this.#from(step, more);
      if (hit !== undefined) return hit;
    }
    return undefined;
  }

  #isNew({ from, to }: Step): boolean {
    return [from, to].some((node) => this.#nodes[node]?.sequence.isNew === true);
  }

  /** Returns whether another piece may follow. A piece must have two words, unless the run began in the middle of it. */
  #mayEnd(pieces: number, length: number): boolean {
    if (pieces === mostPieces) return false;
    const first = this.#run[0]?.from ?? 0;
    return length > 1 || (pieces === 1 && this.#areKnown(first - 1, first));
  }

  /** Returns the words that follow a word in some item. */
  #after(step: Step): readonly Step[] {
    let found = this.#following.get(step);
    if (found !== undefined) return found;
    const { contents } = this.#known;
    const all: Step[] = [];
    for (const words of this.#words)
      for (const word of words)
        if (contents.mayHaveNeighbours(step.hash, word.hash)) all.push(word);
    this.#following.set(step, (found = all));
    return found;
  }

  /** Returns those of them that directly follow it in the text. */
  #next(step: Step): readonly Step[] {
    const { to, hash } = step;
    if (!this.#areNeighbours(to, to + 1)) return [];
    const { contents } = this.#known;
    return (this.#words[to + 1] ?? []).filter((word) =>
      contents.mayHaveNeighbours(hash, word.hash),
    );
  }

  #areNeighbours(one: number, other: number): boolean {
    return other === one + 1 && this.#nodes[one]?.sequence === this.#nodes[other]?.sequence;
  }

  /**
   * Returns whether each piece has at least two words. Unrelated texts together often have all single words of a run.
   */
  #areLong(run: readonly Step[]): boolean {
    const lengths = [0];
    for (const [at, { from, to }] of run.entries()) {
      if (at > 0 && !this.#areNeighbours(run[at - 1]?.to ?? 0, from)) lengths.push(0);
      lengths.push((lengths.pop() ?? 0) + 1);
      if (to !== from) lengths.push(1);
    }
    const [first, last] = [run[0], run.at(-1)];
    if (first === undefined || last === undefined) return false;
    // The run may have begun or ended in the middle of a piece.
    if (lengths[0] === 1 && this.#areKnown(first.from - 1, first.from)) lengths[0] = 2;
    if (lengths.at(-1) === 1 && this.#areKnown(last.to, last.to + 1)) lengths.splice(-1, 1, 2);
    return lengths.every((length) => length > 1);
  }

  #areKnown(one: number, other: number): boolean {
    return (
      this.#areNeighbours(one, other) &&
      this.#known.contents.mayHaveNeighbours(
        this.#nodes[one]?.hash ?? 0,
        this.#nodes[other]?.hash ?? 0,
      )
    );
  }

  #hitOf(run: readonly Step[]): Hit | undefined {
    const { contents } = this.#known;
    for (let at = 0; at < runLength; at += 1) hashes[at] = run[at]?.hash ?? 0;
    // Frequent words make hundreds of runs that no item has.
    const withRun = contents.withRun(hashes, 0);
    if (withRun.length === 0 || !this.#areLong(run)) return undefined;
    const fresh = run.flatMap(({ from, to }) =>
      [this.#nodes[from], this.#nodes[to]].filter((node) => node?.sequence.isNew === true),
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
function weightIn(content: number, words: readonly Step[], contents: KnownContents): number {
  return words.reduce(
    (sum, { word, hash }) => sum + (contents.isTopic(content, hash) ? 0 : weightOf(word)),
    0,
  );
}
