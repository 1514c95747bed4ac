import { type Listing, listing } from "../core/tool/catalog.ts";
import { likelyTokens } from "../core/shared/tokens.ts";
import { callTool } from "./call-tool.ts";
import { findToolsContract } from "./find-tools.ts";
import { readResult } from "./read-result.ts";

/** Our own tools for the use of upstream servers. */
export const ownTools = [readResult, findToolsContract, callTool] as const;

/**
 * Returns the listed tools. Above `maxTokens` the upstream tools are not listed, but reached through `find_tools` and
 * `call_tool`.
 */
export function listedTools(
  upstream: readonly Listing[],
  maxTokens: number,
): { listings: readonly Listing[]; isSearched: boolean } {
  const isSearched = exceeds(upstream, maxTokens);
  if (isSearched) return { listings: ownTools.map(listing), isSearched };
  const listings = upstream.length === 0 ? [] : [...upstream, listing(readResult)];
  return { listings, isSearched };
}

function exceeds(upstream: readonly Listing[], maxTokens: number): boolean {
  let tokens = 0;
  return upstream.some((each) => (tokens += likelyTokens(JSON.stringify(each))) > maxTokens);
}
