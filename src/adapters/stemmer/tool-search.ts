import { stemmer } from "stemmer";
import type { SearchedTool, ToolSearch } from "../../ports/upstream/tool-search.ts";
import { type Intent, fitness, intentOf, intentOfRequest, isReading } from "./intent.ts";
import { relatedStems } from "./related-words.ts";
import { signWords } from "./request-signs.ts";

/** Words that are ignored. */
const stopWords = new Set(
  "a about all an and any are as at be been can could did do does for from had has have he her him his how i if im in into is it its just let me my of on or our please she so some that the their them then there these they this those to us was we were what when where which who will with would you your".split(
    " ",
  ),
);

/** Words of nearly every request. They hardly make a tool a better match. */
const commonWords = new Set(
  "anything bring call called everything go get give keep know like look make need now open pull put say see set show something take tell thing things use want way work".split(
    " ",
  ),
);
const commonStrength = 0.3;

/** The parts of a tool. A word has the weight of its part, and less in a part that is longer than usual. */
const parts = {
  name: { weight: 3, length: 0.3 },
  title: { weight: 1.5, length: 0.3 },
  server: { weight: 2, length: 0 },
  summary: { weight: 1.2, length: 0.5 },
  description: { weight: 0.5, length: 0.8 },
  argumentNames: { weight: 0.5, length: 0.6 },
  argumentTexts: { weight: 0.2, length: 0.8 },
} as const;
type Part = keyof typeof parts;
const partNames = Object.keys(parts) as Part[];

/** The saturation of BM25: the more often a word occurs, the less each further occurrence counts. */
const saturation = 1.2;
/** Strength of a synonym of a word of the request. */
const relatedStrength = 0.65;
/** Strength of a verb such as "delete", which is in the names of many tools. The intent counts separately. */
const verbStrength = 0.6;
/** Factor of a tool that claims to only read, for a request that only reads. */
const readsOnlyFactor = 1.15;

interface Indexed {
  id: string;
  intent: Intent | undefined;
  readsOnly: boolean;
  /** The weighted frequency of each stem. */
  words: ReadonlyMap<string, number>;
}

/** A word of the request with its synonyms in tools: the strength of each, by stem. */
type Concept = ReadonlyMap<string, number>;

/**
 * Creates a search over tools. Each word of a request counts once for a tool, by the best match of the word or one of
 * its synonyms. Rare words count more (BM25F). A tool whose operation is not the intent of the request counts less.
 */
export function createToolSearch(tools: readonly SearchedTool[]): ToolSearch {
  const indexed = indexOf(tools);
  const frequency = new Map<string, number>();
  for (const { words } of indexed)
    for (const stem of words.keys()) frequency.set(stem, (frequency.get(stem) ?? 0) + 1);

  function rarity(stem: string): number {
    const count = frequency.get(stem) ?? 0;
    return Math.log(1 + (indexed.length - count + 0.5) / (count + 0.5));
  }

  function matchOf(concept: Concept, words: Indexed["words"]): number {
    let best = 0;
    for (const [stem, strength] of concept) {
      const count = words.get(stem) ?? 0;
      best = Math.max(best, (strength * rarity(stem) * count) / (saturation + count));
    }
    return best;
  }

  return (request) => {
    const concepts = conceptsOf(request, frequency);
    const wanted = intentOfRequest(request);
    return indexed
      .map(({ id, intent, readsOnly, words }) => {
        const matched = concepts.reduce((sum, concept) => sum + matchOf(concept, words), 0);
        const reads = readsOnly && isReading(wanted) ? readsOnlyFactor : 1;
        return { id, score: matched * reads * fitness(wanted, intent) };
      })
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .map(({ id }) => id);
  };
}

function indexOf(tools: readonly SearchedTool[]): readonly Indexed[] {
  const texts = tools.map((tool) => {
    const { description, argumentNames, argumentTexts } = tool;
    const [summary = ""] = /^.*?(?:[.!?\n]|$)/.exec(description.trim()) ?? [];
    const all: Record<Part, string> = {
      name: tool.name,
      title: tool.title,
      server: tool.server,
      summary,
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
  return texts.map(({ tool: { id, name, readsOnly }, stems }) => {
    const words = new Map<string, number>();
    for (const part of partNames) {
      const found = stems.get(part) ?? [];
      const { weight, length } = parts[part];
      const each = weight / (1 - length + (length * found.length) / (usual.get(part) ?? 1));
      for (const stem of found) words.set(stem, (words.get(stem) ?? 0) + each);
    }
    return { id, intent: intentOf(wordsOf(name)), readsOnly, words };
  });
}

/** Returns the concepts of a request for which some tool has words. */
function conceptsOf(request: string, known: ReadonlyMap<string, unknown>): readonly Concept[] {
  const words = wordsOf(request);
  const concepts = words.map((word, index): Concept => {
    const factor = intentOf([word]) === undefined ? 1 : verbStrength;
    const concept = new Map<string, number>();
    const add = (stem: string, strength: number): void => {
      if (known.has(stem)) concept.set(stem, Math.max(strength * factor, concept.get(stem) ?? 0));
    };
    if (!stopWords.has(word)) add(stemmer(word), commonWords.has(word) ? commonStrength : 1);
    // Tools join some words: `timezone`, `checklist`.
    const next = words[index + 1];
    if (next !== undefined) add(stemmer(`${word}${next}`), 1);
    for (const stem of relatedStems(word, next)) add(stem, relatedStrength);
    return concept;
  });
  const signs = signWords(request).map(
    (word): Concept => new Map([[stemmer(word), relatedStrength]]),
  );
  return [...concepts, ...signs].filter(({ size }) => size > 0);
}

function stemsOf(words: readonly string[]): string[] {
  return words.filter((word) => !stopWords.has(word)).map((word) => stemmer(word));
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
