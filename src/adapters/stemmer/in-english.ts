import { type Dictionary, dictionaryFor } from "./dictionary.ts";
import { intentOf } from "./intent.ts";
import { stemOf } from "./stem.ts";

/** Words of English requests that the other languages do not have. */
const englishOnly = new Set(
  "and are can could for from how is it my of please that the there this to we what which who with you your".split(
    " ",
  ),
);
const shortestBeginning = 3;
const longestUnspaced = 8;
/** Scripts without spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/u;

/**
 * Returns the words of a request in English. A word that is not known in another language, and each word of the tools
 * themselves, stays as it is.
 */
export function inEnglish(
  words: readonly string[],
  isKnown: (word: string) => boolean,
): readonly string[] {
  if (words.some((word) => englishOnly.has(word))) return words;
  const folded = words.map(foldedOf);
  const dictionary = dictionaryFor(folded);
  const isForeign = folded.some((word) => dictionary.isGrammar(word));
  const whole = joinedVerb(words, dictionary);
  const found: string[] = [];
  for (let at = 0; at < whole.length;) {
    const phrase = phraseAt(whole, at, dictionary);
    const word = whole[at] ?? "";
    if (phrase !== undefined) found.push(...phrase.english);
    else if (unspaced.test(word)) found.push(...splitUnspaced(word, dictionary));
    else if (isKnown(word))
      found.push(...((isForeign ? instead(word, dictionary) : undefined) ?? [word]));
    else
      found.push(
        ...(compound(word, dictionary, isKnown) ??
          translated(foldedOf(word), dictionary) ?? [likeEnglish(word)]),
      );
    at += phrase?.length ?? 1;
  }
  if (!words.some((word) => unspaced.test(word))) return found;
  // Japanese has its verb at the end, and English requests at their beginning.
  const isVerb = (word: string): boolean => intentOf([word]) !== undefined;
  return [...found.filter(isVerb), ...found.filter((word) => !isVerb(word))];
}

/** Parts of German verbs that stand at the end of a request: "Schalte das Licht aus". */
const separable = new Set(
  "ab an auf aus ein fest fort frei heraus herunter hinzu hoch los mit nach runter um vor weg weiter wieder zu zuruck zusammen".split(
    " ",
  ),
);
/** Number of first words that are searched for the verb of a separated part. */
const firstWords = 3;

/** Returns the words with a separated German verb joined again. */
function joinedVerb(words: readonly string[], { beginning }: Dictionary): readonly string[] {
  const part = foldedOf(words.at(-1) ?? "");
  if (words.length < firstWords || !separable.has(part)) return words;
  const at = words
    .slice(0, firstWords)
    .findIndex((word) => beginning(`${part}${foldedOf(word)}`, part.length + 1) !== undefined);
  if (at < 0) return words;
  const verb = `${part}${foldedOf(words[at] ?? "")}`;
  return [...words.slice(0, at), verb, ...words.slice(at + 1, -1)];
}

const longestPhrase = 4;

/** Returns the English words for the longest phrase of two or more words that begins at a word. */
function phraseAt(
  words: readonly string[],
  at: number,
  { exact }: Dictionary,
): { length: number; english: readonly string[] } | undefined {
  for (let length = Math.min(longestPhrase, words.length - at); length > 1; length -= 1) {
    const english = exact(
      words
        .slice(at, at + length)
        .map(foldedOf)
        .join("_"),
    );
    if (english !== undefined) return { length, english: partsOf(english) };
  }
  return undefined;
}

const shortestPart = 4;

/** Returns the English words for the two parts of a German compound, such as "Rechnungsadresse" or "Textkanal". */
function compound(
  word: string,
  dictionary: Dictionary,
  isKnown: (word: string) => boolean,
): readonly string[] | undefined {
  const folded = foldedOf(word);
  if (dictionary.exact(folded) !== undefined) return undefined;
  const partIn = (part: string): readonly string[] | undefined =>
    translated(part, dictionary) ?? (isKnown(part) ? [part] : undefined);
  for (let end = folded.length - shortestPart; end >= shortestPart; end -= 1) {
    const first = partIn(folded.slice(0, end));
    const last = first === undefined ? undefined : partIn(folded.slice(end));
    if (first !== undefined && last !== undefined) return [...first, ...last];
  }
  return undefined;
}

function foldedOf(word: string): string {
  return word.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll("ß", "ss");
}

/** Returns a word without its accents and the ending of German verbs from Latin: "catégorie", "archivieren". */
function likeEnglish(word: string): string {
  return foldedOf(word).replace(/(?<=.{4})ier(?:en|e|t)$/, "e");
}

function translated(folded: string, { meaning }: Dictionary): readonly string[] | undefined {
  const english = meaning(folded, shortestBeginning);
  return english === undefined ? undefined : partsOf(english);
}

/**
 * Returns the English words for a word of another language that looks like one of the tools: "Termin", although tools
 * have "terminate". Undefined if it means the same.
 */
function instead(word: string, dictionary: Dictionary): readonly string[] | undefined {
  const folded = foldedOf(word);
  if (dictionary.isGrammar(folded)) return [];
  const parts = partsOf(dictionary.likelyMeaning(folded) ?? "");
  const isSame = parts.some((part) => stemOf(part) === stemOf(word));
  return parts.length === 0 || isSame ? undefined : parts;
}

/** Returns the known words within a text without spaces, the longest first at each place. */
function splitUnspaced(text: string, { exact }: Dictionary): readonly string[] {
  const found: string[] = [];
  const letters = Array.from(text.normalize("NFC"));
  for (let at = 0; at < letters.length;) {
    const length = longestAt(letters, at, exact);
    const part = letters.slice(at, at + Math.max(1, length)).join("");
    if (length > 0) found.push(...partsOf(exact(part) ?? ""));
    else if (/[a-z\d]/.test(part)) found.push(latinAt(letters, at));
    at += length > 0 ? length : Math.max(1, /[a-z\d]/.test(part) ? latinAt(letters, at).length : 1);
  }
  return found;
}

function longestAt(letters: readonly string[], at: number, exact: Dictionary["exact"]): number {
  for (let length = longestUnspaced; length > 0; length -= 1)
    if (exact(letters.slice(at, at + length).join("")) !== undefined) return length;
  return 0;
}

function latinAt(letters: readonly string[], at: number): string {
  return /^[a-z\d]+/.exec(letters.slice(at).join(""))?.[0] ?? "";
}

function partsOf(english: string): readonly string[] {
  return english.split(/[ _]/).filter((word) => word !== "");
}
