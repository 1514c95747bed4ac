import { CodePairs, type LeftPairs } from "./code-pairs.ts";
import { type CodeAmount, CodeOrder } from "./codes/code-order.ts";
import { CodeSeeds } from "./codes/code-seeds.ts";
import { type CodeKind, type Marks, codeKinds } from "./content-marks.ts";
import type { GivenSource } from "./ledger.ts";
import { HashMultimap, none } from "./lists/hash-multimap.ts";
import { IntegerList } from "./lists/integer-list.ts";
import { NeighbourFilter } from "./lists/neighbour-filter.ts";
import {
  type MarkHashes,
  hashesOf,
  runHash,
  runLength,
  seedHash,
  seedPairs,
} from "./mark-hashes.ts";

/** Limit on items that are searched for a run of words. */
const mostLooked = 200;

interface Content {
  /** The same for the same text. */
  id: string;
  seq: number;
  source: GivenSource;
  marks: Marks;
  /** False if the caller received it again later, or if it is too old. */
  isCurrent: boolean;
}

/** A code of an item, as a part of `pairs`. */
export interface KnownCode {
  /** The place among all codes. Newer codes have higher numbers. */
  index: number;
  kind: CodeKind;
  content: number;
  /** The place of its first pair. */
  start: number;
  pairCount: number;
  /** The amount of older codes, of those that unlock something or of the others. */
  older: CodeAmount;
}

interface Stored {
  seq: number;
  /** The same for the same text. */
  digest: string;
  hashes?: MarkHashes;
}

const nothing: readonly number[] = [];

/** The last version of all callers' items. */
let lastVersion = 0;

/** The fingerprints of the items that one caller received, indexed in memory. */
export class KnownContents {
  #contents: Content[] = [];
  #byId = new Map<string, number>();
  #currentCount = 0;
  /** The number of current items of each source, by kind and id. */
  #sources = new Map<string, { source: GivenSource; count: number }>();
  #words = new HashMultimap();
  #runs = new HashMultimap();
  #neighbours = new NeighbourFilter();
  #seeds = new CodeSeeds();
  #tokens = new IntegerList();
  /** The place of the first token of each item. */
  #firstTokens = new IntegerList();
  #pairs = new CodePairs();
  codes: KnownCode[] = [];
  #order = new CodeOrder();
  /** A number that no other items have, and that changes with each new item. */
  version = 0;
  /** Words that were found in more mails than `limit`. They are kept until items expire. */
  #frequent = { limit: 0, words: new Set<number>() };
  /** The number of the oldest valid entry, or a lower number. */
  #oldest = 0;
  #newest = 0;

  get isEmpty(): boolean {
    return this.#currentCount === 0;
  }

  /** Returns whether the test is true for the source of every item. */
  everySource(test: (source: GivenSource) => boolean): boolean {
    for (const { source } of this.#sources.values()) if (!test(source)) return false;
    return true;
  }

  /** The number of the newest entry. Zero if there is none. */
  get newest(): number {
    return this.#newest;
  }

  /** Adds an item. Items are added in order, the newest last. */
  add(source: GivenSource, marks: Marks, { seq, digest, hashes }: Stored): void {
    const id = `${keyOf(source)} ${digest}`;
    const earlier = this.#byId.get(id);
    if (earlier !== undefined) this.#drop(earlier);
    this.#newest = Math.max(this.#newest, seq);
    this.#index({ id, seq, source, marks, isCurrent: true }, hashes);
  }

  #index(content: Content, hashes: MarkHashes = hashesOf(content.marks)): void {
    this.version = lastVersion += 1;
    const index = this.#contents.length;
    this.#byId.set(content.id, index);
    this.#contents.push(content);
    this.#currentCount += 1;
    const { source } = content;
    const ofSource = this.#sources.get(keyOf(source)) ?? { source, count: 0 };
    ofSource.count += 1;
    this.#sources.set(keyOf(source), ofSource);
    const { tokens, codes, pairs } = content.marks;
    const firstToken = this.#tokens.length;
    this.#tokens.pushAll(tokens);
    this.#neighbours.addAll(tokens);
    this.#firstTokens.push(firstToken);
    for (const word of hashes.words) this.#words.push(word, index);
    this.#runs.pushAll(hashes.runs, firstToken);
    const firstPair = this.#pairs.length;
    let start = 0;
    for (let at = 0; at < codes.length; at += 2) {
      const kindIndex = codes[at] ?? 0;
      const kind = codeKinds[kindIndex] ?? "code";
      const pairCount = codes[at + 1] ?? 0;
      const code = this.codes.length;
      this.#pairs.addCode(pairs.subarray(start, start + pairCount), kindIndex, kind !== "text");
      const older = this.#order.add(kind, pairCount);
      const own = { start: firstPair + start, pairCount, older };
      this.codes.push({ index: code, kind, content: index, ...own });
      const isLong = kind === "place" || kind === "text";
      this.#seeds.add(hashes.seeds, { start, pairCount }, { shift: firstPair, isLong });
      start += pairCount;
    }
  }

  /** Excludes the items before this entry. Their memory is freed once they are more than half of all. */
  dropBefore(oldest: number): void {
    if (oldest <= this.#oldest) return;
    this.#oldest = oldest;
    this.#frequent.words.clear();
    // A plain loop, because this may run for each entry of a long ledger.
    for (let index = 0; index < this.#contents.length; index += 1)
      if ((this.#contents[index]?.seq ?? 0) < oldest) this.#drop(index);
    this.#compact();
  }

  #drop(index: number): void {
    const content = this.#contents[index];
    if (!content?.isCurrent) return;
    content.isCurrent = false;
    this.#currentCount -= 1;
    const ofSource = this.#sources.get(keyOf(content.source));
    if (ofSource === undefined) return;
    ofSource.count -= 1;
    if (ofSource.count === 0) this.#sources.delete(keyOf(content.source));
  }

  #compact(): void {
    if (this.#currentCount * 2 >= this.#contents.length) return;
    const kept = this.#contents.filter(({ isCurrent }) => isCurrent);
    this.#byId = new Map();
    this.#contents = [];
    this.#currentCount = 0;
    this.#sources = new Map();
    [this.#words, this.#runs] = [new HashMultimap(), new HashMultimap()];
    [this.#seeds, this.#neighbours] = [new CodeSeeds(), new NeighbourFilter()];
    [this.#tokens, this.#firstTokens] = [new IntegerList(), new IntegerList()];
    this.#pairs = new CodePairs();
    [this.codes, this.#order] = [[], new CodeOrder()];
    for (const content of kept) this.#index(content);
  }

  /** Returns the known words that are in more mails than `limit`. The word finder adds others. */
  wordsInMoreThan(limit: number): Set<number> {
    if (this.#frequent.limit !== limit) this.#frequent = { limit, words: new Set() };
    return this.#frequent.words;
  }

  /** Returns false if no item has this word. */
  mayHaveWord(hash: number): boolean {
    return this.#words.mayHave(hash);
  }

  /** Returns false if no item has these two or three words in a row. */
  mayHaveNeighbours(one: number, two: number, three = 0): boolean {
    return this.#neighbours.mayHave(one, two, three);
  }

  /** Returns false if no item has this run of words. @param length five, or four for its first words */
  mayHaveRun(run: Int32Array, length: number): boolean {
    if (length < runLength) return this.#neighbours.mayHaveFour(run);
    return this.#runs.mayHave(runHash(run, 0));
  }

  /** Returns at most `limit` items with this word, the newest first. */
  withWord(hash: number, limit: number): readonly number[] {
    let place = this.#words.first(hash);
    if (place === none) return nothing;
    const found: number[] = [];
    for (; place !== none && found.length < limit; place = this.#words.next(hash, place)) {
      const content = this.#words.valueAt(place);
      if (this.#contents[content]?.isCurrent) found.push(content);
    }
    return found;
  }

  /** Returns at most `limit` items that contain these words in a row, the newest first. */
  withTokens(hashes: readonly number[], limit: number): readonly number[] {
    return this.withWord(hashes[0] ?? 0, mostLooked)
      .filter((content) => {
        const tokens = this.#contents[content]?.marks.tokens ?? new Uint32Array();
        return tokens.some((_token, at) =>
          hashes.every((hash, next) => tokens[at + next] === hash),
        );
      })
      .slice(0, limit);
  }

  /** Returns at most 8 items that contain this run of words, the newest first. */
  withRun(hashes: ArrayLike<number>, first: number): readonly number[] {
    const hash = runHash(hashes, first);
    let place = this.#runs.first(hash);
    if (place === none) return nothing;
    const found: number[] = [];
    for (; place !== none && found.length < 8; place = this.#runs.next(hash, place)) {
      const start = this.#runs.valueAt(place);
      if (!this.#hasRun(start, hashes, first)) continue;
      const content = this.#contentOfToken(start);
      if (this.#contents[content]?.isCurrent && !found.includes(content)) found.push(content);
    }
    return found;
  }

  #hasRun(start: number, hashes: ArrayLike<number>, first: number): boolean {
    for (let at = 0; at < runLength; at += 1)
      if (this.#tokens.at(start + at) !== hashes[first + at]) return false;
    return true;
  }

  /** Finds the item of a token by binary search. */
  #contentOfToken(token: number): number {
    let [low, high] = [0, this.#firstTokens.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#firstTokens.at(middle) <= token) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Returns whether a code has this pair. */
  hasPair(pair: number): boolean {
    return this.#pairs.has(pair);
  }

  /** Returns false if no code has pairs in a row with this hash. */
  mayHaveSeed(seed: number): boolean {
    return this.#seeds.all.mayHave(seed);
  }

  /** The same for a hash of `longs`. */
  mayHaveLong(hash: number): boolean {
    return this.#seeds.longs.mayHave(hash);
  }

  /**
   * Calls `use` with at most 64 places of codes that have these pairs in a row, the newest first.
   * @param list `all` places, the `starts` of codes, or those of `longs` matches of addresses and texts
   * @param hash the hash of the pairs in this list
   * @param start the place of the pairs in the text, which `use` gets back
   */
  withSeed(
    list: "all" | "starts" | "longs",
    hash: number,
    pairs: ArrayLike<number>,
    start: number,
    use: (code: KnownCode, at: number, start: number) => void,
  ): void {
    const places = this.#seeds[list];
    let left = 64;
    let next = places.first(hash);
    for (; next !== none && left > 0; next = places.next(hash, next)) {
      const place = places.valueAt(next);
      const code = this.codes[this.#pairs.codeAt(place)];
      if (code === undefined || !this.#contents[code.content]?.isCurrent) continue;
      if (!this.hasPairsAt(place, pairs)) continue;
      use(code, place - code.start, start);
      left -= 1;
    }
  }

  /** Returns codes, addresses and texts without spaces that may have been sent in pieces, the newest first. */
  codesOf(left: LeftPairs): KnownCode[] {
    const isCurrent = (code: number): boolean =>
      this.#contents[this.codes[code]?.content ?? -1]?.isCurrent === true;
    const forEachSeed = (piece: readonly number[], use: (place: number) => void): boolean => {
      if (piece.length < seedPairs) return false;
      const hash = seedHash(piece, 0);
      const { all } = this.#seeds;
      let next = all.first(hash);
      for (; next !== none; next = all.next(hash, next)) {
        use(all.valueAt(next));
      }
      return true;
    };
    return this.#pairs
      .codesOf(left, { isCurrent, forEachSeed })
      .map((code) => this.codes[code])
      .filter((code) => code !== undefined);
  }

  pairAt(place: number): number {
    return this.#pairs.at(place);
  }

  /** Returns whether these pairs are at a place, one after the other. */
  hasPairsAt(place: number, pairs: ArrayLike<number>): boolean {
    for (let at = 0; at < pairs.length; at += 1)
      if (pairs[at] !== this.pairAt(place + at)) return false;
    return true;
  }

  /** Returns whether a separator is between the characters of a pair. */
  isSeparated(place: number): boolean {
    return this.#pairs.isSeparated(place);
  }

  /** Returns the amount of codes that are as new as this one or newer, of those that unlock something or of the others. */
  newerThan({ kind, older }: KnownCode): CodeAmount {
    return this.#order.newerThan(kind, older);
  }

  /** Returns whether a word belongs to the item's topic. */
  isTopic(content: number, hash: number): boolean {
    return this.#contents[content]?.marks.topics.includes(hash) ?? false;
  }

  sourceOf(content: number): GivenSource | undefined {
    const found = this.#contents[content];
    return found?.isCurrent ? found.source : undefined;
  }
}

function keyOf({ kind, id }: GivenSource): string {
  return `${kind} ${id}`;
}
