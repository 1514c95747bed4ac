import { moreLanguages } from "./lists/more-languages.ts";
import { otherLanguages } from "./lists/other-languages.ts";
import { toolsInOtherLanguages } from "./lists/tools-in-other-languages.ts";
import { usualWords } from "./lists/usual-words.ts";

/** The words of one or more languages, without accents. */
interface Words {
  /** The English words for a word, none for one such as "bitte". */
  exact: ReadonlyMap<string, string>;
  /** The English words for the beginning of a word. */
  beginnings: ReadonlyMap<string, string>;
}

// Italian, Portuguese and Dutch have words of their own: "apagar" is to switch off in Spanish, and to delete in Portuguese.
const languages: readonly Words[] = [
  [toolsInOtherLanguages, otherLanguages, usualWords],
  [moreLanguages],
].map(wordsOfLists);

/** Words of English requests that other languages have too. */
const ambiguous = new Set(
  "alle as auto con dan de die do dos er es in is la man me met mal no of op os par per plus pour se son sin sur te til tu um van voor war".split(
    " ",
  ),
);
/** A word with a similar length hardly means another beginning: "Termine", but not "terminal". Letters. */
const leastBeginning = 5;
const mostEnding = 2;

/** The English words for words of other languages. Every word is given without its accents. */
export interface Dictionary {
  /** Returns the English for a word or a phrase, an empty text for one such as "bitte". */
  exact: (word: string) => string | undefined;
  /** Returns the English for the longest beginning of a word. */
  beginning: (word: string, shortest: number) => string | undefined;
  /** Returns the English for a word, or for its longest beginning. */
  meaning: (word: string, shortest: number) => string | undefined;
  /** Returns the same for a word that may also be an English one. */
  likelyMeaning: (word: string) => string | undefined;
  /** Returns whether only other languages have a word, and tools have none for it: "bitte", "dans". */
  isGrammar: (word: string) => boolean;
}

/** Returns the dictionary for a request. The languages whose grammar the request has come first. */
export function dictionaryFor(request: readonly string[]): Dictionary {
  const grammarIn = ({ exact }: Words): number =>
    request.filter((word) => exact.get(word) === "").length;
  const ordered = languages.toSorted((one, other) => grammarIn(other) - grammarIn(one));
  const first = (find: (words: Words) => string | undefined): string | undefined => {
    for (const words of ordered) {
      const english = find(words);
      if (english !== undefined) return english;
    }
    return undefined;
  };
  const meaning = (word: string, shortest: number): string | undefined =>
    first((words) => words.exact.get(word) ?? longestBeginning(words, word, shortest));
  const exactly = (word: string): string | undefined => first(({ exact }) => exact.get(word));
  return {
    exact: exactly,
    beginning: (word, shortest) => first((words) => longestBeginning(words, word, shortest)),
    meaning,
    likelyMeaning: (word) => meaning(word, Math.max(leastBeginning, word.length - mostEnding)),
    isGrammar: (word) => word.length > 1 && !ambiguous.has(word) && exactly(word) === "",
  };
}

function longestBeginning(
  { beginnings }: Words,
  word: string,
  shortest: number,
): string | undefined {
  for (let length = word.length; length >= shortest; length -= 1) {
    const english = beginnings.get(word.slice(0, length));
    if (english !== undefined) return english;
  }
  return undefined;
}

function wordsOfLists(lists: readonly string[]): Words {
  const exact = new Map<string, string>();
  const beginnings = new Map<string, string>();
  for (const line of lists.flatMap((list) => list.trim().split("\n"))) {
    const [english = "", foreign = ""] = line.split(/ ?: /);
    for (const word of foreign.split(" ")) {
      const into = word.endsWith("*") ? beginnings : exact;
      const key = word.replace("*", "");
      if (!into.has(key)) into.set(key, english);
    }
  }
  return { exact, beginnings };
}
