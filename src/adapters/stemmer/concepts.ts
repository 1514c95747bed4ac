import { intentOf } from "./intent.ts";
import { dataWords } from "./quoted-data.ts";
import { partedPhraseAt, phraseAt, relatedStems, serverStems } from "./related-words.ts";
import { signWords } from "./request-signs.ts";
import { stemOf } from "./stem.ts";
import { stopWords, wordsOf } from "./words.ts";

/** Words of nearly every request. They hardly make a tool a better match. */
const commonWords = new Set(
  "anything bring call everything go get give keep know like look make need now off open pull put say see set show something take tell thing things up use want way work".split(
    " ",
  ),
);
const commonStrength = 0.3;
/** Words for a time or a number. They belong to the data of most requests. */
const timeWords = new Set(
  "ago april august date day december evening february five four friday hour january july june last late later march minute monday month morning next night november october one saturday september sunday ten three thursday today tomorrow tonight tuesday two wednesday week weekend year yesterday".split(
    " ",
  ),
);

/** Strength of a synonym of a word of the request. A word has several meanings, and a phrase mostly one. */
const relatedStrength = 0.5;
const phraseStrength = 0.75;
/** Strength of a synonym of a word that is part of a phrase. */
const besidePhrase = 0.35;
/** Strength of a word of a tool that begins as a word of the request. */
const similarStrength = 0.5;
/** Strength of a word that a value such as an address is a sign of. */
const signStrength = 0.65;
/** Strength of a verb such as "delete", which is in the names of many tools. The intent counts separately. */
const verbStrength = 0.6;
/** Strength of the name of a server that does what a word is about: "chargeback" and `stripe`. */
const brandStrength = 0.35;
/** Strength of a word that belongs to the request's data, such as a name. */
const dataStrength = 0.3;

/** The words of the tools. */
export interface KnownTools {
  /** The tools that have a stem. */
  holders: ReadonlyMap<string, unknown>;
  /** The stems of the servers' names. */
  servers: ReadonlySet<string>;
  similar: (stem: string) => readonly string[];
}

/** A word of the request with its synonyms in tools: the strength of each, by stem. */
export type Concept = ReadonlyMap<string, number>;

/** Returns the concepts of a request for which some tool has words. */
export function conceptsOf(
  words: readonly string[],
  request: string,
  { holders, servers, similar }: KnownTools,
): readonly Concept[] {
  const phrases = phrasesOf(words);
  const data = dataWords(request, wordsOf);
  const concepts = words.map((word, index): Concept => {
    const meaning = intentOf([word]) === undefined ? 1 : verbStrength;
    const factor = data.has(word) ? dataStrength : meaning;
    const concept = new Map<string, number>();
    const add = (stem: string, strength: number): void => {
      if (holders.has(stem)) concept.set(stem, Math.max(strength * factor, concept.get(stem) ?? 0));
    };
    if (!stopWords.has(word)) add(stemOf(word), isWeak(word) ? commonStrength : 1);
    if (!stopWords.has(word) && !isWeak(word))
      for (const stem of similar(stemOf(word))) add(stem, similarStrength);
    // Tools join some words: `timezone`, `checklist`.
    const next = words[index + 1];
    if (next !== undefined) add(stemOf(`${word}${next}`), 1);
    // "Send it again" is what tools call `resend`.
    if (words.includes("again")) add(stemOf(`re${word}`), 1);
    // People shorten the names of servers.
    if (!commonWords.has(word))
      for (const stem of servers) if (isShortFor(stemOf(word), stem)) add(stem, 1);
    // "A link where people can pay" asks for no place.
    if (word === "where" && index > 1) return concept;
    const phrase = phrases.get(index);
    const strength = phrase === undefined ? relatedStrength : phraseStrength;
    for (const stem of phrase ?? relatedStems(word)) add(stem, strength);
    // A phrase may be one by chance: "the ticket is done".
    if (phrase !== undefined) for (const stem of relatedStems(word)) add(stem, besidePhrase);
    for (const stem of serverStems(words, index)) add(stem, brandStrength);
    return concept;
  });
  const signs = signWords(request).map((word): Concept => new Map([[stemOf(word), signStrength]]));
  return [...concepts, ...signs].filter(({ size }) => size > 0);
}

/**
 * Returns what tools call the phrases of a request, by the place of their first word. The other words of a phrase have
 * no phrase: "look like" has little to do with looking or liking.
 */
function phrasesOf(words: readonly string[]): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>();
  for (let at = 0; at < words.length; at += 1) {
    const phrase = phraseAt(words, at);
    if (phrase === undefined) {
      const parted = found.has(at) ? undefined : partedPhraseAt(words, at);
      if (parted === undefined) continue;
      found.set(at, parted.stems);
      found.set(parted.particleAt, []);
      continue;
    }
    found.set(at, phrase.stems);
    for (let rest = 1; rest < phrase.length; rest += 1) found.set(at + rest, []);
    at += phrase.length - 1;
  }
  return found;
}

/** Returns whether one name begins with the other: `mongo` and `mongodb`. */
function isShortFor(word: string, server: string): boolean {
  return (
    Math.min(word.length, server.length) >= 4 &&
    (server.startsWith(word) || word.startsWith(server))
  );
}

function isWeak(word: string): boolean {
  return commonWords.has(word) || timeWords.has(word) || timeWords.has(word.replace(/s$/, ""));
}
