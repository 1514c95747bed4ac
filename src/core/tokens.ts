/**
 * Tokens that the lists in one answer may cost, structured content and text together. Hosts drop results over about 25 000
 * tokens; the rest is headroom for what we cannot count exactly.
 */
export const maxListTokens = 21_000;

/**
 * A guess on the high side, without a tokenizer: four letters a token, two digits a token, one token for anything else that
 * is not a single space between words.
 */
export function likelyTokens(text: string): number {
  let tokens = 0;
  for (const [run] of text.matchAll(/[A-Za-z]+|[0-9]+|\s+|[^A-Za-z0-9\s]/gu)) {
    const first = run.charCodeAt(0);
    if (first >= 0x30 && first <= 0x39) tokens += run.length / 2;
    else if (/[A-Za-z]/.test(run)) tokens += run.length / 4;
    else if (run === " ") tokens += 0;
    else if (/\s/.test(run)) tokens += Math.min(run.length, 2) / 2;
    else tokens += first > 0x7f ? 1.3 : 0.7;
  }
  return Math.ceil(tokens);
}
