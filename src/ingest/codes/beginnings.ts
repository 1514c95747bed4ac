import type { TextRange } from "./text-ranges.ts";

/** Characters of a word's beginning that are compared. */
const compared = 3;
/** Bits of one of these characters. */
const bits = 5;
const ascii = 128;

/** For three characters the lists, as bits, that have a word with this beginning. */
const table = new Uint8Array(1 << (compared * bits));
/** The same for the first character of words that begin with no character of ASCII. Some characters share an entry. */
const otherFirsts = new Uint8Array(4_096);
/** 1 to 26 for a letter in lower case, and 0 for any other character of ASCII. */
const codes = Uint8Array.from({ length: ascii }, (_, unit) =>
  unit >= 0x61 && unit <= 0x7a ? unit - 0x60 : 0,
);

/** Returns the code of a character. Others than those of ASCII share the codes. */
const codeOf = (unit: number): number => codes[unit & (ascii - 1)] ?? 0;

let lists = 0;
/** Bits of an entry. */
const mostLists = 8;
/** The lists of words that no letter precedes. */
let wholeLists = 0;
/** The places of the last text where words of each list may begin. */
let last: { text: string; starts: readonly (readonly number[])[] } | undefined;

/** Frees the last text. Otherwise the mail would stay in memory until the next one arrives. */
export function forgetBeginnings(): void {
  last = undefined;
}

/**
 * The beginnings of the words with which a pattern starts. One pass over a text finds the places of all such lists.
 * Searching one pattern with many words takes longer than this pass.
 */
export class Beginnings {
  readonly #list = lists;

  /**
   * @param words in lower case, at least their first two characters. A part of a pattern may follow.
   * @param isWhole whether no letter precedes a match
   */
  constructor(words: readonly string[], isWhole = false) {
    if (this.#list === mostLists) throw new Error("Too many lists of beginnings.");
    lists += 1;
    const bit = 1 << this.#list;
    if (isWhole) wholeLists |= bit;
    for (const word of words) {
      const first = word.charCodeAt(0);
      if (first >= ascii) add(otherFirsts, first & (otherFirsts.length - 1), bit);
      if (first >= ascii) continue;
      let place = 0;
      for (let at = 0; at < compared; at += 1)
        place = (place << bits) | (at < word.length ? codeOf(word.charCodeAt(at)) : 0);
      // Any character may follow a word of two letters.
      for (let any = 0; any < (word.length < compared ? 1 << bits : 1); any += 1)
        add(table, place | any, bit);
    }
  }

  /** Finds the matches of a sticky pattern in a text in lower case. */
  placesOf(pattern: RegExp, text: string): TextRange[] {
    const places: TextRange[] = [];
    let end = 0;
    for (const start of this.#startsIn(text)) {
      if (start < end) continue;
      pattern.lastIndex = start;
      if (!pattern.test(text)) continue;
      end = pattern.lastIndex;
      places.push({ start, end });
    }
    return places;
  }

  /** Returns whether a text in lower case has a match of a sticky pattern. */
  begin(pattern: RegExp, text: string): boolean {
    return this.#startsIn(text).some((start) => {
      pattern.lastIndex = start;
      return pattern.test(text);
    });
  }

  #startsIn(text: string): readonly number[] {
    if (last?.text !== text) last = { text, starts: startsOf(text) };
    return last.starts[this.#list] ?? [];
  }
}

function add(to: Uint8Array, at: number, bit: number): void {
  to[at] = (to[at] ?? 0) | bit;
}

/** Characters of a text that are read at once. A copy of a long text would take much memory. */
const windowSize = 8_192;
/**
 * The characters of a window, with the one before it and those that complete a beginning at its end. Reading them from a
 * string that was joined takes twice as long.
 */
const units = new Uint16Array(windowSize + compared);
const bytes = Buffer.from(units.buffer);

function startsOf(text: string): readonly (readonly number[])[] {
  const starts: number[][] = Array.from({ length: lists }, () => []);
  for (let from = 0; from < text.length; from += windowSize) addStarts(starts, text, from);
  // The mail would stay in memory.
  units.fill(0);
  return starts;
}

function addStarts(starts: readonly number[][], text: string, from: number): void {
  const given = text.slice(from, from + windowSize + compared - 1);
  units[0] = from === 0 ? 0 : text.charCodeAt(from - 1);
  bytes.write(given, Uint16Array.BYTES_PER_ELEMENT, "utf16le");
  units.fill(0, 1 + given.length);
  const size = Math.min(windowSize, given.length);
  // Reading variables of the module takes twice as long.
  const [all, others, small, mask, read] = [table, otherFirsts, codes, table.length - 1, units];
  let recent = 0;
  for (let at = 1; at < compared; at += 1) recent = (recent << bits) | codeOf(read[at] ?? 0);
  for (let at = 1; at <= size; at += 1) {
    recent = (recent << bits) | (small[(read[at + compared - 1] ?? 0) & (ascii - 1)] ?? 0);
    const first = read[at] ?? 0;
    const found = (first < ascii ? all[recent & mask] : others[first & (others.length - 1)]) ?? 0;
    if (found !== 0)
      put(starts, from + at - 1, isLetter(read[at - 1] ?? 0) ? found & ~wholeLists : found);
  }
}

const isLetter = (unit: number): boolean => unit < ascii && codeOf(unit) !== 0;

function put(starts: readonly number[][], at: number, found: number): void {
  for (let list = 0; list < lists; list += 1)
    if ((found & (1 << list)) !== 0) starts[list]?.push(at);
}
