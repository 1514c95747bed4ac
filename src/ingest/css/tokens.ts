import { type CSSToken, tokenize, TokenType } from "@csstools/css-tokenizer";

/** Tokenises CSS and drops comments, which do not separate tokens. */
export function tokensOf(css: string): CSSToken[] {
  const ends = new Set<string>([TokenType.Comment, TokenType.EOF]);
  return tokenize({ css }).filter(([type]) => !ends.has(type));
}

export function textOf(tokens: readonly CSSToken[]): string {
  return tokens.map(([, source]) => source).join("");
}

/** Returns the end of a declaration or of a block's prelude: `;`, `{` or `}` outside of brackets. */
export function itemEnd(tokens: readonly CSSToken[], start: number, isTopLevel: boolean): number {
  let open = 0;
  for (let at = start; at < tokens.length; at += 1) {
    const type = tokens[at]?.[0];
    if (opens(type)) open += 1;
    else if (type === TokenType.CloseParen || type === TokenType.CloseSquare)
      open = Math.max(0, open - 1);
    else if (open > 0) continue;
    else if (type === TokenType.OpenCurly) return at;
    // At the top level neither character ends an item, because a browser treats the rule after it as invalid.
    else if (!isTopLevel && (type === TokenType.Semicolon || type === TokenType.CloseCurly))
      return at;
  }
  return tokens.length;
}

export function opens(type: TokenType | undefined): boolean {
  return (
    type === TokenType.Function || type === TokenType.OpenParen || type === TokenType.OpenSquare
  );
}

export function splitAtCommas(tokens: readonly CSSToken[]): CSSToken[][] {
  const parts: CSSToken[][] = [[]];
  let open = 0;
  for (const token of tokens) {
    const [type] = token;
    if (opens(type)) open += 1;
    else if (type === TokenType.CloseParen || type === TokenType.CloseSquare) open -= 1;
    if (type === TokenType.Comma && open === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.map(trimmed);
}

export function trimmed(tokens: CSSToken[]): CSSToken[] {
  const isText = ([type]: CSSToken): boolean => type !== TokenType.Whitespace;
  return tokens.slice(tokens.findIndex(isText), tokens.findLastIndex(isText) + 1);
}
