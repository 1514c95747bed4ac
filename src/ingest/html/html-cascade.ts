import { type CSSToken, TokenType } from "@csstools/css-tokenizer";
import { compile } from "css-select";
import type { DomNode } from "html-to-text";
import { appliesToReader } from "./css-media.ts";
import { longhands } from "./css-properties.ts";
import { type Declaration, declarationsIn, rulesIn, type StyleRule, textOf } from "./css-rules.ts";
import { childrenOf, type Page } from "./html-page.ts";
import { attributeColour } from "./css-values.ts";
import { mailLimits } from "../pipeline/limits.ts";

/** The winning declarations of an element. Values may contain `var()`. */
export type Declared = ReadonlyMap<string, string>;

export interface Cascade {
  declaredFor(element: DomNode): Declared;
  /** Some style sheets were too large to read in full. */
  readonly isIncomplete: boolean;
}

interface Selector {
  matches: (element: DomNode) => boolean;
  weight: number;
  rule: Said;
}

/** Declarations of a rule or style attribute for properties that can hide text, with and without `!important`. */
interface Said {
  normal: ReadonlyMap<string, string>;
  important: ReadonlyMap<string, string>;
  isLayered: boolean;
}

export function attribute(element: DomNode, name: string): string | undefined {
  // The library's types say `any`.
  const attributes = element.attribs as Readonly<Record<string, unknown>> | undefined;
  const value = attributes?.[name];
  return typeof value === "string" ? value : undefined;
}

/**
 * Creates the cascade, which decides which declarations apply to an element (CSS Cascade 5): by importance, style
 * attribute, specificity and order.
 */
export function cascadeOf(page: Page): Cascade {
  /** Remaining selector comparisons. A real page's style sheets need about ten thousand. */
  let work: number = mailLimits.selectorSteps;
  let isIncomplete = false;
  const byKey = new Map<string, Selector[]>();
  const attributes = new Map<string, Said>();

  const spend = (steps: number): boolean => {
    work -= steps;
    if (work < 0) isIncomplete = true;
    return work >= 0;
  };
  const siblings = (node: DomNode): DomNode[] => node.parent?.children ?? [node];
  const adapter = {
    isTag: (node: DomNode): node is DomNode => node.name !== undefined,
    getAttributeValue: (element: DomNode, name: string) => {
      const value = attribute(element, name);
      return spend(1 + (value?.length ?? 0) / 50) ? value : undefined;
    },
    getChildren: (node: DomNode) => {
      const children = childrenOf(node);
      return spend(children.length) ? children : [];
    },
    getName: ({ name = "" }: DomNode) => name,
    getParent: (node: DomNode) => (spend(1) ? (page.parentOf(node) ?? null) : null),
    getSiblings: (node: DomNode) => {
      const all = siblings(node);
      return spend(all.length) ? all : [];
    },
    getText: () => "",
    hasAttrib: (element: DomNode, name: string) => attribute(element, name) !== undefined,
    removeSubsets: (nodes: DomNode[]) => nodes,
  };

  function add(given: StyleRule, order: number): void {
    const rule = saidBy(given.declarations, given.isLayered);
    if (rule.normal.size + rule.important.size === 0) return;
    const found: [key: string, selector: Selector][] = [];
    for (const tokens of given.selectors) {
      const source = textOf(tokens);
      const facts = factsOf(tokens);
      if (facts === "invalid") return;
      if (facts === "never") continue;
      if (source.length > mailLimits.selectorCharacters) {
        isIncomplete = true;
        return;
      }
      try {
        const matches = compile<DomNode, DomNode>(source, { adapter, relativeSelector: false });
        const weight = facts.specificity * 100_000 + order;
        found.push([facts.key, { matches, weight, rule }]);
      } catch {
        // One invalid selector makes the whole rule invalid (CSS Selectors 4, section 3.9).
        return;
      }
    }
    for (const [key, selector] of found) {
      const others = byKey.get(key);
      if (others === undefined) byKey.set(key, [selector]);
      else others.push(selector);
    }
  }

  const rules = rulesIn(sheetsOf(page.top, () => (isIncomplete = true)));
  if (rules.length > mailLimits.styleRules) isIncomplete = true;
  rules.slice(0, mailLimits.styleRules).forEach(add);

  function ownSaid(element: DomNode): Said {
    const given = attribute(element, "style");
    if (given === undefined) return nothing;
    let own = attributes.get(given);
    if (own === undefined) {
      own = saidBy(declarationsIn(given.slice(0, mailLimits.styleCharacters)), false);
      attributes.set(given, own);
    }
    return own;
  }

  function matching(element: DomNode): Selector[] {
    if (byKey.size === 0 || work < 0) return [];
    const classes = (attribute(element, "class") ?? "").slice(0, 2_000).split(/\s+/);
    const keys = new Set([
      "*",
      element.name ?? "",
      `#${attribute(element, "id") ?? ""}`,
      ...classes.map((name) => `.${name}`),
    ]);
    const found: Selector[] = [];
    for (const key of keys)
      for (const selector of byKey.get(key) ?? [])
        if (spend(1) && selector.matches(element)) found.push(selector);
    const layer = ({ rule }: Selector): number => (rule.isLayered ? 0 : 1);
    return found.sort((a, b) => layer(a) - layer(b) || a.weight - b.weight);
  }

  return {
    get isIncomplete() {
      return isIncomplete;
    },
    declaredFor: (element) => {
      const declared = new Map<string, string>(attributeHints(element));
      const sheets = matching(element).map(({ rule }) => rule);
      const own = ownSaid(element);
      const say = (said: ReadonlyMap<string, string>): void => {
        if (!spend(said.size)) return;
        for (const [name, value] of said) {
          // Moved to the end, because order matters if a variable is used in a shorthand.
          declared.delete(name);
          declared.set(name, value);
        }
      };
      for (const { normal } of sheets) say(normal);
      say(own.normal);
      for (const { important } of sheets) say(important);
      say(own.important);
      return declared;
    },
  };
}

const nothing: Said = { normal: new Map(), important: new Map(), isLayered: false };

function saidBy(declarations: readonly Declaration[], isLayered: boolean): Said {
  const normal = new Map<string, string>();
  const important = new Map<string, string>();
  for (const one of declarations) {
    const said = one.isImportant ? important : normal;
    // A value with `var()` is expanded when the variable is known.
    const [name, value] = [`var ${one.name}`, one.value];
    const longs: [string, string][] = value.includes("var(") ? [[name, value]] : longhands(one);
    for (const [long, given] of longs) {
      said.delete(long);
      said.set(long, given);
    }
  }
  return { normal, important, isLayered };
}

/** Returns the declarations of HTML attributes, which are weaker than any rule. */
function attributeHints(element: DomNode): [string, string][] {
  const hints: [string, string][] = [];
  const isClosed =
    (element.name === "dialog" && attribute(element, "open") === undefined) ||
    attribute(element, "popover") !== undefined;
  if (attribute(element, "hidden") !== undefined || isClosed) hints.push(["display", "none"]);
  const ground = attribute(element, "bgcolor");
  if (ground !== undefined) hints.push(["background-color", attributeColour(ground)]);
  if (attribute(element, "background") !== undefined) hints.push(["background-image", "url()"]);
  const ink =
    element.name === "font"
      ? attribute(element, "color")
      : element.name === "body"
        ? attribute(element, "text")
        : undefined;
  if (ink !== undefined) hints.push(["color", attributeColour(ink)]);
  else if (element.name === "a" && attribute(element, "href") !== undefined)
    hints.push(["color", "#0000ee"]);
  else if (element.name === "mark")
    hints.push(["color", "#000000"], ["background-color", "#ffff00"]);
  return hints.filter(([name, value]) => name !== "color" || value !== "");
}

/** Collects the text of the style sheets that apply to this reader. */
function sheetsOf(root: readonly DomNode[], onTooMuch: () => void): string {
  let sheets = "";
  const open = root.toReversed();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.name === "style" && isForReader(node)) {
      sheets += `${(node.children ?? []).map(({ data }) => data ?? "").join("")}\n`;
      if (sheets.length > mailLimits.sheetCharacters) {
        onTooMuch();
        return sheets.slice(0, mailLimits.sheetCharacters);
      }
    }
    const children = node.name === "template" || node.name === "svg" ? [] : (node.children ?? []);
    for (let at = children.length - 1; at >= 0; at -= 1) {
      const child = children[at];
      if (child !== undefined) open.push(child);
    }
  }
  return sheets;
}

function isForReader(style: DomNode): boolean {
  const type = (attribute(style, "type") ?? "").trim().toLowerCase();
  return (type === "" || type === "text/css") && appliesToReader(attribute(style, "media") ?? "");
}

/** Selectors that depend on what a reader does, or that match no element. */
const never =
  /^(?:hover|active|focus|focus-within|focus-visible|visited|target|target-within|checked|autofill|fullscreen|playing|popover-open|modal|before|after|first-line|first-letter|-(?:webkit|moz|ms|o)-.*)$/;
const known =
  /^(?:first-child|last-child|only-child|first-of-type|last-of-type|only-of-type|nth-child|nth-last-child|nth-of-type|nth-last-of-type|empty|root|not|is|where|has|link|any-link|matches|scope|enabled|disabled|required|optional)$/;

/**
 * Returns an index entry for a selector: the required element name and the specificity, or the reason for having none.
 */
function factsOf(
  tokens: readonly CSSToken[],
): { key: string; specificity: number } | "never" | "invalid" {
  let key = "*";
  let ids = 0;
  let classes = 0;
  let types = 0;
  let depth = 0;
  let whereDepth = Infinity;
  for (const [index, token] of tokens.entries()) {
    const [type] = token;
    const before = tokens[index - 1];
    const after = (sign: string): boolean => before?.[0] === TokenType.Delim && before[1] === sign;
    const counts = depth < whereDepth ? 1 : 0;
    if (type === TokenType.Delim && token[1] === "!") return "invalid";
    if (
      before?.[0] === TokenType.Colon &&
      (type === TokenType.Ident || type === TokenType.Function)
    ) {
      const name = token[4].value.toLowerCase();
      const isElement = tokens[index - 2]?.[0] === TokenType.Colon;
      // In brackets it may be negated.
      if (depth === 0 && (isElement || never.test(name))) return "never";
      if (!known.test(name) && !never.test(name)) return "invalid";
      if (type === TokenType.Function && name === "where") whereDepth = depth + 1;
      else if (!["is", "not", "has", "matches"].includes(name)) classes += counts;
    } else if (type === TokenType.Hash) {
      ids += counts;
      if (depth === 0) key = `#${token[4].value}`;
    } else if (type === TokenType.Ident && depth === 0 && after(".")) {
      classes += counts;
      if (!key.startsWith("#")) key = `.${token[4].value}`;
    } else if (type === TokenType.Ident && !after(".")) {
      types += counts;
      if (depth === 0) key = token[4].value.toLowerCase();
    } else if (type === TokenType.Ident) classes += counts;
    else if (depth === 0 && (type === TokenType.Whitespace || type === TokenType.Delim)) {
      if (type === TokenType.Whitespace || ">+~".includes(token[1])) key = "*";
    }
    if (type === TokenType.Function || type === TokenType.OpenParen) depth += 1;
    else if (type === TokenType.OpenSquare) {
      classes += counts;
      depth += 1;
      whereDepth = Math.min(whereDepth, depth);
    } else if (type === TokenType.CloseParen || type === TokenType.CloseSquare) {
      if (depth === whereDepth) whereDepth = Infinity;
      depth -= 1;
    }
  }
  if (tokens.length === 0) return "invalid";
  const clamped = (count: number): number => Math.min(count, 99);
  return { key, specificity: clamped(ids) * 10_000 + clamped(classes) * 100 + clamped(types) };
}
