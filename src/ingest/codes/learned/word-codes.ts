import { Beginnings } from "../beginnings.ts";
import { isAloneOnLine } from "../candidates.ts";
import { groupsIn, hasSign, textSigns } from "../text-pass.ts";
import { placesAtHyphens, placesOf, type TextRange } from "../text-ranges.ts";
import { isSentence } from "../function-words.ts";
import { withRanges } from "../letters.ts";

/** Two or three words with a hyphen, alone on a line or at the end of a sentence that names them. */
const wordPair = withRanges(
  String.raw`(?=[\p{Latin}]{3,12}-)(?<=(?:^|\n)[ \t*"'“„«>]{0,8}|(?:[:：→]|\b(?:is|ist|lautet|est|es|luidt|são)|[éè]) ["'“„«*]?)\p{Latin}{3,12}(?:-\p{Latin}{3,12}){1,2}(?=["'”»*]{0,2}[.!]?[ \t]*(?:\n|$)|["'”»*]{0,2}\. )`,
  "y",
);

/** A message whose code is words. */
const counts =
  "two|three|four|zwei|drei|vier|deux|trois|quatre|dos|tres|cuatro|duas|três|quatro|due|tre|quattro|twee|drie";
const secrets = "pass|code|security|sicherheits|kenn";
const namesOfWords = [
  "palabras? de (?:paso|acceso)",
  "palavras? (?:de|mágica)",
  "mots? (?:de|du) ",
  "parol[ae] d['’](?:ordine|accesso)",
  "wachtwoord|wachtzin",
].join("|");
const aboutWords = new RegExp(
  String.raw`(?:${counts}) (?:\S{1,12} )?(?:words|wörter|mots|palabras|palavras|parole|woorden)|(?:${secrets})[ -]?(?:words?|phrase|wörter|wort)|${namesOfWords}`,
  "y",
);
const beginnings = new Beginnings(
  aboutWords,
  `${counts}|${secrets}|palabra|palavra|mot|parol|wachtwoord|wachtzin`.split("|"),
);
const fewWords = withRanges(
  String.raw`(?<=[:：>] {1,2}["'“„*]?|\n[ \t]{2,8})[\p{Latin}]{3,12}(?: [\p{Latin}]{3,12}){1,3}(?=["'”*]?\.?[ \t]*(?:\n|$))`,
  "g",
);
/** The text before a match of `fewWords`. It is found faster than the words of `aboutWords`. */
const beforeFewWords = [": ", "：", "> ", "\n  ", "\n \t", "\n\t"];

/** Finds words with hyphens that may be a code. */
export const wordPairsIn = (text: string): TextRange[] =>
  hasSign(text, textSigns.hyphen) ? placesAtHyphens(wordPair, text) : [];

/** Finds a few words after a colon, in a message that says that the code is words. */
export function wordsIn(text: string): TextRange[] {
  if (!beforeFewWords.some((sign) => text.includes(sign))) return [];
  if (!beginnings.begins(text)) return [];
  return placesOf(fewWords, text).filter(
    ({ start, end }) => !isSentence(text.slice(start, end).split(" ")),
  );
}

/** Lower case in four groups of four, as app passwords have them. */
const letterGroups = withRanges(
  String.raw`(?<![\p{L}\p{N}_/@.-])[a-z]{4}([ -])[a-z]{4}(?:\1[a-z]{4}){2}(?![\p{L}\p{N}_@-])`,
  "y",
);
const withoutVowel = /(?:^|[ -])[^aeiouy -]{4}/;

/**
 * Returns groups of letters of which one has no vowel, as random letters have. Alone on a line, groups that are not a
 * sentence are enough. Some languages have many words of four letters.
 */
export function letterGroupsIn(text: string): TextRange[] {
  return fourGroupsIn(text).filter((place) => {
    const value = text.slice(place.start, place.end);
    return (
      withoutVowel.test(value) ||
      (!/^ [a-z]/.test(text.slice(place.end, place.end + 2)) &&
        isAloneOnLine(text, place) &&
        !isSentence(value.split(/[ -]/)))
    );
  });
}

/** Finds groups of letters of any case first, which the pass over the text found. */
function fourGroupsIn(text: string): TextRange[] {
  const places: TextRange[] = [];
  let end = 0;
  for (const start of groupsIn(text)) {
    letterGroups.lastIndex = start;
    if (start < end || !letterGroups.test(text)) continue;
    end = letterGroups.lastIndex;
    places.push({ start, end });
  }
  return places;
}
