import { alignedLowerCase } from "./text-forms.ts";
import { addList, type ListOptions, startsIn } from "./text-pass.ts";
import type { TextRange } from "./text-ranges.ts";

/** The part of an alternative of a pattern with which every match begins. */
const literal = /^[^\\?*+.([{]*/;

function literalOf(alternative: string): string {
  const [found = ""] = literal.exec(alternative) ?? [];
  return /^[?*{]/.test(alternative.slice(found.length)) ? found.slice(0, -1) : found;
}

/** Properties of the words with which a pattern starts. */
interface Options extends ListOptions {
  /** The least number of words in a match. Without a number that a text can have, the words are no sign of a code. */
  least?: number;
}

const all: Beginnings[] = [];

/** Returns whether any pattern has a match. Most beginnings of words are those of other words. */
export const anyBegins = (text: string): boolean => all.some((one) => one.begins(text));

/**
 * The beginnings of the words with which a pattern starts. One pass over a text finds the places of all such lists.
 * Searching one pattern with many words takes longer than this pass.
 */
export class Beginnings {
  readonly #list: number;
  readonly #pattern: RegExp;
  readonly #least: number;

  /**
   * @param pattern of the words, in lower case and sticky
   * @param words in lower case, at least their first two characters. A part of a pattern may follow.
   */
  constructor(pattern: RegExp, words: readonly string[], { least = 1, ...options }: Options = {}) {
    this.#pattern = pattern;
    this.#list = addList(words.map(literalOf), options);
    this.#least = least;
    all.push(this);
  }

  /**
   * Finds the matches of the pattern in the lower case of a text.
   * @param most characters that are searched
   * @param pattern another one that starts with the same words
   */
  placesOf(text: string, most = text.length, pattern = this.#pattern): TextRange[] {
    const starts = startsIn(text, this.#list);
    if (starts.length === 0) return [];
    const places: TextRange[] = [];
    const small = alignedLowerCase(text).slice(0, most);
    let end = 0;
    for (const start of starts) {
      if (start >= most) break;
      if (start < end) continue;
      pattern.lastIndex = start;
      if (!pattern.test(small)) continue;
      end = pattern.lastIndex;
      places.push({ start, end });
    }
    return places;
  }

  /** Returns whether the lower case of a text has a match of the pattern. */
  begins(text: string): boolean {
    const starts = startsIn(text, this.#list);
    if (starts.length < this.#least) return false;
    const pattern = this.#pattern;
    const small = alignedLowerCase(text);
    return starts.some((start) => {
      pattern.lastIndex = start;
      return pattern.test(small);
    });
  }
}
