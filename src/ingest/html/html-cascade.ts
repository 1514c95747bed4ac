import { type CSSToken, TokenType } from "@csstools/css-tokenizer";
import { compile } from "css-select";
import type { DomNode } from "html-to-text";
import { type Declaration, longhands } from "./css-properties.ts";
import { animatedValues } from "./css-keyframes.ts";
import { declarationsIn, sheetIn, type StyleRule, textOf } from "./css-rules.ts";
import { attributeHints } from "./html-hints.ts";
import { attribute, childrenOf, type Page } from "./html-page.ts";
import { sheetsOf } from "./html-sheets.ts";
import { mailLimits } from "../pipeline/limits.ts";

/** The winning declarations of an element. Values may contain `var()`. */
export type Declared = ReadonlyMap<string, string>;

export interface Cascade {
  declaredFor(element: DomNode): Declared;
  /** Some style sheets were too large to read in full. */
  readonly isIncomplete: boolean;
  /** Some rules apply in certain programs or layouts only, so that the page has to be read in both ways. */
  readonly isUndecided: boolean;
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
  /** The rank of the rule's layer. */
  layer: number;
}

/**
 * Creates the cascade, which decides which declarations apply to an element (CSS Cascade 5): by importance, style
 * attribute, specificity and order.
 * @param applies whether conditions that cannot be decided here are true
 */
export function cascadeOf(page: Page, applies = false): Cascade {
  /** Remaining selector comparisons. A real page's style sheets need about ten thousand. */
  let work: number = mailLimits.selectorSteps;
  let isIncomplete = false;
  let longStyles: number = mailLimits.sheetCharacters;
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

  let isUndecided = false;
  const pseudos = pseudosOf(spend, () => {
    isUndecided = true;
    return applies;
  });

  function add(given: StyleRule, order: number): void {
    const rule = saidBy(given.declarations, ranks.get(given.layer) ?? 0);
    if (rule.normal.size + rule.important.size === 0) return;
    const found: [key: string, selector: Selector][] = [];
    for (const whole of given.selectors) {
      const tokens = withoutFirstLine(whole);
      const source = textOf(tokens).replace(namespace, "$1");
      const facts = factsOf(tokens);
      if (facts === "invalid") return;
      if (facts === "never") continue;
      if (source.length > mailLimits.selectorCharacters) {
        isIncomplete = true;
        return;
      }
      try {
        const matches = compile<DomNode, DomNode>(source, {
          adapter,
          pseudos,
          relativeSelector: false,
        });
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

  const sheet = sheetIn(
    sheetsOf(page.top, () => (isIncomplete = true)),
    applies,
  );
  const { rules, keyframes, layers } = sheet;
  const ranks = layers.ranks();
  if (rules.length > mailLimits.styleRules) isIncomplete = true;
  rules.slice(0, mailLimits.styleRules).forEach(add);

  /** Returns how much of a style attribute is read. All long ones share a limit. */
  function room(length: number): number {
    if (length <= mailLimits.styleCharacters) return length;
    if (length > longStyles) isIncomplete = true;
    longStyles -= length;
    return Math.max(0, longStyles + length);
  }

  function ownSaid(element: DomNode): Said {
    const given = attribute(element, "style");
    if (given === undefined) return nothing;
    const own =
      attributes.get(given) ?? saidBy(declarationsIn(given.slice(0, room(given.length))), 0);
    attributes.set(given, own);
    return own;
  }

  function matching(element: DomNode): Selector[] {
    if (byKey.size === 0 || work < 0) return [];
    const classes = (attribute(element, "class") ?? "").split(/\s+/);
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
    return found.sort((a, b) => a.weight - b.weight);
  }

  return {
    get isIncomplete() {
      return isIncomplete;
    },
    get isUndecided() {
      return isUndecided || sheet.isUndecided;
    },
    declaredFor: (element) => {
      const declared = new Map<string, string>(attributeHints(element, page));
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
      // Important declarations of an earlier layer override those of a later one.
      const layered = sheets.toSorted((a, b) => a.layer - b.layer);
      const reversed = sheets.toSorted((a, b) => b.layer - a.layer);
      for (const { normal } of layered) say(normal);
      say(own.normal);
      if (keyframes.size > 0) say(animatedValues(declared, keyframes, spend));
      for (const { important } of reversed) say(important);
      say(own.important);
      return declared;
    },
  };
}

const namespace = /(^|[\s>+~,(])\*?\|(?!=)/g;

/** Returns the selector of the element whose first line a selector means. Short text has one line. */
function withoutFirstLine(tokens: CSSToken[]): CSSToken[] {
  const last = tokens.at(-1);
  if (last?.[0] !== TokenType.Ident || last[4].value.toLowerCase() !== "first-line") return tokens;
  const end = tokens.findLastIndex(
    ([type], at) => type !== TokenType.Colon && at < tokens.length - 1,
  );
  return end === -1 ? tokens : tokens.slice(0, end + 1);
}

type Spend = (steps: number) => boolean;
type Pseudo = (element: DomNode, value?: string | null) => boolean;

/** The states that a reader causes never apply. */
const states: Record<string, Pseudo> = Object.fromEntries(
  "target target-within focus-within focus-visible autofill fullscreen playing popover-open modal"
    .split(" ")
    .map((name) => [name, () => false]),
);

/** Pseudo-classes that depend on a program or on the content of a form. */
const undecided =
  "default indeterminate valid invalid user-valid user-invalid in-range out-of-range blank muted paused seeking stalled buffering current past future local-link heading".split(
    " ",
  );

/** The matcher knows fields alone. */
const writable = ":is([contenteditable],:is(input,textarea):not([readonly],[disabled]))";

/** Returns the pseudo-classes that the matcher lacks. */
function pseudosOf(spend: Spend, either: Pseudo): Record<string, Pseudo | string> {
  const has = (element: DomNode, name: string): boolean => attribute(element, name) !== undefined;
  /** Returns an inherited attribute in lower case. */
  const nearest = (element: DomNode, name: string): string => {
    for (let at: DomNode | null | undefined = element; at && spend(1); at = at.parent) {
      const value = attribute(at, name);
      if (value !== undefined) return value.trim().toLowerCase();
    }
    return "";
  };
  return {
    ...states,
    ...Object.fromEntries(undecided.map((name) => [name, either])),
    empty: (element) =>
      childrenOf(element).every(({ type, data }) => type !== "tag" && (data ?? "") === ""),
    defined: ({ name }) => !(name ?? "").includes("-"),
    open: (element) => has(element, "open"),
    "placeholder-shown": (element) =>
      isField(element) && has(element, "placeholder") && (attribute(element, "value") ?? "") === "",
    "read-write": writable,
    "read-only": `:not(${writable})`,
    lang: (element, value) => {
      const own = nearest(element, "lang");
      const isIn = (range: string): boolean =>
        range === "*" ? own !== "" : own === range || own.startsWith(`${range}-`);
      return (value ?? "")
        .toLowerCase()
        .split(",")
        .some((range) => spend(1) && isIn(range.trim().replace(/^["']|["']$/g, "")));
    },
    dir: (element, value) => (nearest(element, "dir") || "ltr") === value?.trim().toLowerCase(),
  };
}

function isField({ name }: DomNode): boolean {
  return name === "input" || name === "textarea";
}

const nothing: Said = { normal: new Map(), important: new Map(), layer: 0 };

function saidBy(declarations: readonly Declaration[], layer: number): Said {
  const normal = new Map<string, string>();
  const important = new Map<string, string>();
  for (const one of declarations) {
    const said = one.isImportant ? important : normal;
    // A value with `var()` is expanded when the variable is known.
    const [name, value] = [`var ${one.name}`, inEnvironment(one.value)];
    const longs: [string, string][] = value.includes("var(")
      ? [[name, value]]
      : longhands({ ...one, value });
    for (const [long, given] of longs) {
      said.delete(long);
      said.set(long, given);
    }
  }
  return { normal, important, layer };
}

/** Replaces `env()` by its values on a computer: no unsafe edges, and fallbacks for unknown names. */
function inEnvironment(value: string): string {
  return value.replace(/\benv\(([^(),]*)(?:,([^()]*))?\)/g, (_, name: string, other = "") =>
    /^\s*(?:safe-area-inset|keyboard-inset)-/.test(name) ? "0px" : String(other).trim(),
  );
}

/** Selectors that depend on what a reader does, or that match no element. */
const never =
  /^(?:hover|active|focus|focus-within|focus-visible|visited|target|target-within|autofill|fullscreen|playing|popover-open|modal|before|after|first-letter|-(?:webkit|moz|ms|o)-.*)$/;
const known =
  /^(?:first-child|last-child|only-child|first-of-type|last-of-type|only-of-type|nth-child|nth-last-child|nth-of-type|nth-last-of-type|empty|root|not|is|where|has|link|any-link|matches|scope|enabled|disabled|required|optional|checked|lang|dir|defined|open|placeholder-shown|read-only|read-write)$/;

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
      if (!known.test(name) && !never.test(name) && !undecided.includes(name)) return "invalid";
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
