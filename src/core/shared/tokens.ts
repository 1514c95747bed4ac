/**
 * Token limit of the lists in one result, structured content and text together. Clients drop results over about 25 000
 * tokens. The remainder covers text that cannot be counted exactly.
 */
export const maxListTokens = 21_000;

/** Estimated tokens of one run of the same kind. The first match applies. */
const costs: readonly (readonly [RegExp, (length: number) => number])[] = [
  // Base64, hexadecimal and keys: random letters take many tokens.
  [/^[\w+/=-]{24}/, (length) => length * 0.7],
  [/^[A-Za-z]/, (length) => Math.max(1, length / 4)],
  [/^[0-9]/, (length) => Math.max(1, length / 2)],
  [/^ $/, () => 0],
  [/^\s/, (length) => Math.max(0.5, length * 0.3)],
  [/^[!-~]/, () => 0.8],
  // Accented Latin to Lao: alphabets that tokenizers know well.
  [/^[\u0080-\u0EFF]/, () => 0.6],
  [/^[\u2000-\u206F\u3000-\u30FF\u4E00-\u9FFF\uAC00-\uD7AF\uFF00-\uFFEF]/, () => 1.2],
  [/^[\u3400-\u4DBF]/, () => 3],
  [/^[\u{10000}-\u{1EFFF}\u{20000}-\u{10FFFF}]/u, () => 4],
  [/^/, () => 2.2],
];

/**
 * Estimates the number of tokens without a tokenizer. The estimate is usually too high. Measured against o200k on prose
 * in twenty languages, base64, code, punctuation and emoji (test/integration/tokens.test.ts).
 */
export function likelyTokens(text: string): number {
  let tokens = 0;
  const runs = /[\w+/=-]{24,}|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|\s+|[^A-Za-z0-9\s]/gu;
  for (const [run] of text.matchAll(runs)) {
    const cost = costs.find(([kind]) => kind.test(run));
    tokens += cost?.[1](run.length) ?? 0;
  }
  return Math.ceil(tokens);
}
