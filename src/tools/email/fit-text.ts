/** Tokens per character. The first match applies. The estimates are rather high, as in `core/shared/tokens.ts`. */
const costs: readonly (readonly [RegExp, number])[] = [
  [/[A-Za-z ]/, 0.28],
  [/[!-~]/, 0.8],
  [/[\u0080-\u0EFF]/, 0.8],
  [/[\u2000-\u206F\u3000-\u30FF\u4E00-\u9FFF\uAC00-\uD7AF\uFF00-\uFFEF]/, 1.3],
  [/[\u3400-\u4DBF]/, 3],
  [/[\u{10000}-\u{10FFFF}]/u, 4],
  [/[^]/, 2.2],
];

/** Cuts a text to about this many tokens, with an ellipsis for the rest. */
export function fitText(text: string, tokens: number): string {
  let cost = 0;
  let end = 0;
  for (const character of text) {
    cost += costs.find(([kind]) => kind.test(character))?.[1] ?? 0;
    if (cost > tokens) return `${text.slice(0, end).trimEnd()}…`;
    end += character.length;
  }
  return text;
}
