import MiniSearch from "minisearch";
import { stemmer } from "stemmer";
import type { SearchedTool, ToolSearch } from "../../ports/upstream/tool-search.ts";
import { relatedWords } from "./related-words.ts";

/** Words that say nothing about a tool. */
const stopWords = new Set(
  "a about all an and are as at be can could did do does for from had has have he her his how i if in into is it its let make me my of on or our please she so some that the their them then there these they this those to us was we were what when where which who will with would you your".split(
    " ",
  ),
);

/** Weights that found most tools for 150 requests about 248 tools of 18 published servers. */
const weights = { name: 3, title: 3, argumentNames: 0.3 };
/** A related word is a weaker hint than one of the request, and in a description hardly any. */
const relatedWeights = { name: 0.8, title: 0.8, description: 0.2, server: 0.1, argumentNames: 0.1 };
/** Descriptions of some servers are pages long, so their length counts more than usual. */
const bm25 = { k: 1.2, b: 0.8, d: 0.5 };
/** The more words of the request a tool has, the more its score counts. */
const coverageFrom = 2;
/** A related word counts as half a word of the request. */
const relatedCoverage = 0.5;

/**
 * Creates a search over tools: BM25 over the stems of their words, and over words that mean the same as those of the
 * request.
 */
export function createToolSearch(tools: readonly SearchedTool[]): ToolSearch {
  const index = new MiniSearch<SearchedTool>({
    fields: ["name", "server", "title", "description", "argumentNames"],
    tokenize: wordsOf,
    processTerm: stemOf,
    extractField: (tool, field) => {
      const value = tool[field as keyof SearchedTool];
      return typeof value === "string" ? value : value.join(" ");
    },
    searchOptions: { boost: weights, bm25 },
  });
  index.addAll(tools);
  return (request) => {
    const words = withPairs(wordsOf(request));
    const asked = new Set(words.map(stemOf));
    const related = { queries: [relatedWords(words).join(" ")], boost: relatedWeights };
    return index
      .search({ combineWith: "OR", queries: [words.join(" "), related] })
      .map(({ id, score, queryTerms }) => {
        const covered = queryTerms.filter((term) => asked.has(term)).length;
        const further = (queryTerms.length - covered) * relatedCoverage;
        return { id: String(id), score: score * (coverageFrom + covered + further) };
      })
      .toSorted((a, b) => b.score - a.score)
      .map(({ id }) => id);
  };
}

/** Adds each two neighbours as one word, because tools write some words together: `timezone`, `checklist`. */
function withPairs(words: readonly string[]): string[] {
  return [...words, ...words.slice(1).map((word, index) => `${words[index]}${word}`)];
}

function stemOf(word: string): string | undefined {
  return stopWords.has(word) ? undefined : stemmer(word);
}

/** Returns the words of a text in lower case, also those of `camelCase` and `snake_case`. */
function wordsOf(text: string): string[] {
  return (
    text
      .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}
