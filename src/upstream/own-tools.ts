import { type Listing, listing } from "../core/tool/catalog.ts";
import { likelyTokens } from "../core/shared/tokens.ts";
import type { Data } from "../core/shared/data.ts";
import { callTool } from "./call-tool.ts";
import { findToolsContract } from "./find-tools.ts";
import { readResult } from "./read-result.ts";

/** Our own tools for the use of upstream servers. */
export const ownTools = [readResult, findToolsContract, callTool] as const;

/**
 * Tools over this share of the limit are the first to be left out of the list, so that one long definition does not
 * displace the others.
 */
const largeShare = 1 / 4;

/** The names of arguments that every model service accepts. A tool with another one ends every request. */
const usualName = /^[A-Za-z0-9_.-]{1,64}$/;

/** Returns whether model services accept the names of a tool's arguments. */
export function hasUsualNames({ inputSchema }: { inputSchema: Data }): boolean {
  return Object.keys(inputSchema["properties"] ?? {}).every((name) => usualName.test(name));
}

/**
 * Returns the listed tools. Those with unusual names of arguments are left out. If the others need more than
 * `maxTokens`, large tools are left out, and if that is not enough, all upstream tools. The assistant reaches them
 * through `find_tools` and `call_tool`.
 */
export function listedTools(
  upstream: readonly Listing[],
  maxTokens: number,
): { listings: readonly Listing[]; searched: number } {
  const usual = upstream.filter(hasUsualNames);
  const sized = usual.map((each) => ({ each, tokens: likelyTokens(JSON.stringify(each)) }));
  const fitting = [sized, sized.filter(({ tokens }) => tokens <= maxTokens * largeShare)].find(
    (some) => some.reduce((sum, { tokens }) => sum + tokens, 0) <= maxTokens,
  );
  const shown = (fitting ?? []).map(({ each }) => each);
  const searched = upstream.length - shown.length;
  if (searched > 0) return { listings: [...shown, ...ownTools.map(listing)], searched };
  return { listings: shown.length === 0 ? [] : [...shown, listing(readResult)], searched };
}
