import { Beginnings } from "../beginnings.ts";
import { placesOf, type TextRange } from "../text-ranges.ts";
import { isSentence } from "../function-words.ts";

/** A paragraph of words in lower case, with or without numbers, as wallets use for recovery phrases. */
const wordList =
  /(?<=(?:^|\n[ \t>]*\n|[:：][ \t]*\n?)[ \t>*"'`]{0,6})(?:\d{1,2}[.):]? )?(?:\p{Ll}{2,12}|\p{Lo}{1,6})(?:(?:,? |,?\n| ?[,、] ?|[.)] )(?:\d{1,2}[.):]? )?(?:\p{Ll}{2,12}|\p{Lo}{1,6})){7,23}(?=[ \t.*"'`]{0,6}(?:\n|$))/gu;
/** The same with each word on its own line. */
const wordLines = /(?<=^|\n)(?:[ \t]*\d{1,2}[.):]? [ \t]*\p{Ll}{2,12}[ \t]*(?:\n{1,2}|$)){6,24}/gu;
const phraseNouns = String.raw`phrase|frase|\bwords?\b|wörter|\bmots\b|palabras|\bparole\b|palavras|woorden|\bzin\b|satz|schlüssel|\bkey\b|\bclé\b|\bcle\b|clave|chave|chiave|sleutel`;
const phrasePurposes = String.raw`recover|ripristin|odzysk|recuper|récup|restor|wiederherst|herstel|backup|back-up|secret|segret|segred|geheim|secours|notfall|emergen`;
/** Words that name a wallet or a recovery phrase alone. */
const wallets =
  "seed|semilla|semente|wallet|portafoglio|portemonnee|portfel|mnemonic|passphrase|geldbörse|portefeuille|billetera|monedero|cartera|carteira|助记|助記|恢复|恢復|リカバリー|フレーズ|シード|herstelzin";
const counts = "12|15|18|20|21|24|twelve|zwölf|douze|doce|doze|dodici|twaalf|dwanaście";
/** The beginnings of words behind a count. Numbers without one are in every text. */
const countedBeginnings = "sgrwmp";
/**
 * A message about a seed phrase names a wallet or a phrase to recover something. Other messages have lines of such
 * words too.
 */
const aboutPhrases = new RegExp(
  String.raw`${wallets}|(?:${counts}) (?:secret |geheime |recovery )?(?:words|wörter|mots|palabras|palavras|parole|woorden|słów)|(?:${phrasePurposes})[^\n.]{0,30}(?:${phraseNouns})|(?:${phraseNouns})[^\n.]{0,30}(?:${phrasePurposes})`,
  "uy",
);
const beginnings = new Beginnings(
  aboutPhrases,
  [wallets, counts, phrasePurposes, phraseNouns]
    .flatMap((words) => words.replaceAll(String.raw`\b`, "").split("|"))
    .flatMap((word) =>
      /^\d/.test(word) ? Array.from(countedBeginnings, (first) => `${word} ${first}`) : [word],
    ),
);
/** The fewest letters of a word in the lists of words for seed phrases (BIP 39). Sentences have shorter words. */
const shortestWord = 3;
const latinWord = /\p{Ll}+/gu;

/** Returns whether a list of words in lower case is not a sentence. */
function isPhrase(value: string): boolean {
  const words = value.match(latinWord) ?? [];
  return (
    words.every((word) => word.length >= shortestWord) && !(words.length > 0 && isSentence(words))
  );
}

const lists: readonly RegExp[] = [wordLines, wordList];

/** Finds recovery phrases: lists of words in lower case that are not a sentence. */
export function listsIn(text: string): TextRange[] {
  if (!beginnings.begins(text)) return [];
  return lists
    .flatMap((pattern) => placesOf(pattern, text))
    .filter(({ start, end }) => isPhrase(text.slice(start, end)));
}
