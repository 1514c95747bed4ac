import { withoutInvisible } from "../../core/shared/text/clean-text.ts";
import { likelyTokens } from "../../core/shared/tokens.ts";
import type { WebAnswer, WebResult } from "../../ports/web-search.ts";

/**
 * Token limits per field. The answer and five results take at most 9 100. Every field is sent as structured content and
 * as text, and both together stay under the 25 000 tokens that clients allow.
 */
const maxTokens = { answer: 2_000, title: 80, url: 200, content: 1_140 };

/** A field is cut to this length before its tokens are counted. Characters. */
const maxCharacters = 8_000;

/**
 * Cleans an answer for a model: no invisible characters, only web addresses, every field bounded, at most `maxResults`.
 */
export function shownAnswer({ answer, results }: WebAnswer, maxResults: number): WebAnswer {
  return {
    answer: shown(answer, maxTokens.answer),
    results: results.flatMap(shownResult).slice(0, maxResults),
  };
}

function shownResult({ title, url, content, publishedAt }: WebResult): WebResult[] {
  const address = webAddress(url);
  if (address === undefined) return [];
  return [
    {
      title: shown(title.replace(/\s+/g, " "), maxTokens.title),
      url: address,
      content: shown(content, maxTokens.content),
      ...(publishedAt !== undefined && { publishedAt }),
    },
  ];
}

/**
 * Returns an http or https URL without user name. Undefined for any other text, and for a URL that is too long to be
 * passed on whole.
 */
function webAddress(text: string): string | undefined {
  if (text.length > maxCharacters || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  // https://bank.example@evil.example looks like a link to bank.example.
  if (!isWeb || url.username !== "" || url.password !== "") return undefined;
  return likelyTokens(url.href) > maxTokens.url ? undefined : url.href;
}

/** Cuts a text at a character if it has too many tokens, with a note. */
function shown(text: string, tokens: number): string {
  const start = text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, "");
  const clean = withoutInvisible(start.replace(/\r\n?|[\u2028\u2029]/g, "\n")).trim();
  if (text.length <= maxCharacters && likelyTokens(clean) <= tokens) return clean;
  const characters = Array.from(clean);
  let fits = 0;
  let tooMany = characters.length + 1;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (likelyTokens(characters.slice(0, middle).join("")) <= tokens) fits = middle;
    else tooMany = middle;
  }
  return `${characters.slice(0, fits).join("").trimEnd()} [cut]`;
}
