import MiniSearch from "minisearch";
import { stemmer } from "stemmer";
import type { SearchedTool, ToolSearch } from "../../ports/upstream/tool-search.ts";

/** Words that say nothing about a tool. */
const stopWords = new Set(
  "a about all an and are as at be can could did do does for from had has have he her his how i if in into is it its let make me my of on or our please she so some that the their them then there these they this those to us was we were what when where which who will with would you your".split(
    " ",
  ),
);

/** Creates a search over tools: BM25 over the stems of their words. */
export function createToolSearch(tools: readonly SearchedTool[]): ToolSearch {
  const index = new MiniSearch<SearchedTool>({
    fields: ["name", "server", "title", "description", "argumentNames"],
    tokenize: wordsOf,
    processTerm: (word) => (stopWords.has(word) ? undefined : stemmer(word)),
    extractField: (tool, field) => {
      const value = tool[field as keyof SearchedTool];
      return typeof value === "string" ? value : value.join(" ");
    },
    searchOptions: { boost: { name: 2, title: 2, argumentNames: 0.5 } },
  });
  index.addAll(tools);
  return (request) => index.search(request).map(({ id }) => String(id));
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
