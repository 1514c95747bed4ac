import type { z } from "zod";
import { structuredTokens } from "../../core/tool/untrusted-text.ts";
import { likelyTokens, maxListTokens } from "../../core/shared/tokens.ts";

/** Returns as many items as fit into one result, as structured content (`schema`) and as text. */
export function fitting<T extends Readonly<Record<string, unknown>>>(
  schema: z.ZodObject,
  items: readonly T[],
  format: (item: T) => string,
): { kept: T[]; isCut: boolean } {
  const kept: T[] = [];
  let tokens = 0;
  for (const item of items) {
    tokens += structuredTokens(schema, item) + likelyTokens(format(item));
    if (tokens > maxListTokens) return { kept, isCut: true };
    kept.push(item);
  }
  return { kept, isCut: false };
}
