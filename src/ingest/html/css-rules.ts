import { type CSSToken, tokenize, TokenType } from "@csstools/css-tokenizer";
import { appliesToReader } from "./css-media.ts";

/** One declaration: name and value in lower case, without comments and escapes. */
export interface Declaration {
  name: string;
  value: string;
  isImportant: boolean;
}

/** A list of selectors, each as its tokens, with its declarations. */
export interface StyleRule {
  selectors: CSSToken[][];
  declarations: Declaration[];
  /** The rule is in `@layer`. Rules outside of layers override it. */
  isLayered: boolean;
}

/** Nested blocks that are read. Rule nesting is new, and real sheets are flatter. */
const nesting = 8;

/** Parses the declarations of a style attribute (CSS Syntax 3, section 5). Never throws. */
export function declarationsIn(style: string): Declaration[] {
  const tokens = tokensOf(style);
  const found: Declaration[] = [];
  for (let at = 0; at < tokens.length;) {
    const end = itemEnd(tokens, at, false);
    addDeclaration(tokens.slice(at, end), found);
    at = end + 1;
  }
  return found;
}

/** Parses the rules of a style sheet that apply to a common reader, in their order. Never throws. */
export function rulesIn(sheet: string): StyleRule[] {
  const rules: StyleRule[] = [];
  const marks = new Set<string>([TokenType.CDO, TokenType.CDC]);
  const tokens = tokensOf(sheet).filter(([type]) => !marks.has(type));
  readBlock(tokens, { at: 0, depth: 0, parent: undefined, isLayered: false }, rules, []);
  return rules;
}

interface Place {
  at: number;
  depth: number;
  /** The selectors of the rule that contains this block. */
  parent: CSSToken[][] | undefined;
  isLayered: boolean;
}

/** Reads up to the end of a block and returns its offset. */
function readBlock(
  tokens: readonly CSSToken[],
  { at, depth, parent, isLayered }: Place,
  rules: StyleRule[],
  own: Declaration[],
): number {
  while (at < tokens.length) {
    const [type] = tokens[at] ?? [];
    if (type === TokenType.Whitespace || (type === TokenType.Semicolon && depth > 0)) {
      at += 1;
      continue;
    }
    if (type === TokenType.CloseCurly && depth > 0) return at;
    const isAtRule = type === TokenType.AtKeyword;
    const end = itemEnd(tokens, at, !isAtRule && depth === 0);
    const item = tokens.slice(at, end);
    at = end + 1;
    if (tokens[end]?.[0] !== TokenType.OpenCurly) {
      if (!isAtRule && parent !== undefined) addDeclaration(item, own);
      if (tokens[end]?.[0] === TokenType.CloseCurly) at = end;
      continue;
    }
    const close = blockEnd(tokens, end);
    at = close + 1;
    const [name, ...prelude] = item;
    const layers = isAtRule && name?.[0] === TokenType.AtKeyword ? name[4].value.toLowerCase() : "";
    if (depth >= nesting || (isAtRule && !isOpen(layers, textOf(prelude)))) continue;
    const inner: Place = {
      at: 0,
      depth: depth + 1,
      parent: isAtRule ? parent : nested(item, parent),
      isLayered: isLayered || layers === "layer",
    };
    const declarations: Declaration[] = [];
    const place = rules.length;
    readBlock(tokens.slice(end + 1, close), inner, rules, declarations);
    if (inner.parent !== undefined && declarations.length > 0)
      rules.splice(place, 0, {
        selectors: inner.parent,
        declarations,
        isLayered: inner.isLayered,
      });
  }
  return at;
}

/** Returns whether the rules in an at-rule apply to this reader. */
function isOpen(name: string, prelude: string): boolean {
  if (name === "media") return appliesToReader(prelude);
  if (name === "supports") return !/^\s*not\b/i.test(prelude);
  return name === "layer";
}

/** Returns the end of a declaration or of a block's prelude: `;`, `{` or `}` outside of brackets. */
function itemEnd(tokens: readonly CSSToken[], start: number, isTopLevel: boolean): number {
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

function blockEnd(tokens: readonly CSSToken[], start: number): number {
  let open = 0;
  for (let at = start; at < tokens.length; at += 1) {
    const type = tokens[at]?.[0];
    if (type === TokenType.OpenCurly) open += 1;
    else if (type === TokenType.CloseCurly) open -= 1;
    if (open === 0) return at;
  }
  return tokens.length;
}

function opens(type: TokenType | undefined): boolean {
  return (
    type === TokenType.Function || type === TokenType.OpenParen || type === TokenType.OpenSquare
  );
}

/** Resolves nested selectors (CSS Nesting 1): replaces `&`, or adds a descendant combinator. */
function nested(item: CSSToken[], parent: CSSToken[][] | undefined): CSSToken[][] {
  const own = splitAtCommas(item);
  if (parent === undefined) return own;
  const outer = tokensOf(`:is(${parent.map(textOf).join(",")})`);
  const blank = tokensOf(" ");
  return own.map((selector) => {
    const isAmpersand = ([type, source]: CSSToken): boolean =>
      type === TokenType.Delim && source === "&";
    return selector.some(isAmpersand)
      ? selector.flatMap((token) => (isAmpersand(token) ? outer : [token]))
      : [...outer, ...blank, ...selector];
  });
}

function splitAtCommas(tokens: readonly CSSToken[]): CSSToken[][] {
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

function trimmed(tokens: CSSToken[]): CSSToken[] {
  const isText = ([type]: CSSToken): boolean => type !== TokenType.Whitespace;
  return tokens.slice(tokens.findIndex(isText), tokens.findLastIndex(isText) + 1);
}

function addDeclaration(item: CSSToken[], found: Declaration[]): void {
  const [name, ...rest] = item.filter(
    ([type], index) => type !== TokenType.Whitespace || index > 0,
  );
  const colon = rest.findIndex(([type]) => type === TokenType.Colon);
  if (name?.[0] !== TokenType.Ident) return;
  if (colon === -1 || rest.slice(0, colon).some(([type]) => type !== TokenType.Whitespace)) return;
  const given = plainText(rest.slice(colon + 1));
  const value = given.replace(/\s*!\s*important$/, "");
  const own = name[4].value;
  found.push({
    name: own.startsWith("--") ? own : own.toLowerCase(),
    value,
    isImportant: value !== given,
  });
}

/** Tokenises CSS without comments, which separate no tokens. */
function tokensOf(css: string): CSSToken[] {
  const ends = new Set<string>([TokenType.Comment, TokenType.EOF]);
  return tokenize({ css }).filter(([type]) => !ends.has(type));
}

export function textOf(tokens: readonly CSSToken[]): string {
  return tokens.map(([, source]) => source).join("");
}

/** Returns the meaning of tokens in lower case: `N\6fne` is `none`. */
function plainText(tokens: readonly CSSToken[]): string {
  let text = "";
  for (const token of tokens) {
    if (token[0] === TokenType.Whitespace) text += " ";
    else if (token[0] === TokenType.Ident) text += token[4].value;
    else if (token[0] === TokenType.Function) text += `${token[4].value}(`;
    else text += token[1];
  }
  return text.trim().replace(/ +/g, " ").toLowerCase();
}
