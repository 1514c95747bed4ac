import type { SearchedTool } from "../../ports/upstream/tool-search.ts";
import { associatedStems } from "./associated-stems.ts";
import { stemsOf, wordsOf } from "./words.ts";

/** Weight of a word of the server or of the summary. A word of the name has 1. */
const besideName = 0.6;

/** Returns the stems that say most about a tool, and their weights. */
export function essentialStems({
  server,
  name,
  description,
}: Pick<SearchedTool, "server" | "name" | "description">): ReadonlyMap<string, number> {
  const beside = stemsOf(wordsOf(`${server} ${summaryOf(description)}`));
  return new Map([
    ...beside.map((stem) => [stem, besideName] as const),
    ...stemsOf(wordsOf(name)).map((stem) => [stem, 1] as const),
  ]);
}

/** Returns the first sentence of a description. */
export function summaryOf(description: string): string {
  return /^.*?(?:[.!?\n]|$)/.exec(description.trim())?.[0] ?? "";
}

/** Returns the stems of a request that associations exist for: no numbers, and no data such as a name. */
export function associatingStems(
  words: readonly string[],
  data: ReadonlySet<string>,
): ReadonlySet<string> {
  return new Set(stemsOf(words.filter((word) => !data.has(word) && !/^\d+$/.test(word))));
}

/** Creates a function that returns the evidence of the stems of a request for each tool. */
export function createAssociations(
  tools: readonly SearchedTool[],
): (stems: ReadonlySet<string>) => Float64Array {
  const holders = new Map<string, { tool: number; weight: number }[]>();
  for (const [tool, each] of tools.entries())
    for (const [stem, weight] of essentialStems(each)) {
      const list = holders.get(stem) ?? [];
      list.push({ tool, weight });
      holders.set(stem, list);
    }
  return (stems) => {
    const sums = new Float64Array(tools.length);
    for (const asked of stems)
      for (const [stem, evidence] of associatedStems(asked))
        for (const { tool, weight } of holders.get(stem) ?? [])
          sums[tool] = (sums[tool] ?? 0) + evidence * weight;
    return sums;
  };
}
