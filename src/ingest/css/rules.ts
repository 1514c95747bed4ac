import { type CSSToken, tokenize, TokenType } from "@csstools/css-tokenizer";
import { type Keyframe, keyframeOf } from "./keyframes.ts";
import { initialLayer, type Layers, layers } from "./layers.ts";
import { appliesToContainer, appliesToReader, isSupported } from "./media.ts";
import type { Declaration } from "./properties.ts";
import { shareOf } from "./values.ts";

/** A list of selectors, each as its tokens, with its declarations. */
export interface StyleRule {
  selectors: CSSToken[][];
  declarations: Declaration[];
  /** The path of the rule's layer. Empty outside of layers. */
  layer: string;
}

/** The content of the style sheets that applies to a common reader. */
export interface Sheet {
  /** In their order. */
  rules: StyleRule[];
  keyframes: Map<string, Keyframe[]>;
  /** The names of fonts that are declared with unreadably small letters. */
  tinyFonts: Set<string>;
  layers: Layers;
  /** Whether rules apply whose conditions depend on a layout. */
  applies: boolean;
  /** Such rules were read. */
  isUndecided: boolean;
}

/** Nested blocks that are read. Rule nesting is new, and real sheets are flatter. */
const nesting = 8;

/** Parses the declarations of a style attribute (CSS Syntax 3, section 5). Never throws. */
export function declarationsIn(style: string): Declaration[] {
  return declarationsOf(tokensOf(style));
}

function declarationsOf(tokens: readonly CSSToken[]): Declaration[] {
  const found: Declaration[] = [];
  for (let at = 0; at < tokens.length;) {
    const end = itemEnd(tokens, at, false);
    addDeclaration(tokens.slice(at, end), found);
    at = end + 1;
  }
  return found;
}

/**
 * Parses a style sheet. Never throws.
 * @param applies whether rules apply whose conditions depend on a layout
 */
export function sheetIn(css: string, applies = false): Sheet {
  const sheet: Sheet = {
    rules: [],
    keyframes: new Map(),
    tinyFonts: new Set(),
    layers: layers(),
    applies,
    isUndecided: false,
  };
  const marks = new Set<string>([TokenType.CDO, TokenType.CDC]);
  const tokens = tokensOf(css).filter(([type]) => !marks.has(type));
  readBlock(tokens, { at: 0, depth: 0, parent: undefined, layer: "" }, sheet, []);
  return sheet;
}

interface Place {
  at: number;
  depth: number;
  /** The selectors of the rule that contains this block. */
  parent: CSSToken[][] | undefined;
  layer: string;
}

/** Reads up to the end of a block and returns its offset. */
function readBlock(
  tokens: readonly CSSToken[],
  { at, depth, parent, layer }: Place,
  sheet: Sheet,
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
    const [name, ...prelude] = item;
    const rule = isAtRule && name?.[0] === TokenType.AtKeyword ? name[4].value.toLowerCase() : "";
    if (tokens[end]?.[0] !== TokenType.OpenCurly) {
      if (rule === "layer")
        for (const one of splitAtCommas(prelude)) sheet.layers.open(layer, textOf(one));
      if (!isAtRule && parent !== undefined) addDeclaration(item, own);
      if (tokens[end]?.[0] === TokenType.CloseCurly) at = end;
      continue;
    }
    const close = blockEnd(tokens, end);
    at = close + 1;
    const block = tokens.slice(end + 1, close);
    if (isAtRule && readValues(rule, prelude, block, sheet)) continue;
    if (depth >= nesting || (isAtRule && !isOpen(rule, textOf(prelude), sheet))) continue;
    const inner: Place = {
      at: 0,
      depth: depth + 1,
      parent: rule === "scope" ? scopeOf(prelude) : isAtRule ? parent : nested(item, parent),
      layer: rule === "layer" ? sheet.layers.open(layer, textOf(trimmed(prelude))) : layer,
    };
    const declarations: Declaration[] = [];
    const place = sheet.rules.length;
    readBlock(block, inner, sheet, declarations);
    if (inner.parent !== undefined && declarations.length > 0)
      sheet.rules.splice(place, 0, {
        selectors: inner.parent,
        declarations,
        layer: inner.layer,
      });
  }
  return at;
}

/** Common text in a font of this size is unreadable. */
const leastAdjusted = 0.2;

/** Returns the first font of a list. */
export function familyIn(fonts: string): string {
  return (fonts.split(",", 1)[0] ?? "").trim().replace(/^["']|["']$/g, "");
}

/** Reads `@keyframes`, `@font-face` and `@property`, which have values and no rules. Returns false for other at-rules. */
function readValues(
  rule: string,
  prelude: CSSToken[],
  block: readonly CSSToken[],
  { rules, keyframes, tinyFonts }: Sheet,
): boolean {
  const name = plainText(prelude);
  if (rule === "font-face") {
    const font = new Map(declarationsOf(block).map((one) => [one.name, one.value]));
    if (shareOf(font.get("size-adjust")) < leastAdjusted)
      tinyFonts.add(familyIn(font.get("font-family") ?? ""));
    return true;
  }
  if (rule === "property") {
    const value = declarationsOf(block).find((one) => one.name === "initial-value")?.value;
    const given: Declaration = {
      name: textOf(prelude).trim(),
      value: value ?? "",
      isImportant: false,
    };
    if (value !== undefined)
      rules.push({ selectors: [tokensOf("html")], declarations: [given], layer: initialLayer });
    return true;
  }
  if (!/^(?:-[a-z]+-)?keyframes$/.test(rule)) return false;
  const frames: Keyframe[] = [];
  for (let at = 0; at < block.length;) {
    const open = itemEnd(block, at, true);
    const close = blockEnd(block, open);
    frames.push(
      ...keyframeOf(textOf(block.slice(at, open)), declarationsOf(block.slice(open + 1, close))),
    );
    at = close + 1;
  }
  keyframes.set(name.replace(/^["']|["']$/g, ""), frames);
  return true;
}

/** Returns the selectors of the roots of a scope. Undefined for the whole page. */
function scopeOf(prelude: CSSToken[]): CSSToken[][] | undefined {
  const start = prelude.findIndex(([type]) => type === TokenType.OpenParen);
  let open = 0;
  const length = prelude.slice(start).findIndex(([type]) => {
    if (opens(type)) open += 1;
    else if (type === TokenType.CloseParen || type === TokenType.CloseSquare) open -= 1;
    return open === 0;
  });
  return start === -1 ? undefined : splitAtCommas(prelude.slice(start + 1, start + length));
}

/** Returns whether the rules in an at-rule apply to this reader. */
function isOpen(name: string, prelude: string, sheet: Sheet): boolean {
  if (name === "media") return appliesToReader(prelude);
  if (name === "supports") {
    // Newer browsers know more properties.
    const isSettled = isSupported(prelude, true) === isSupported(prelude, false);
    if (isSettled) return isSupported(prelude);
    sheet.isUndecided = true;
    return sheet.applies;
  }
  if (name === "container") {
    // Whether there is such a container, and what its style is, depends on the layout.
    const isPossible = appliesToContainer(prelude) || /\b(?:style|scroll-state)\(/i.test(prelude);
    if (isPossible) sheet.isUndecided = true;
    return isPossible && sheet.applies;
  }
  return name === "layer" || name === "scope";
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

/** Resolves nested selectors (CSS Nesting 1): replaces `&` and `:scope`, or adds a descendant combinator. */
function nested(item: CSSToken[], parent: CSSToken[][] | undefined): CSSToken[][] {
  const own = splitAtCommas(item);
  // Outside of rules `&` is the root of the page (section 3.2).
  if (parent === undefined)
    return own.map((selector) =>
      selector.flatMap((token) => (isParent(token) ? tokensOf(":root") : [token])),
    );
  const outer = tokensOf(`:is(${parent.map(textOf).join(",")})`);
  const blank = tokensOf(" ");
  const isScope = (token: CSSToken | undefined): boolean =>
    token?.[0] === TokenType.Ident && token[4].value.toLowerCase() === "scope";
  return own.map((selector) => {
    const parts = selector.map((token, at) => {
      if (token[0] === TokenType.Colon && isScope(selector[at + 1])) return outer;
      if (isScope(token) && selector[at - 1]?.[0] === TokenType.Colon) return [];
      return isParent(token) ? outer : [token];
    });
    return parts.includes(outer) ? parts.flat() : [...outer, ...blank, ...selector];
  });
}

function isParent([type, source]: CSSToken): boolean {
  return type === TokenType.Delim && source === "&";
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
  let last: TokenType | undefined;
  for (const token of tokens) {
    // Words with a comment between them are two words.
    if (token[0] === TokenType.Ident && last === TokenType.Ident) text += " ";
    last = token[0];
    if (token[0] === TokenType.Whitespace) text += " ";
    else if (token[0] === TokenType.Ident) text += token[4].value;
    else if (token[0] === TokenType.Function) text += `${token[4].value}(`;
    else text += token[1];
  }
  return text.trim().replace(/ +/g, " ").toLowerCase();
}
