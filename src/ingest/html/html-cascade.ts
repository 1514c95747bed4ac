import { compile } from "css-select";
import type { DomNode } from "html-to-text";
import { type Declaration, longhands } from "../css/properties.ts";
import { animatedValues } from "../css/keyframes.ts";
import { type Added, addedBy, factsOf, forgiven, namespace, pseudosOf } from "../css/selectors.ts";
import { declarationsIn, familyIn, sheetIn, type StyleRule } from "../css/rules.ts";
import { textOf } from "../css/tokens.ts";
import { quirkyValue, resetNames, tableStyle } from "../css/quirks.ts";
import { containersOf } from "../css/containers.ts";
import { type Declared, noVariables, type Variables } from "../css/variables.ts";
import { attributeHints } from "./html-hints.ts";
import { attribute, childrenOf, type Page } from "./html-page.ts";
import { sheetsOf } from "./html-sheets.ts";
import { mailLimits } from "../pipeline/limits.ts";

export interface Cascade {
  declaredFor(element: DomNode): Declared;
  /** Returns the declarations of a box that a style sheet adds to an element. Undefined if there is none. */
  declaredForAdded(element: DomNode, added: Added): Declared | undefined;
  /** The variables that apply to the whole page. */
  readonly variables: Variables;
  /** Some style sheets were too large to read in full. */
  readonly isIncomplete: boolean;
  /** Some rules apply only in certain programs or layouts, so that the page must be read in both ways. */
  readonly isUndecided: boolean;
}

interface Selector {
  matches: (element: DomNode) => boolean;
  specificity: number;
  order: number;
  /** Returns whether an element is a root of the rule's scope. Undefined without a scope. */
  isRoot: ((element: DomNode) => boolean) | undefined;
  rule: Said;
  added: Added | undefined;
}

/** Declarations of a rule or style attribute for properties that can hide text, with and without `!important`. */
interface Said {
  normal: ReadonlyMap<string, string>;
  important: ReadonlyMap<string, string>;
  /** The rank of the rule's layer. */
  layer: number;
}

/**
 * Creates the cascade, which determines the declarations of an element (CSS Cascade 5) by importance, style attribute,
 * specificity and order.
 * @param applies true if conditions that cannot be decided here count as true
 * @param isQuirks true for quirks mode: classes and ids ignore case, and lengths need no unit
 */
export function cascadeOf(page: Page, applies = false, isQuirks = false): Cascade {
  /** Remaining selector comparisons. The style sheets of a real page need about ten thousand. */
  let work: number = mailLimits.selectorSteps;
  let isIncomplete = false;
  let isUndecided = false;
  let longStyles: number = mailLimits.sheetCharacters;
  const byKey = new Map<string, Selector[]>();
  /** The boxes that rules add. */
  const additions = new Set<Added>();
  const attributes = new Map<string, Said>();

  let bodyColour: string | undefined;
  /** Elements with styles that tables in them do not inherit. */
  const styled = new WeakSet<DomNode>();
  const isRelaxed = isQuirks && applies;
  const keyOf = (name: string): string => (isRelaxed ? name.toLowerCase() : name);
  const spend = (steps: number): boolean => {
    work -= steps;
    if (work < 0) isIncomplete = true;
    return work >= 0;
  };
  /**
   * Changes declarations as browsers do in quirks mode. Other programs put a page without a document type into one that
   * has one.
   */
  function relaxed(declarations: readonly Declaration[]): readonly Declaration[] {
    if (!isQuirks) return declarations;
    return declarations.map((one) => {
      const value = quirkyValue(one);
      if (value === one.value) return one;
      isUndecided = true;
      return isRelaxed ? { ...one, value } : one;
    });
  }

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

  const pseudos = pseudosOf(spend, () => {
    isUndecided = true;
    return applies;
  });

  const selecting = { adapter, pseudos, relativeSelector: false, quirksMode: isRelaxed };

  function add(given: StyleRule, order: number): void {
    const rule = saidBy(relaxed(withFonts(given.declarations)), ranks.get(given.layer) ?? 0);
    if (rule.normal.size + rule.important.size === 0) return;
    const found: [key: string, selector: Selector][] = [];
    for (const whole of given.selectors) {
      const { tokens, added } = addedBy(forgiven(whole));
      const source = textOf(tokens).replace(namespace, "$1");
      const facts = factsOf(tokens);
      if (isQuirks && /[.#][^\s>+~,]*[A-Z]/.test(source)) isUndecided = true;
      if (facts === "invalid") return;
      if (facts === "never") continue;
      if (source.length > mailLimits.selectorCharacters) {
        isIncomplete = true;
        return;
      }
      try {
        const matches = compile<DomNode, DomNode>(source, selecting);
        const isRoot =
          given.root === undefined ? undefined : compile<DomNode, DomNode>(given.root, selecting);
        const { specificity } = facts;
        found.push([keyOf(facts.key), { matches, specificity, order, isRoot, rule, added }]);
      } catch {
        // One invalid selector makes the whole rule invalid (CSS Selectors 4, section 3.9).
        return;
      }
    }
    for (const [key, selector] of found) {
      if (selector.added !== undefined) additions.add(selector.added);
      const others = byKey.get(key);
      if (others === undefined) byKey.set(key, [selector]);
      else others.push(selector);
    }
  }

  const sheet = sheetIn(
    sheetsOf(page.top, () => (isIncomplete = true)),
    applies,
  );
  const { rules, keyframes, layers, registered, tinyFonts } = sheet;
  const ranks = layers.ranks();
  if (rules.length > mailLimits.styleRules || sheet.isIncomplete) isIncomplete = true;
  const isOpen = rules.some(({ containers }) => containers.length > 0)
    ? containersOf(
        [...rules.map(({ declarations }) => declarations), ...stylesIn(page.top)],
        registered,
      )
    : () => true;
  rules
    .slice(0, mailLimits.styleRules)
    .filter(({ containers }) => containers.every(isOpen))
    .forEach(add);

  /** Adds the size of the letters that a page's own font declares. */
  function withFonts(declarations: readonly Declaration[]): readonly Declaration[] {
    if (tinyFonts.size === 0) return declarations;
    const isTiny = ({ name, value }: Declaration): boolean =>
      (name === "font-family" && tinyFonts.has(familyIn(value))) ||
      (name === "font" && tinyFonts.has(familyIn(value.replace(/^.*[\d%a-z]\s+/, ""))));
    return declarations.flatMap((one) =>
      isTiny(one) ? [one, { ...one, name: "font-size-adjust", value: "0" }] : [one],
    );
  }

  /** Returns how many characters of a style attribute are read. All long ones share a limit. */
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
      attributes.get(given) ??
      saidBy(relaxed(withFonts(declarationsIn(given.slice(0, room(given.length))))), 0);
    attributes.set(given, own);
    return own;
  }

  function matching(element: DomNode, added?: Added): Selector[] {
    if (byKey.size === 0 || work < 0) return [];
    const names = `${attribute(element, "class") ?? ""} ${attribute(element, "id") ?? ""}`;
    if (isQuirks && /[A-Z]/.test(names)) isUndecided = true;
    const classes = (attribute(element, "class") ?? "").split(/\s+/);
    const keys = new Set([
      "*",
      element.name ?? "",
      `#${attribute(element, "id") ?? ""}`,
      ...classes.map((name) => `.${name}`),
    ]);
    const found: Selector[] = [];
    for (const key of keys)
      for (const selector of byKey.get(keyOf(key)) ?? [])
        if (selector.added === added && spend(1) && selector.matches(element)) found.push(selector);
    const hops = new Map(found.map((selector) => [selector, hopsToRoot(selector, element)]));
    return found.sort(
      (a, b) =>
        a.specificity - b.specificity ||
        Number(hops.get(b)) - Number(hops.get(a)) ||
        a.order - b.order,
    );
  }

  /** Counts the elements up to the root of a rule's scope (CSS Cascade 6, section 2.1). */
  function hopsToRoot({ isRoot }: Selector, element: DomNode): number {
    const most = Number.MAX_SAFE_INTEGER;
    if (isRoot === undefined) return most;
    let hops = 0;
    for (let at: DomNode | undefined = element; at !== undefined; at = page.parentOf(at)) {
      if (!spend(1)) return most;
      if (isRoot(at)) return hops;
      hops += 1;
    }
    return most;
  }

  /** Applies rules and a style attribute to the weaker declarations of an element. */
  function winning(declared: Map<string, string>, rules: readonly Selector[], own: Said): Declared {
    const sheets = rules.map(({ rule }) => rule);
    const say = (said: ReadonlyMap<string, string>): void => {
      if (!spend(said.size)) return;
      for (const [name, value] of said) {
        // The value of an earlier layer or rule remains.
        if (value === "revert-layer" && declared.has(name)) continue;
        // Inserted at the end again, because the order matters if a shorthand uses a variable.
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
  }

  /** Returns the initial values of a table in quirks mode, in which it inherits nothing from most boxes. */
  function resetIn(element: DomNode): (readonly [string, string])[] {
    if (!isQuirks || element.name !== "table" || !isInStyled(element)) return [];
    isUndecided = true;
    if (!isRelaxed) return [];
    const { body } = page;
    bodyColour ??=
      winning(new Map(attributeHints(body, page)), matching(body), ownSaid(body)).get("color") ??
      "#000000";
    return [...tableStyle, ["color", bodyColour]];
  }

  function isInStyled(element: DomNode): boolean {
    let at = page.parentOf(element);
    while (at !== undefined && !styled.has(at)) at = spend(1) ? page.parentOf(at) : undefined;
    return at !== undefined;
  }

  return {
    variables: noVariables({ registered, spend }),
    get isIncomplete() {
      return isIncomplete;
    },
    get isUndecided() {
      return isUndecided || sheet.isUndecided;
    },
    declaredFor: (element) => {
      const hints = [...resetIn(element), ...attributeHints(element, page)];
      const declared = winning(new Map(hints), matching(element), ownSaid(element));
      if (isQuirks && resetNames.some((name) => declared.has(name) || declared.has(`var ${name}`)))
        styled.add(element);
      return declared;
    },
    declaredForAdded: (element, added) => {
      const rules = additions.has(added) ? matching(element, added) : [];
      return rules.length === 0 ? undefined : winning(new Map(), rules, nothing);
    },
  };
}

/** Returns the declarations that may name a container or give the width of one. */
function stylesIn(nodes: readonly DomNode[]): Declaration[][] {
  const found: Declaration[][] = [];
  const open = [...nodes];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const style = attribute(node, "style") ?? "";
    if (/container|width|inline-size|--|\\/i.test(style))
      found.push(declarationsIn(style.slice(0, mailLimits.styleCharacters)));
    const width = attribute(node, "width");
    const value = /^\s*\d+\s*$/.test(width ?? "") ? `${width}px` : width;
    if (value !== undefined) found.push([{ name: "width", value, isImportant: false }]);
    for (const child of childrenOf(node)) open.push(child);
  }
  return found;
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

/** Replaces `env()` by its values on a computer: 0 for safe areas, and the fallback for unknown names. */
function inEnvironment(value: string): string {
  return value.replace(/\benv\(([^(),]*)(?:,([^()]*))?\)/g, (_, name: string, other = "") =>
    /^\s*(?:safe-area-inset|keyboard-inset)-/.test(name) ? "0px" : String(other).trim(),
  );
}
