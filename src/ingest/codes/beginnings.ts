import { alignedLowerCase } from "./text-forms.ts";
import { addList, type ListOptions, startsIn } from "./text-pass.ts";
import type { TextRange } from "./text-ranges.ts";

/** The part of an alternative of a pattern with which every match begins. */
const literal = /^[^\\?*+.([{]*/;

function literalOf(alternative: string): string {
  const [found = ""] = literal.exec(alternative) ?? [];
  return /^[?*{]/.test(alternative.slice(found.length)) ? found.slice(0, -1) : found;
}

/**
 * The beginnings of the words with which a pattern starts. One pass over a text finds the places of all such lists.
 * Searching one pattern with many words takes longer than this pass.
 */
export class Beginnings {
  readonly #list: number;

  /**
   * @param words in lower case, at least their first two characters. A part of a pattern may follow.
   */
  constructor(words: readonly string[], options: ListOptions = {}) {
    this.#list = addList(words.map(literalOf), options);
  }

  /**
   * Finds the matches of a sticky pattern in the lower case of a text.
   * @param most characters that are searched
   */
  placesOf(pattern: RegExp, text: string, most = text.length): TextRange[] {
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

  /** Returns whether the lower case of a text has a match of a sticky pattern. */
  begin(pattern: RegExp, text: string): boolean {
    const starts = startsIn(text, this.#list);
    if (starts.length === 0) return false;
    const small = alignedLowerCase(text);
    return starts.some((start) => {
      pattern.lastIndex = start;
      return pattern.test(small);
    });
  }
}
