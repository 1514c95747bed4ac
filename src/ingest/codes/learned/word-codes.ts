import { inSmallLetters, placesAtHyphens, placesOf, type TextRange } from "../found.ts";
import { isSentence } from "../function-words.ts";
import { withRanges } from "../letters.ts";

/** Two or three words with a hyphen, alone on a line or at the end of a sentence that names them. */
const wordPair = withRanges(
  String.raw`(?=[\p{Latin}]{3,12}-)(?<=(?:^|\n)[ \t*"'“„«>]{0,8}|(?:[:：→]|\b(?:is|ist|lautet|est|es|luidt|são)|[éè]) ["'“„«*]?)\p{Latin}{3,12}(?:-\p{Latin}{3,12}){1,2}(?=["'”»*]{0,2}[.!]?[ \t]*(?:\n|$)|["'”»*]{0,2}\. )`,
  "y",
);

/** A message whose code is words. */
const aboutWords =
  /(?:two|three|four|zwei|drei|vier|deux|trois|quatre|dos|tres|cuatro|duas|três|quatro|due|tre|quattro|twee|drie) (?:\S{1,12} )?(?:words|wörter|mots|palabras|palavras|parole|woorden)|(?:pass|code|security|sicherheits|kenn)[ -]?(?:words?|phrase|wörter|wort)|palabras? de (?:paso|acceso)|palavras? (?:de|mágica)|mots? (?:de|du) |parol[ae] d['’](?:ordine|accesso)|wachtwoord|wachtzin/;
const fewWords = withRanges(
  String.raw`(?<=[:：>] {1,2}["'“„*]?|\n[ \t]{2,8})[\p{Latin}]{3,12}(?: [\p{Latin}]{3,12}){1,3}(?=["'”*]?\.?[ \t]*(?:\n|$))`,
  "g",
);
/** The text before a match of `fewWords`. It is found faster than the words of `aboutWords`. */
const beforeFewWords = /[:：>] |\n[ \t]{2}/;

/** Finds words with hyphens that may be a code. */
export const wordPairsIn = (text: string): TextRange[] => placesAtHyphens(wordPair, text);

/** Finds a few words after a colon, in a message that says that the code is words. */
export function wordsIn(text: string): TextRange[] {
  if (!beforeFewWords.test(text) || !aboutWords.test(inSmallLetters(text))) return [];
  return placesOf(fewWords, text).filter(
    ({ start, end }) => !isSentence(text.slice(start, end).split(" ")),
  );
}
