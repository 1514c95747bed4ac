import { type CSSToken, TokenType } from "@csstools/css-tokenizer";
import { type Keyframe, keyframeOf } from "./keyframes.ts";
import { type Layers, layers } from "./layers.ts";
import { appliesToReader, isSupported } from "./media.ts";
import type { Declaration } from "./properties.ts";
import { mailLimits } from "../pipeline/limits.ts";
import { type Registered, registeredBy } from "./registered.ts";
import { inScope, type StyleScope, scopeOf } from "./scope.ts";
import { shareOf } from "./values.ts";
import { itemEnd, splitAtCommas, textOf, tokensOf, trimmed } from "./tokens.ts";

/** A list of selectors, each as its tokens, with its declarations. */
export interface StyleRule {
  selectors: CSSToken[][];
  declarations: Declaration[];
  /** The path of the rule's layer. Empty outside of layers. */
  layer: string;
  /** The selector of the roots of its scope. Of equal rules, the one with the nearer root counts. */
  root: string | undefined;
  /** The conditions of the containers around it. */
  containers: readonly string[];
}

/** The content of the style sheets that applies to a common reader. */
export interface Sheet {
  /** In their order. */
  rules: StyleRule[];
  keyframes: Map<string, Keyframe[]>;
  /** The names of fonts that are declared with unreadably small letters. */
  tinyFonts: Set<string>;
  /** The custom properties that are declared, by their names in lower case. */
  registered: Map<string, Registered>;
  layers: Layers;
  /** True if rules are applied whose conditions depend on the layout. */
  applies: boolean;
  /** True if such rules were read. */
  isUndecided: boolean;
  /** True if selectors became too long to be read. */
  isIncomplete: boolean;
  /** Characters that the selectors of nested rules may still have. */
  left: number;
}

/** Deepest nesting of blocks that is read. Real sheets are flatter. */
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
 * @param applies true if rules apply whose conditions depend on a layout
 */
export function sheetIn(css: string, applies = false): Sheet {
  const sheet: Sheet = {
    rules: [],
    keyframes: new Map(),
    tinyFonts: new Set(),
    registered: new Map(),
    layers: layers(),
    applies,
    isUndecided: false,
    isIncomplete: false,
    left: mailLimits.nestedCharacters,
  };
  const marks = new Set<string>([TokenType.CDO, TokenType.CDC]);
  const tokens = tokensOf(css).filter(([type]) => !marks.has(type));
  readBlock(tokens, top, sheet, []);
  return sheet;
}

interface Place {
  at: number;
  depth: number;
  scope: StyleScope | undefined;
  containers: readonly string[];
  /** The selectors of the rule that contains this block. */
  parent: CSSToken[][] | undefined;
  layer: string;
}

const top: Place = {
  at: 0,
  depth: 0,
  scope: undefined,
  containers: [],
  parent: undefined,
  layer: "",
};

/** Reads up to the end of a block and returns its offset. */
function readBlock(
  tokens: readonly CSSToken[],
  place: Place,
  sheet: Sheet,
  own: Declaration[],
): number {
  const { depth, parent, layer, containers } = place;
  let { at } = place;
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
    const scope = rule === "scope" ? scopeOf(prelude) : place.scope;
    if (!isAtRule && !isShort(item, place, sheet)) continue;
    const inner: Place = {
      at: 0,
      depth: depth + 1,
      scope,
      containers: rule === "container" ? [...containers, textOf(prelude)] : containers,
      parent: rule === "scope" ? scope?.roots : isAtRule ? parent : nested(item, place),
      layer: rule === "layer" ? sheet.layers.open(layer, textOf(trimmed(prelude))) : layer,
    };
    const declarations: Declaration[] = [];
    const first = sheet.rules.length;
    readBlock(block, inner, sheet, declarations);
    if (inner.parent !== undefined && declarations.length > 0)
      sheet.rules.splice(first, 0, {
        selectors: inner.parent,
        declarations,
        layer: inner.layer,
        root: inner.scope?.root,
        containers: inner.containers,
      });
  }
  return at;
}

/** Common text with a smaller `size-adjust` is unreadable. */
const leastAdjusted = 0.2;

/** Returns the first font of a list. */
export function familyIn(fonts: string): string {
  return (fonts.split(",", 1)[0] ?? "").trim().replace(/^["']|["']$/g, "");
}

/**
 * Reads `@keyframes`, `@font-face` and `@property`, which contain values and no rules. Returns false for other
 * at-rules.
 */
function readValues(
  rule: string,
  prelude: CSSToken[],
  block: readonly CSSToken[],
  { registered, keyframes, tinyFonts }: Sheet,
): boolean {
  const name = plainText(prelude);
  if (rule === "font-face") {
    const font = new Map(declarationsOf(block).map((one) => [one.name, one.value]));
    if (shareOf(font.get("size-adjust")) < leastAdjusted)
      tinyFonts.add(familyIn(font.get("font-family") ?? ""));
    return true;
  }
  if (rule === "property") {
    const said = new Map(declarationsOf(block).map((one) => [one.name, one.value]));
    const declared = registeredBy(said);
    if (declared !== undefined) registered.set(textOf(prelude).trim().toLowerCase(), declared);
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
    // Programs without this rule drop its block.
    sheet.isUndecided = true;
    return sheet.applies;
  }
  return name === "layer" || name === "scope";
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

/**
 * Returns whether the selectors of a nested rule are short enough. A browser replaces each `&` by all selectors around
 * it, so that a few characters could become millions.
 */
function isShort(item: readonly CSSToken[], { parent, scope }: Place, sheet: Sheet): boolean {
  const own = splitAtCommas(item);
  const outer = parent === undefined ? 0 : lengthOf(parent) + 5;
  const uses = item.filter((token) => isParent(token) || textOf([token]) === "scope").length;
  const added = scope === undefined ? 0 : textOf(scope.condition).length;
  const length = lengthOf(own) + (uses + own.length) * outer + own.length * added;
  if (outer + added > 0) sheet.left -= length;
  if (sheet.left >= 0 && length / own.length <= mailLimits.selectorCharacters) return true;
  sheet.isIncomplete = true;
  return false;
}

const lengthOf = (selectors: readonly CSSToken[][]): number =>
  selectors.reduce((all, one) => all + textOf(one).length + 1, 0);

/** Resolves nested selectors (CSS Nesting 1): replaces `&` and `:scope`, or adds a descendant combinator. */
function nested(item: CSSToken[], { parent, scope }: Place): CSSToken[][] {
  const own = splitAtCommas(item);
  // Outside of rules `&` is the root of the page (section 3.2).
  if (parent === undefined)
    return own.map((selector) =>
      selector.flatMap((token) => (isParent(token) ? tokensOf(":root") : [token])),
    );
  // The roots of a scope do not add specificity.
  const how = parent === scope?.roots ? "where" : "is";
  const outer = tokensOf(`:${how}(${parent.map(textOf).join(",")})`);
  const blank = tokensOf(" ");
  const isScope = (token: CSSToken | undefined): boolean =>
    token?.[0] === TokenType.Ident && token[4].value.toLowerCase() === "scope";
  return own.map((selector) => {
    const parts = selector.map((token, at) => {
      if (token[0] === TokenType.Colon && isScope(selector[at + 1])) return outer;
      if (isScope(token) && selector[at - 1]?.[0] === TokenType.Colon) return [];
      return isParent(token) ? outer : [token];
    });
    const whole = parts.includes(outer) ? parts.flat() : [...outer, ...blank, ...selector];
    return scope === undefined ? whole : inScope(whole, scope);
  });
}

function isParent([type, source]: CSSToken): boolean {
  return type === TokenType.Delim && source === "&";
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

/** Returns the text of tokens without escapes, in lower case: `N\6fne` is `none`. */
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
