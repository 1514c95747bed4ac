import type { SearchedTool, ToolSearch } from "../../ports/upstream/tool-search.ts";
import { inEnglish } from "./in-english.ts";
import { type Intent, fitness, intentOf, intentOfRequest, isReading } from "./intent.ts";
import { weightOf } from "../../core/flow/reading/frequent-words.ts";
import { nearestName } from "../../core/shared/text/nearest-name.ts";
import { partedPhraseAt, peoplesWords, phraseAt, relatedStems } from "./related-words.ts";
import { stemOf } from "./stem.ts";
import { dataWords } from "./quoted-data.ts";
import { signWords } from "./request-signs.ts";

/** Words that are ignored. */
const stopWords = new Set(
  "a about all an and any are as at be been called can could did do does for from had has have he her him his how i if im in into is it its just let me my named of on or our please she so some that the their them then there these they this those to us was we were what when where which who will with would you your".split(
    " ",
  ),
);

/** Words of nearly every request. They hardly make a tool a better match. */
const commonWords = new Set(
  "anything bring call everything go get give keep know like look make need now open pull put say see set show something take tell thing things use want way work".split(
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

/** The parts of a tool. A word has the weight of its part, and less in a part that is longer than usual. */
const parts = {
  name: { weight: 3, length: 0.3 },
  title: { weight: 1.5, length: 0.3 },
  server: { weight: 2, length: 0 },
  summary: { weight: 1.2, length: 0.5 },
  description: { weight: 0.65, length: 0.8 },
  argumentNames: { weight: 0.5, length: 0.6 },
  argumentTexts: { weight: 0.2, length: 0.8 },
} as const;
type Part = keyof typeof parts;
const partNames = Object.keys(parts) as Part[];
const siblingParts: readonly Part[] = ["name", "summary", "argumentNames"];

/** The saturation of BM25: the more often a word occurs, the less each further occurrence counts. */
const saturation = 1.2;
/** Strength of a synonym of a word of the request. */
const relatedStrength = 0.65;
/** Strength of a verb such as "delete", which is in the names of many tools. The intent counts separately. */
const verbStrength = 0.6;
/** The share of the further synonyms that a tool has. Several of them show that it does what is meant. */
const furtherShare = 0.3;
/** Strength of a word that belongs to the request's data, such as a name. */
const dataStrength = 0.3;
/** Factor of a tool whose server is named in the request. */
const namedFactor = 1.35;
/** Shorter words are not corrected, because they have too many similar words. Letters. */
const shortestMisspelt = 6;
/** A word with less weight is frequent in its language, so it is not misspelt. */
const frequentWeight = 0.75;
/** The share of a word's rarity that counts its synonyms as the same word. Otherwise a rare synonym decides too often. */
const sharedRarity = 0.3;
/** Factor of a word of a tool that another word of the request has already matched. One word is one sign. */
const repeatedFactor = 0.7;
/** The share of a score that depends on how much of the tool's name the request covers. */
const nameShare = 0.2;
/** The weight of a word of other tools of the server. Such words show what the server is about. */
const siblingWeight = 0.5;
/** Factor of a tool that claims to only read, for a request that only reads. */
const readsOnlyFactor = 1.15;

interface Indexed {
  id: string;
  /** The stems of the name without those of the server. */
  nameStems: readonly string[];
  intent: Intent | undefined;
  readsOnly: boolean;
  serverStems: readonly string[];
  /** The weighted frequency of each stem, also of those of the server's other tools. */
  words: ReadonlyMap<string, number>;
  /** The stems of the tool itself. */
  own: ReadonlySet<string>;
}

/** A word of the request with its synonyms in tools: the strength of each, by stem. */
type Concept = ReadonlyMap<string, number>;
type WeighedConcept = readonly { stem: string; weight: number }[];

/**
 * Creates a search over tools. Each word of a request counts once for a tool, by the best match of the word or one of
 * its synonyms. Rare words count more (BM25F). A tool whose operation is not the intent of the request counts less.
 */
export function createToolSearch(tools: readonly SearchedTool[]): ToolSearch {
  const indexed = indexOf(tools);
  /** The tools that have a stem. */
  const holders = new Map<string, Set<Indexed>>();
  const servers = new Set(tools.flatMap(({ server }) => stemsOf(wordsOf(server))));
  for (const each of indexed)
    for (const stem of each.own) holders.set(stem, (holders.get(stem) ?? new Set()).add(each));

  const rarityOf = (count: number): number =>
    Math.log(1 + (indexed.length - count + 0.5) / (count + 0.5));
  const rarityOfStem = (stem: string): number => rarityOf(holders.get(stem)?.size ?? 0);

  /** Returns the concept with the rarity of each stem. */
  function weighed(concept: Concept): WeighedConcept {
    const best = new Map<Indexed, number>();
    for (const [stem, strength] of concept)
      for (const holder of holders.get(stem) ?? [])
        best.set(holder, Math.max(strength, best.get(holder) ?? 0));
    const shared = sharedRarity * rarityOf([...best.values()].reduce((sum, each) => sum + each, 0));
    return [...concept].map(([stem, strength]) => {
      const rarity = shared + (1 - sharedRarity) * rarityOfStem(stem);
      return { stem, weight: strength * rarity };
    });
  }

  /**
   * Returns the score of the best match of a concept.
   * @param used counts how often each stem of the tool was the best match, and is updated
   */
  function matchOf(
    concept: WeighedConcept,
    words: Indexed["words"],
    used: Map<string, number>,
  ): number {
    let best = 0;
    let bestStem = "";
    let sum = 0;
    for (const { stem, weight } of concept) {
      const count = words.get(stem) ?? 0;
      if (count === 0) continue;
      const match =
        ((weight * count) / (saturation + count)) * repeatedFactor ** (used.get(stem) ?? 0);
      sum += match;
      if (match > best) {
        best = match;
        bestStem = stem;
      }
    }
    if (bestStem !== "") used.set(bestStem, (used.get(bestStem) ?? 0) + 1);
    return best + furtherShare * (sum - best);
  }

  /** Returns the share of a name that a request covers. Rare words count more. */
  function coverageOf(name: readonly string[], strengths: ReadonlyMap<string, number>): number {
    let all = 0;
    let covered = 0;
    for (const stem of name) {
      const rarity = rarityOfStem(stem);
      all += rarity;
      covered += rarity * Math.min(1, strengths.get(stem) ?? 0);
    }
    return all === 0 ? 1 : covered / all;
  }

  const isKnown = (word: string): boolean =>
    holders.has(stemOf(word)) || stopWords.has(word) || relatedStems(word).length > 0;
  const isSpelt = (word: string): boolean => isKnown(word) || weightOf(word) < frequentWeight;
  let spellings: readonly string[] | undefined;

  /** Returns the known word that a misspelt one most likely means. The first letter is rarely wrong. */
  function corrected(word: string): string {
    if (word.length < shortestMisspelt || !/^[a-z]+$/.test(word) || isSpelt(word)) return word;
    spellings ??= [...new Set([...tools.flatMap(mainWords), ...peoplesWords])];
    const sameBeginning = spellings.filter((each) => each.startsWith(word.charAt(0)));
    return nearestName(word, sameBeginning) ?? word;
  }

  return (request) => {
    const words = inEnglish(wordsOf(request), isKnown).map(corrected);
    const named = new Set(words.map((word) => stemOf(word)));
    const plain = conceptsOf(words, request, holders, servers);
    const strengths = strongest(plain);
    const concepts = plain.map(weighed);
    const wanted = intentOfRequest(words.join(" "));
    const candidates = concepts.flat().flatMap(({ stem }) => [...(holders.get(stem) ?? [])]);
    return [...new Set(candidates)]
      .map(({ id, intent, readsOnly, serverStems, words, nameStems }) => {
        const used = new Map<string, number>();
        const matched = concepts.reduce((sum, each) => sum + matchOf(each, words, used), 0);
        const covered = 1 - nameShare * (1 - coverageOf(nameStems, strengths));
        const reads = readsOnly && isReading(wanted) ? readsOnlyFactor : 1;
        const isNamed = serverStems.some((stem) => named.has(stem));
        const score =
          matched * covered * reads * (isNamed ? namedFactor : 1) * fitness(wanted, intent);
        return { id, score };
      })
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .map(({ id }) => id);
  };
}

/** Returns the greatest strength of each stem. */
function strongest(concepts: readonly Concept[]): ReadonlyMap<string, number> {
  const strengths = new Map<string, number>();
  for (const concept of concepts)
    for (const [stem, strength] of concept)
      strengths.set(stem, Math.max(strength, strengths.get(stem) ?? 0));
  return strengths;
}

function mainWords({ name, title, description }: SearchedTool): readonly string[] {
  return wordsOf(`${name} ${title} ${summaryOf(description)}`);
}

function summaryOf(description: string): string {
  return /^.*?(?:[.!?\n]|$)/.exec(description.trim())?.[0] ?? "";
}

function indexOf(tools: readonly SearchedTool[]): readonly Indexed[] {
  const texts = tools.map((tool) => {
    const { description, argumentNames, argumentTexts } = tool;
    const all: Record<Part, string> = {
      name: tool.name,
      title: tool.title,
      server: tool.server,
      summary: summaryOf(description),
      description,
      argumentNames: argumentNames.join(" "),
      argumentTexts: argumentTexts.join(" "),
    };
    return { tool, stems: new Map(partNames.map((part) => [part, stemsOf(wordsOf(all[part]))])) };
  });
  const usual = new Map(
    partNames.map((part) => {
      const lengths = texts.map(({ stems }) => stems.get(part)?.length ?? 0);
      return [part, Math.max(1, lengths.reduce((sum, each) => sum + each, 0) / lengths.length)];
    }),
  );
  const ofServers = siblingWords(texts);
  return texts.map(({ tool: { id, server, name, readsOnly }, stems }) => {
    const words = new Map<string, number>(ofServers.get(server));
    for (const part of partNames) {
      const found = stems.get(part) ?? [];
      const { weight, length } = parts[part];
      const each = weight / (1 - length + (length * found.length) / (usual.get(part) ?? 1));
      for (const stem of found) words.set(stem, (words.get(stem) ?? 0) + each);
    }
    const serverStems = stems.get("server") ?? [];
    const own = new Set([...stems.values()].flat());
    const nameStems = (stems.get("name") ?? []).filter((stem) => !serverStems.includes(stem));
    return { id, nameStems, intent: intentOf(wordsOf(name)), readsOnly, serverStems, words, own };
  });
}

interface IndexedText {
  tool: SearchedTool;
  stems: ReadonlyMap<Part, readonly string[]>;
}

/** Returns the weights of the words in each server's tools. A word has more weight if more of them have it. */
function siblingWords(texts: readonly IndexedText[]): Map<string, Map<string, number>> {
  const sizes = new Map<string, number>();
  const counts = new Map<string, Map<string, number>>();
  for (const { tool, stems } of texts) {
    sizes.set(tool.server, (sizes.get(tool.server) ?? 0) + 1);
    const ofServer = counts.get(tool.server) ?? new Map<string, number>();
    counts.set(tool.server, ofServer);
    const main = siblingParts.flatMap((part) => stems.get(part) ?? []);
    for (const stem of new Set(main)) ofServer.set(stem, (ofServer.get(stem) ?? 0) + 1);
  }
  for (const [server, ofServer] of counts)
    for (const [stem, count] of ofServer)
      ofServer.set(stem, siblingWeight * Math.sqrt(count / (sizes.get(server) ?? 1)));
  return counts;
}

/** Returns the concepts of a request for which some tool has words. */
function conceptsOf(
  words: readonly string[],
  request: string,
  known: ReadonlyMap<string, unknown>,
  servers: ReadonlySet<string>,
): readonly Concept[] {
  const phrases = phrasesOf(words);
  const data = dataWords(request, wordsOf);
  const concepts = words.map((word, index): Concept => {
    const meaning = intentOf([word]) === undefined ? 1 : verbStrength;
    const factor = data.has(word) ? dataStrength : meaning;
    const concept = new Map<string, number>();
    const add = (stem: string, strength: number): void => {
      if (known.has(stem)) concept.set(stem, Math.max(strength * factor, concept.get(stem) ?? 0));
    };
    if (!stopWords.has(word)) add(stemOf(word), isWeak(word) ? commonStrength : 1);
    // Tools join some words: `timezone`, `checklist`.
    const next = words[index + 1];
    if (next !== undefined) add(stemOf(`${word}${next}`), 1);
    // People shorten the names of servers.
    if (!commonWords.has(word))
      for (const stem of servers) if (isShortFor(stemOf(word), stem)) add(stem, 1);
    for (const stem of phrases.get(index) ?? relatedStems(word)) add(stem, relatedStrength);
    return concept;
  });
  const signs = signWords(request).map(
    (word): Concept => new Map([[stemOf(word), relatedStrength]]),
  );
  return [...concepts, ...signs].filter(({ size }) => size > 0);
}

/**
 * Returns what tools call the phrases of a request, by the place of their first word. The other words of a phrase have
 * nothing: "look like" has nothing to do with looking or liking.
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

function stemsOf(words: readonly string[]): string[] {
  return words.filter((word) => !stopWords.has(word)).map((word) => stemOf(word));
}

/** Returns the words of a text in lower case, also those of `camelCase` and `snake_case`. */
function wordsOf(text: string): string[] {
  return (
    text
      .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
      .toLowerCase()
      .replaceAll(/['’](?:s|re|ve|ll|d|m)\b/g, "")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}
