import { isWord } from "../content-marks.ts";
import type { Hasher } from "../hasher.ts";
import type { Hit, Outgoing } from "../hit.ts";
import type { KnownContents } from "../known-contents.ts";
import { runLength } from "../mark-hashes.ts";
import { weightOf } from "../reading/frequent-words.ts";
import { type Reading, spanOf } from "../reading/reading.ts";
import type { TrustedReading } from "../reading/readings.ts";
import { type Token, isUnspaced } from "../reading/tokens.ts";
import { wordsOf } from "./pieces.ts";

// Runs of words that are sent in pieces, each among other words.

/** Earlier texts that are searched for pieces of a run. */
const mostTexts = 6;
/** Limit on pieces of a run, so that a sentence in five pieces is found at the third. */
const mostPieces = 3;
/** Steps of one search. Ordinary texts need a few hundred. */
const mostSteps = 4_000;
/** The longest distance between two halves of one word, in texts. */
const mostApart = 2;
const longestWord = 24;
/** Words of a text whose halves are joined. A longer one, with several arguments, has too many pairs. */
const mostHalves = 20;
/** Fewest letters of a word that shows that a text is backwards. */
const shortestKnown = 4;
/** The least weight of the words of a run. Unrelated texts together often have pieces of frequent phrases. */
const leastWeight = 0.3;
/** Fewest characters of a run. */
const shortestRun = 13;

/** A word of a text, with what may follow it in a private item. */
interface Node {
  token: Token;
  hash: number;
  text: number;
  /** Words of the same text and direction. */
  sequence: number;
  isNew: boolean;
  /** Whether the word may be a half of another. */
  isHalf: boolean;
  reading: Reading;
}

/** A word of a run, and the indexes of the nodes that it begins and ends with. These differ if it was cut. */
interface Step {
  hash: number;
  word: string;
  from: number;
  to: number;
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
  const nodes = texts
    .filter((words) => words !== undefined)
    .flatMap((words, text) => {
      const isNew = words === own;
      const [forwards, backwards] = [words.forwards, words.backwards].map((each, sequence) =>
        each.map(({ token, reading }): Node => ({
          token,
          hash: known.hasher.token(token.text),
          text,
          sequence: text * 2 + sequence,
          isNew,
          isHalf: each.length <= mostHalves,
          reading,
        })),
      );
      const isBackwards = (backwards ?? []).filter((node) => isKnown(node, known)).length > 1;
      return [...(forwards ?? []), ...(isBackwards ? (backwards ?? []) : [])];
    });
  return new Search(nodes, known).hits();
}

/** Returns whether an item has a word. Words of a text backwards are rarely known. */
function isKnown({ token, hash }: Node, { contents }: Known): boolean {
  return token.text.length >= shortestKnown && contents.mayHaveWord(hash);
}

function isHalf({ token, isHalf: mayBeHalf }: Node): boolean {
  return mayBeHalf && !token.hasDigit && !isUnspaced(token);
}

class Search {
  readonly #nodes: readonly Node[];
  readonly #known: Known;
  /** All words that are in some item, by the node that they begin with. */
  readonly #words: readonly (readonly Step[])[];
  readonly #following = new Map<Step, readonly Step[]>();
  #steps = 0;

  constructor(nodes: readonly Node[], known: Known) {
    this.#nodes = nodes;
    this.#known = known;
    const whole = nodes.map(
      ({ token, hash }) => !isUnspaced(token) && known.contents.mayHaveWord(hash),
    );
    this.#words = nodes.map(({ token, hash }, from) => [
      ...(whole[from] === true ? [{ hash, word: token.text, from, to: from }] : []),
      ...this.#halvesAt(from, whole),
    ]);
  }

  hits(): Hit[] {
    for (const words of this.#words)
      for (const first of words) {
        const hit = this.#from([first], first.to === first.from ? 1 : 2);
        if (hit !== undefined) return [hit];
      }
    return [];
  }

  /** Returns the known words of which a node may be the first half. Two known words are rarely halves of one. */
  #halvesAt(from: number, whole: readonly boolean[]): Step[] {
    const { contents, hasher } = this.#known;
    const found: Step[] = [];
    const first = this.#nodes[from];
    if (first === undefined || !isHalf(first)) return [];
    for (let to = 0; to < this.#nodes.length; to += 1) {
      if (whole[from] === true && whole[to] === true) continue;
      const other = this.#nodes[to];
      if (other === undefined || to === from || this.#areNeighbours(from, to)) continue;
      if (Math.abs(other.text - first.text) > mostApart || !isHalf(other)) continue;
      if (first.token.text.length + other.token.text.length > longestWord) continue;
      const word = first.token.text + other.token.text;
      const hash = hasher.token(word);
      if (contents.mayHaveWord(hash)) found.push({ hash, word, from, to });
    }
    return found;
  }

  #from(run: readonly Step[], pieces: number): Hit | undefined {
    const last = run.at(-1);
    if (last === undefined || (this.#steps += 1) > mostSteps) return undefined;
    if (run.length === runLength) return pieces > 1 ? this.#hitOf(run) : undefined;
    const before = run.at(-2)?.hash;
    for (const step of this.#after(last)) {
      if (
        before !== undefined &&
        !this.#known.contents.mayHaveNeighbours(before, last.hash, step.hash)
      )
        continue;
      const count =
        pieces +
        (this.#areNeighbours(last.to, step.from) ? 0 : 1) +
        (step.to === step.from ? 0 : 1);
      if (count > mostPieces || run.some(({ to }) => to === step.from)) continue;
      const hit = this.#from([...run, step], count);
      if (hit !== undefined) return hit;
    }
    return undefined;
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
    const fresh = run.flatMap(({ from, to }) =>
      [this.#nodes[from], this.#nodes[to]].filter((node) => node?.isNew === true),
    );
    if (fresh.length === 0 || !this.#areLong(run)) return undefined;
    const terms = run.filter(({ word }) => isWord({ text: word, hasDigit: /\p{N}/u.test(word) }));
    const found = contents
      .withRun(
        run.map(({ hash }) => hash),
        0,
      )
      .filter((content) => weightIn(content, terms, contents) >= leastWeight);
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
