import type { Hasher } from "../hasher.ts";
import type { KnownContents } from "../known-contents.ts";
import { isUnspaced } from "../reading/tokens.ts";
import type { PlacedWord } from "./pieces.ts";
import { joinedWords, noWord } from "./word-halves.ts";

/** The longest distance between two halves of one word, in texts. */
const mostApart = 2;

/** The words of one text in one direction. */
export interface Sequence {
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
export interface RunStep {
  hash: number;
  word: string;
  from: number;
  to: number;
}

export interface Known {
  contents: KnownContents;
  hasher: Hasher;
}

/** The words of several texts, and which of them may follow each other in a private item. */
export class RunWords {
  readonly nodes: readonly Node[];
  /** All words that are in some item, by the node that they begin with. */
  readonly all: readonly (readonly RunStep[])[];
  readonly #sequences: readonly Sequence[];
  readonly #known: Known;
  /** The words that may follow a word, by its fingerprint. */
  readonly #following = new Map<number, readonly RunStep[]>();
  /** The words that may begin the next piece, by the fingerprint of the word before it. */
  readonly #jumpsAfter = new Map<number, readonly RunStep[]>();
  /** All first words of possible pieces, with the words that may follow them. */
  #beginnings: readonly { first: RunStep; seconds: readonly RunStep[] }[] | undefined;

  constructor(sequences: readonly Sequence[], known: Known) {
    this.#sequences = sequences;
    this.nodes = sequences.flatMap((sequence) =>
      sequence.words.map(({ token, hash, reading }): Node => ({ token, hash, reading, sequence })),
    );
    this.#known = known;
    const whole = this.nodes.map(
      ({ token, hash }) => !isUnspaced(token) && known.contents.mayHaveWord(hash),
    );
    this.all = this.nodes.map(({ token, hash }, from) => [
      ...(whole[from] === true ? [{ hash, word: token.text, from, to: from }] : []),
      ...this.#halvesAt(from, whole),
    ]);
  }

  /** Returns the known words of which a node may be the first half. Two known words are rarely halves of one. */
  #halvesAt(from: number, whole: readonly boolean[]): RunStep[] {
    const { contents, hasher } = this.#known;
    const found: RunStep[] = [];
    const node = this.nodes[from];
    if (node === undefined) return [];
    const { sequence: own, token } = node;
    for (const { words, text, first } of this.#sequences) {
      if (Math.abs(text - own.text) > mostApart) continue;
      const joined = joinedWords(own.words, words, hasher);
      for (let at = 0; at < words.length; at += 1) {
        const to = first + at;
        if (to === from || (whole[from] === true && whole[to] === true)) continue;
        const hash = joined.at(from - own.first, at);
        if (hash === noWord || this.areNeighbours(from, to) || !contents.mayHaveWord(hash))
          continue;
        found.push({ hash, word: token.text + (words[at]?.token.text ?? ""), from, to });
      }
    }
    return found;
  }

  /** Returns whether a word is from the new text. */
  isNew({ from, to }: RunStep): boolean {
    const { nodes } = this;
    return nodes[from]?.sequence.isNew === true || nodes[to]?.sequence.isNew === true;
  }

  /**
   * Returns the words that may follow the last word, in the order of the texts.
   * @param mayEnd whether the piece may end with this word
   * @param isEnd whether the next word is the last one of the run
   */
  followers(last: RunStep, mayEnd: boolean, isEnd: boolean): readonly RunStep[] {
    if (mayEnd && isEnd) return this.#after(last);
    const next = this.#next(last);
    if (!mayEnd) return next;
    const jumps = this.#jumps(last);
    if (next.length === 0) return jumps;
    const at = jumps.findIndex(({ from }) => from > last.to);
    const later = at < 0 ? [] : jumps.slice(at).filter(({ from }) => from > last.to + 1);
    return [...(at < 0 ? jumps : jumps.slice(0, at)), ...next, ...later];
  }

  /**
   * Returns the words that may begin the next piece after a word. A piece has two words, so the second one is looked up
   * at once: frequent words follow almost every word in some item.
   */
  #jumps({ hash }: RunStep): readonly RunStep[] {
    let found = this.#jumpsAfter.get(hash);
    if (found !== undefined) return found;
    const { contents } = this.#known;
    this.#beginnings ??= this.all
      .flat()
      .filter(({ from, to }) => from === to)
      .map((first) => ({ first, seconds: this.#next(first) }))
      .filter(({ seconds }) => seconds.length > 0);
    found = this.#beginnings
      .filter(({ first, seconds }) =>
        seconds.some((second) => contents.mayHaveNeighbours(hash, first.hash, second.hash)),
      )
      .map(({ first }) => first);
    this.#jumpsAfter.set(hash, found);
    return found;
  }

  /** Returns the words that follow a word in some item. */
  #after({ hash }: RunStep): readonly RunStep[] {
    let found = this.#following.get(hash);
    if (found !== undefined) return found;
    const { contents } = this.#known;
    const all: RunStep[] = [];
    for (const words of this.all)
      for (const word of words) if (contents.mayHaveNeighbours(hash, word.hash)) all.push(word);
    this.#following.set(hash, (found = all));
    return found;
  }

  /** Returns those of them that directly follow it in the text. */
  #next(step: RunStep): readonly RunStep[] {
    const { to, hash } = step;
    if (!this.areNeighbours(to, to + 1)) return [];
    const { contents } = this.#known;
    return (this.all[to + 1] ?? []).filter((word) => contents.mayHaveNeighbours(hash, word.hash));
  }

  /** Returns whether a node directly follows another one in its text. */
  areNeighbours(one: number, other: number): boolean {
    return other === one + 1 && this.nodes[one]?.sequence === this.nodes[other]?.sequence;
  }

  /** The same, if an item may have both in a row. */
  areKnown(one: number, other: number): boolean {
    return (
      this.areNeighbours(one, other) &&
      this.#known.contents.mayHaveNeighbours(
        this.nodes[one]?.hash ?? 0,
        this.nodes[other]?.hash ?? 0,
      )
    );
  }
}
