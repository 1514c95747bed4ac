import type { SearchedTool, ToolSearch } from "../../ports/upstream/tool-search.ts";
import { associatingStems, createAssociations, summaryOf } from "./associated-tools.ts";
import { type Concept, conceptsOf } from "./concepts.ts";
import { inEnglish } from "./in-english.ts";
import { type Intent, fitness, intentOfRequest, intentOfTool, isReading } from "./intent.ts";
import { weightOf } from "../../core/flow/reading/frequent-words.ts";
import { nearestName } from "../../core/shared/text/nearest-name.ts";
import { dataWords } from "./quoted-data.ts";
import { peoplesWords, relatedStems } from "./related-words.ts";
import { stemOf } from "./stem.ts";
import { stemsOf, stopWords, wordsOf } from "./words.ts";
import { similarStems } from "./similar-stems.ts";

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
/** The share of the further synonyms that a tool has. Several of them show that it does what is meant. */
const furtherShare = 0.4;
/** Factor of a tool whose server is named in the request. */
const namedFactor = 1.7;
/** The same, if only tools of this server have the name: "Linear", but not "calendar". */
const uniqueFactor = 2.5;
/** Shorter words are not corrected, because they have too many similar words. Letters. */
const shortestMisspelt = 6;
/** A word with less weight is frequent in its language, so it is not misspelt. */
const frequentWeight = 0.75;
/** The share of a word's rarity that counts its synonyms as the same word. Otherwise a rare synonym decides too often. */
const sharedRarity = 0.3;
/** Factor of a word of a tool that another word of the request has already matched. One word is one sign. */
const repeatedFactor = 0.6;
/** The share of a score that depends on how much of the tool's name the request covers. */
const nameShare = 0.45;
/** The weight of a word of other tools of the server. Such words show what the server is about. */
const siblingWeight = 0.5;
/** Factor of a tool that claims to only read, for a request that only reads. */
const readsOnlyFactor = 1.15;
/** The share of the best score that one step of evidence from associations adds. */
const associatedShare = 0.05;
/**
 * Replaces a lower best score, as a factor of the rarity of a word that one tool has. A request whose words no tool has
 * is decided by its associations.
 */
const leastBest = 1.2;

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

type WeighedConcept = readonly { stem: string; weight: number }[];

/** The places of the tools that have a stem or whose server has it, and its saturated frequency in each. */
interface Postings {
  tools: number[];
  shares: number[];
}

/**
 * Creates a search over tools. Each word of a request counts once for a tool, by the best match of the word or one of
 * its synonyms. Rare words count more (BM25F). A tool whose operation is not the intent of the request counts less. The
 * words that right tools had for earlier requests add evidence.
 */
export function createToolSearch(tools: readonly SearchedTool[]): ToolSearch {
  /** The places of the tools that have a stem. */
  const holders = new Map<string, number[]>();
  const postings = new Map<string, Postings>();
  const indexed = indexOf(tools).map(({ own, words, ...rest }, tool) => {
    for (const stem of own) listIn(holders, stem).push(tool);
    for (const [stem, count] of words) {
      const { tools: places, shares } = postings.get(stem) ?? { tools: [], shares: [] };
      places.push(tool);
      shares.push(count / (saturation + count));
      postings.set(stem, { tools: places, shares });
    }
    return rest;
  });
  const servers = new Set(tools.flatMap(({ server }) => stemsOf(wordsOf(server))));
  const similar = similarStems(holders.keys());
  const associated = createAssociations(tools);
  const isUnique = (stem: string): boolean =>
    new Set((holders.get(stem) ?? []).map((tool) => tools[tool]?.server)).size === 1;
  const unique = new Set([...servers].filter(isUnique));

  const rarityOf = (count: number): number =>
    Math.log(1 + (indexed.length - count + 0.5) / (count + 0.5));
  const rarityOfStem = (stem: string): number => rarityOf(holders.get(stem)?.length ?? 0);
  const names = indexed.map(({ nameStems }) =>
    nameStems.map((stem) => ({ stem, rarity: rarityOfStem(stem) })),
  );

  /** Returns the concept with the rarity of each stem. */
  function weighed(concept: Concept): WeighedConcept {
    const best = new Float64Array(indexed.length);
    for (const [stem, strength] of concept)
      for (const holder of holders.get(stem) ?? [])
        best[holder] = Math.max(strength, best[holder] ?? 0);
    const shared = sharedRarity * rarityOf(best.reduce((sum, each) => sum + each, 0));
    return [...concept].map(([stem, strength]) => {
      const rarity = shared + (1 - sharedRarity) * rarityOfStem(stem);
      return { stem, weight: strength * rarity };
    });
  }

  /**
   * Adds the best match of a concept to the score of each tool.
   * @param used counts how often each stem of a tool was the best match, and is updated
   */
  function addMatches(
    concept: WeighedConcept,
    scores: Float64Array,
    used: Map<string, Uint8Array>,
  ): void {
    const best = new Float64Array(scores.length);
    const sum = new Float64Array(scores.length);
    const bestPlace = new Int32Array(scores.length);
    for (const [place, { stem, weight }] of concept.entries()) {
      const times = used.get(stem);
      const { tools: places = [], shares = [] } = postings.get(stem) ?? {};
      for (const [at, tool] of places.entries()) {
        const match = weight * (shares[at] ?? 0) * repeatedFactor ** (times?.[tool] ?? 0);
        sum[tool] = (sum[tool] ?? 0) + match;
        if (match <= (best[tool] ?? 0)) continue;
        best[tool] = match;
        bestPlace[tool] = place;
      }
    }
    for (const [tool, match] of best.entries()) {
      if (match === 0) continue;
      scores[tool] = (scores[tool] ?? 0) + match + furtherShare * ((sum[tool] ?? 0) - match);
      const stem = concept[bestPlace[tool] ?? 0]?.stem ?? "";
      const times = used.get(stem) ?? new Uint8Array(scores.length);
      times[tool] = (times[tool] ?? 0) + 1;
      used.set(stem, times);
    }
  }

  function namedFactorOf(serverStems: readonly string[], named: ReadonlySet<string>): number {
    const found = serverStems.filter((stem) => named.has(stem));
    if (found.length === 0) return 1;
    return found.some((stem) => unique.has(stem)) ? uniqueFactor : namedFactor;
  }

  /** Returns the share of a tool's name that a request covers. Rare words count more. */
  function coverageOf(tool: number, strengths: ReadonlyMap<string, number>): number {
    let all = 0;
    let covered = 0;
    for (const { stem, rarity } of names[tool] ?? []) {
      all += rarity;
      covered += rarity * Math.min(1, strengths.get(stem) ?? 0);
    }
    return all === 0 ? 1 : covered / all;
  }

  const isKnown = (word: string): boolean =>
    holders.has(stemOf(word)) || stopWords.has(word) || relatedStems(word).length > 0;
  const isSpelt = (word: string): boolean => isKnown(word) || weightOf(word) < frequentWeight;
  /** The known words, by their first letter. */
  let spellings: ReadonlyMap<string, readonly string[]> | undefined;

  /** Returns the known word that a misspelt one most likely means. The first letter is rarely wrong. */
  function corrected(word: string): string {
    if (word.length < shortestMisspelt || !/^[a-z]+$/.test(word) || isSpelt(word)) return word;
    spellings ??= byFirstLetter(new Set([...tools.flatMap(mainWords), ...peoplesWords]));
    return nearestName(word, spellings.get(word.charAt(0)) ?? []) ?? word;
  }

  return (request) => {
    const words = inEnglish(wordsOf(request), isKnown).map(corrected);
    const named = new Set(words.map((word) => stemOf(word)));
    const plain = conceptsOf(words, request, { holders, servers, similar });
    const strengths = strongest(plain);
    const scores = new Float64Array(indexed.length);
    const used = new Map<string, Uint8Array>();
    for (const concept of plain) addMatches(weighed(concept), scores, used);
    const wanted = intentOfRequest(words.join(" "));
    const candidates = new Set([...strengths.keys()].flatMap((stem) => holders.get(stem) ?? []));
    const matched = indexed.map(({ intent, readsOnly, serverStems }, tool) => {
      if (!candidates.has(tool)) return 0;
      const covered = 1 - nameShare * (1 - coverageOf(tool, strengths));
      const reads = readsOnly && isReading(wanted) ? readsOnlyFactor : 1;
      const factor = covered * reads * namedFactorOf(serverStems, named) * fitness(wanted, intent);
      return (scores[tool] ?? 0) * factor;
    });
    const best = matched.reduce((most, score) => Math.max(most, score), leastBest * rarityOf(1));
    const evidence = associated(associatingStems(words, dataWords(request, wordsOf)));
    return indexed
      .map(({ id }, tool) => {
        const added = associatedShare * best * (evidence[tool] ?? 0);
        return { id, score: (matched[tool] ?? 0) + added };
      })
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .map(({ id }) => id);
  };
}

function byFirstLetter(words: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const word of words) listIn(groups, word.charAt(0)).push(word);
  return groups;
}

/** Returns the list of a key, and adds an empty one if there is none. */
function listIn<T>(lists: Map<string, T[]>, key: string): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
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
  return texts.map(({ tool: { id, server, name, description, readsOnly }, stems }) => {
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
    return {
      id,
      nameStems,
      intent: intentOfTool(wordsOf(name), wordsOf(description)),
      readsOnly,
      serverStems,
      words,
      own,
    };
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
