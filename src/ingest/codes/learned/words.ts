import { conceptNames, conceptsOf, conceptsOfUnspaced } from "./concepts.ts";
import { alignedLowerCase } from "../text-forms.ts";
import type { TextRange } from "../text-ranges.ts";
import { withRanges } from "../letters.ts";

/** A word or a run of Chinese or Japanese characters. */
export interface Word {
  /** Hashes of its stem, or of its pairs of characters, and of its concepts. */
  names: readonly number[];
  /** Numbers of its concepts. */
  concepts: readonly number[];
}

/** Mixes a number into a hash. */
export function mix(hash: number, value: number): number {
  let mixed = Math.imul(hash ^ value, 0x9e3779b1);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}

/** Returns the hash of a name: FNV-1a over its UTF-16 units. */
export function hashOf(name: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = 0; at < name.length; at += 1)
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash;
}

export const conceptHashes: readonly number[] = conceptNames.map((name) => hashOf(`@${name}`));

/** A cache of words, because mails have most words in common. */
const known = new Map<string, Word>();
const mostKnown = 20_000;
/** A longer run of characters is not a sentence. */
const longestWord = 200;

const unspaced = withRanges(String.raw`[\p{Cjk}]`);
const wordPattern = withRanges(String.raw`[\p{Cjk}]+|[\p{L}']+`, "g");
const isLetter = withRanges(String.raw`[\p{L}']`);

/** Size of the parts of a text that are read when words of them are needed. Characters. */
const partCharacters = 500;

interface Part {
  starts: readonly number[];
  words: readonly Word[];
}

/** The words of a text in order, and their positions. Only the parts around candidates are read. */
export class TextWords {
  readonly #small: string;
  readonly #parts = new Map<number, Part>();

  constructor(text: string) {
    this.#small = alignedLowerCase(text);
  }

  /** Returns the words that begin in a part of the text. */
  in({ start, end }: TextRange): Word[] {
    const found: Word[] = [];
    this.addTo(found, start, end);
    return found;
  }

  /** Adds the words that begin in a part of the text. */
  addTo(found: Word[], start: number, end: number): void {
    const most = Math.min(end, this.#small.length);
    for (let at = Math.floor(start / partCharacters); at * partCharacters < most; at += 1) {
      const { starts, words } = this.#parts.get(at) ?? this.#read(at);
      for (let index = 0; index < words.length; index += 1) {
        const place = starts[index] ?? 0;
        const word = words[index];
        if (place >= start && place < most && word !== undefined) found.push(word);
      }
    }
  }

  #read(at: number): Part {
    const from = at * partCharacters;
    const starts: number[] = [];
    const words: Word[] = [];
    wordPattern.lastIndex = from;
    for (
      let match = wordPattern.exec(this.#small);
      match !== null && match.index < from + partCharacters;
      match = wordPattern.exec(this.#small)
    ) {
      // The rest of a word that began in the part before.
      if (match.index === from && from > 0 && isLetter.test(this.#small[from - 1] ?? "")) continue;
      starts.push(match.index);
      words.push(wordOf(match[0]));
    }
    const part = { starts, words };
    this.#parts.set(at, part);
    return part;
  }
}

function wordOf(small: string): Word {
  const found = known.get(small);
  if (found !== undefined) return found;
  const cut = small.slice(0, longestWord);
  const read = readWord(isAscii.test(cut) ? cut : cut.normalize("NFKC"));
  if (known.size >= mostKnown) known.clear();
  known.set(small, read);
  return read;
}

/** Letters that Unicode does not decompose. */
const plainLetters: Readonly<Record<string, string>> = { ß: "ss", ł: "l", ı: "i", ø: "o", æ: "ae" };

const isAscii = /^[\0-\x7F]*$/;

function readWord(word: string): Word {
  if (unspaced.test(word)) {
    const pairs = new Set<string>(word.length === 1 ? [word] : []);
    for (let at = 0; at + 1 < word.length; at += 1) pairs.add(word.slice(at, at + 2));
    return wordWith([...pairs], conceptsOfUnspaced(word));
  }
  const plain = isAscii.test(word)
    ? word
    : word
        .normalize("NFD")
        .replace(/\p{M}/gu, "")
        .replace(/[ßłıøæ]/g, (letter) => plainLetters[letter] ?? letter);
  return wordWith([plain.length > 5 ? `${plain.slice(0, 5)}*` : plain], conceptsOf(plain));
}

function wordWith(stems: readonly string[], concepts: readonly number[]): Word {
  const names: number[] = [];
  const add = (name: number): void => {
    if (!names.includes(name)) names.push(name);
  };
  for (const stem of stems) add(hashOf(stem));
  for (const concept of concepts) add(conceptHashes[concept] ?? 0);
  return { names, concepts };
}
