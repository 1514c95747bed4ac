import { ideaNames, ideasOf, ideasOfUnspaced } from "./ideas.ts";
import { withRanges } from "../letters.ts";

/** A word or a run of Chinese or Japanese characters. */
export interface Word {
  /** Hashes of its stem, or of its pairs of characters. */
  stems: readonly number[];
  /** Numbers of its concepts. */
  ideas: readonly number[];
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
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1)
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash;
}

export const ideaHashes: readonly number[] = ideaNames.map((name) => hashOf(`@${name}`));

/** A cache of words, because mails have most words in common. */
const known = new Map<string, Word>();
const mostKnown = 20_000;
/** A longer run of characters is not a sentence. */
const longestWord = 200;

const unspaced = withRanges(String.raw`[\p{Cjk}]`);
const wordPattern = withRanges(String.raw`[\p{Cjk}]+|[\p{L}']+`, "g");

/** Returns the words of a text in order. */
export function wordsOf(text: string): Word[] {
  return (text.toLowerCase().normalize("NFKC").match(wordPattern) ?? []).map((word) => {
    const one = known.get(word);
    if (one !== undefined) return one;
    const read = readWord(word.slice(0, longestWord));
    if (known.size >= mostKnown) known.clear();
    known.set(word, read);
    return read;
  });
}

function readWord(word: string): Word {
  if (unspaced.test(word)) {
    const pairs = new Set<string>(word.length === 1 ? [word] : []);
    for (let at = 0; at + 1 < word.length; at += 1) pairs.add(word.slice(at, at + 2));
    return { stems: [...pairs].map(hashOf), ideas: ideasOfUnspaced(word) };
  }
  const plain = word.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ß", "ss");
  return {
    stems: [hashOf(plain.length > 5 ? `${plain.slice(0, 5)}*` : plain)],
    ideas: ideasOf(plain),
  };
}
