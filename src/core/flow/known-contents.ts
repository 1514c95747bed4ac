import { type CodeKind, type Marks, separated } from "./content-marks.ts";
import { GrownArray, HashLists } from "./grown-array.ts";
import type { GivenSource } from "./ledger.ts";
import { shortestSolid } from "./reading/tokens.ts";

/** Words in a row that are compared together. */
export const runLength = 5;
/** Neighbouring pairs that find a code: those of its shortest possible match. */
const seedPairs = shortestSolid - 1;

/** Contents that are searched for words in a row. */
const mostLooked = 200;

interface Content {
  /** The same for the same text. */
  id: string;
  seq: number;
  source: GivenSource;
  marks: Marks;
  /** False if it was given again later, or is too old. */
  counts: boolean;
}

/** A code of a content, in `pairs`. */
export interface KnownCode {
  /** The place among all codes. Newer codes have higher numbers. */
  index: number;
  kind: CodeKind;
  content: number;
  /** The place of its first pair. */
  start: number;
  pairCount: number;
}

/** The fingerprints of the contents that one caller was given, indexed in memory. */
export class KnownContents {
  #contents: Content[] = [];
  #byId = new Map<string, number>();
  #counted = 0;
  #words = new HashLists();
  #runs = new HashLists();
  #seeds = new HashLists();
  #codesByPair = new HashLists();
  #tokens = new GrownArray();
  #contentOfToken = new GrownArray();
  #pairs = new GrownArray();
  #codeOfPair = new GrownArray();
  codes: KnownCode[] = [];

  get isEmpty(): boolean {
    return this.#counted === 0;
  }

  /** Adds a content. The newest one is added last. @param digest the same for the same text */
  add(source: GivenSource, marks: Marks, { seq, digest }: { seq: number; digest: string }): void {
    const id = `${source.kind} ${source.id} ${digest}`;
    const earlier = this.#byId.get(id);
    if (earlier !== undefined) this.#drop(earlier);
    this.#index({ id, seq, source, marks, counts: true });
  }

  #index(content: Content): void {
    const index = this.#contents.length;
    this.#byId.set(content.id, index);
    this.#contents.push(content);
    this.#counted += 1;
    const { tokens, codes } = content.marks;
    const first = this.#tokens.length;
    for (const token of tokens) {
      this.#tokens.push(token);
      this.#contentOfToken.push(index);
      if (this.#words.newest(token) !== index) this.#words.push(token, index);
    }
    for (let at = 0; at + runLength <= tokens.length; at += 1)
      this.#runs.push(runHash(tokens, at), first + at);
    for (const { kind, pairs } of codes) {
      const code = {
        index: this.codes.length,
        kind,
        content: index,
        start: this.#pairs.length,
        pairCount: pairs.length,
      };
      this.codes.push(code);
      for (const [at, pair] of pairs.entries()) {
        this.#pairs.push(pair);
        this.#codeOfPair.push(code.index);
        if (kind !== "text") this.#codesByPair.push(pair & ~separated, code.index);
        if (at + seedPairs <= pairs.length) this.#seeds.push(seedHash(pairs, at), code.start + at);
      }
    }
  }

  /** Stops counting contents. Their memory is freed once they are more than half. */
  dropIf(isOver: (seq: number) => boolean): void {
    for (const [index, { seq }] of this.#contents.entries()) if (isOver(seq)) this.#drop(index);
    this.#compact();
  }

  #drop(index: number): void {
    const content = this.#contents[index];
    if (!content?.counts) return;
    content.counts = false;
    this.#counted -= 1;
  }

  #compact(): void {
    if (this.#counted * 2 >= this.#contents.length) return;
    const kept = this.#contents.filter(({ counts }) => counts);
    this.#byId = new Map();
    this.#contents = [];
    this.#counted = 0;
    [this.#words, this.#runs] = [new HashLists(), new HashLists()];
    [this.#seeds, this.#codesByPair] = [new HashLists(), new HashLists()];
    [this.#tokens, this.#contentOfToken] = [new GrownArray(), new GrownArray()];
    [this.#pairs, this.#codeOfPair] = [new GrownArray(), new GrownArray()];
    this.codes = [];
    for (const content of kept) this.#index(content);
  }

  /** Returns the contents with this word, the newest first. At most `limit`. */
  withWord(hash: number, limit: number): number[] {
    const found: number[] = [];
    this.#words.each(hash, (content) => {
      if (this.#contents[content]?.counts) found.push(content);
      return found.length < limit;
    });
    return found;
  }

  /** Returns the contents that have all these words in a row, the newest first. At most `limit`. */
  withTokens(hashes: Uint32Array, limit: number): number[] {
    return this.withWord(hashes[0] ?? 0, mostLooked)
      .filter((content) => {
        const tokens = this.#contents[content]?.marks.tokens ?? new Uint32Array();
        return tokens.some((_token, at) =>
          hashes.every((hash, next) => tokens[at + next] === hash),
        );
      })
      .slice(0, limit);
  }

  /** Returns the contents that have these words in a row, the newest first. At most 8. */
  withRun(hashes: Uint32Array, first: number): number[] {
    const found: number[] = [];
    this.#runs.each(runHash(hashes, first), (start) => {
      for (let at = 0; at < runLength; at += 1)
        if (this.#tokens.at(start + at) !== hashes[first + at]) return true;
      const content = this.#contentOfToken.at(start);
      if (this.#contents[content]?.counts && !found.includes(content)) found.push(content);
      return found.length < 8;
    });
    return found;
  }

  /** Calls `use` with each place of a code that has these pairs in a row, the newest first. At most 64. */
  withSeed(pairs: Uint16Array, first: number, use: (code: KnownCode, at: number) => void): void {
    let left = 64;
    this.#seeds.each(seedHash(pairs, first), (place) => {
      const code = this.codes[this.#codeOfPair.at(place)];
      if (code === undefined || !this.#contents[code.content]?.counts) return true;
      for (let at = 0; at < seedPairs; at += 1)
        if (this.pairAt(place + at) !== pairs[first + at]) return true;
      use(code, place - code.start);
      left -= 1;
      return left > 0;
    });
  }

  /** Calls `use` with each code that has this pair, the newest first. At most 200. */
  withPair(pair: number, use: (code: KnownCode) => void): void {
    let left = 200;
    this.#codesByPair.each(pair, (index) => {
      const code = this.codes[index];
      if (code !== undefined && this.#contents[code.content]?.counts) use(code);
      left -= 1;
      return left > 0;
    });
  }

  pairAt(place: number): number {
    return this.#pairs.at(place) & ~separated;
  }

  /** Returns whether a separator is between the characters of a pair. */
  isSeparated(place: number): boolean {
    return (this.#pairs.at(place) & separated) !== 0;
  }

  /** Returns how many codes are as new as this one or newer, and how many pairs they have. */
  newerThan({ index, start }: KnownCode): { codes: number; pairs: number } {
    return { codes: this.codes.length - index, pairs: this.#pairs.length - start };
  }

  sourceOf(content: number): GivenSource | undefined {
    const found = this.#contents[content];
    return found?.counts ? found.source : undefined;
  }
}

function runHash(hashes: Uint32Array, first: number): number {
  let mixed = 0;
  for (let at = first; at < first + runLength; at += 1) {
    mixed = Math.imul(mixed ^ (hashes[at] ?? 0), 0x85_eb_ca_6b);
    mixed ^= mixed >>> 13;
  }
  return mixed;
}

function seedHash(pairs: Uint16Array, first: number): number {
  let mixed = 0;
  for (let at = first; at < first + seedPairs; at += 1) {
    mixed = Math.imul(mixed ^ ((pairs[at] ?? 0) & ~separated), 0xc2_b2_ae_35);
    mixed ^= mixed >>> 15;
  }
  return mixed;
}
