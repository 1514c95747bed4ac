import { compile } from "css-select";
import type { DomNode } from "html-to-text";
import type { Declaration } from "../css/properties.ts";
import { type Selector, createRuleIndex } from "../css/rule-index.ts";
import {
  type RuleDeclarations,
  noDeclarations,
  byImportance,
  winning,
} from "../css/rule-declarations.ts";
import {
  type Added,
  addedBy,
  factsOf,
  forgiven,
  namespace,
  pseudosOf,
  elementAdapter,
} from "../css/selectors.ts";
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
  const attributes = new Map<string, RuleDeclarations>();

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
  const index = createRuleIndex(page, { keyOf, spend });
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

  const pseudos = pseudosOf(spend, () => {
    isUndecided = true;
    return applies;
  });

  const adapter = elementAdapter(page, spend);
  const selecting = { adapter, pseudos, relativeSelector: false, quirksMode: isRelaxed };

  function add(given: StyleRule, order: number): void {
    const rule = byImportance(relaxed(withFonts(given.declarations)), ranks.get(given.layer) ?? 0);
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
        found.push([facts.key, { matches, specificity, order, isRoot, rule, added }]);
      } catch {
        // One invalid selector makes the whole rule invalid (CSS Selectors 4, section 3.9).
        return;
      }
    }
    for (const [key, selector] of found) index.add(key, selector);
  }

  const sheet = sheetIn(
    sheetsOf(page.top, () => (isIncomplete = true)),
    applies,
  );
  const { rules, keyframes, layers, registered, tinyFonts } = sheet;
  const ranks = layers.ranks();
  const animating = { keyframes, spend };
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

  function ownDeclarations(element: DomNode): RuleDeclarations {
    const given = attribute(element, "style");
    if (given === undefined) return noDeclarations;
    const own =
      attributes.get(given) ??
      byImportance(relaxed(withFonts(declarationsIn(given.slice(0, room(given.length))))), 0);
    attributes.set(given, own);
    return own;
  }

  /** Returns the rules that match an element, the weakest first. None if the work is used up. */
  function matching(element: DomNode, added?: Added): readonly RuleDeclarations[] {
    if (index.isEmpty || work < 0) return [];
    const names = `${attribute(element, "class") ?? ""} ${attribute(element, "id") ?? ""}`;
    if (isQuirks && /[A-Z]/.test(names)) isUndecided = true;
    return index.matching(element, added);
  }

  /** Returns the initial values of a table in quirks mode, in which it inherits noDeclarations from most boxes. */
  function resetIn(element: DomNode): (readonly [string, string])[] {
    if (!isQuirks || element.name !== "table" || !isInStyled(element)) return [];
    isUndecided = true;
    if (!isRelaxed) return [];
    const { body } = page;
    bodyColour ??=
      winning(
        new Map(attributeHints(body, page)),
        matching(body),
        ownDeclarations(body),
        animating,
      ).get("color") ?? "#000000";
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
      const declared = winning(
        new Map(hints),
        matching(element),
        ownDeclarations(element),
        animating,
      );
      if (isQuirks && resetNames.some((name) => declared.has(name) || declared.has(`var ${name}`)))
        styled.add(element);
      return declared;
    },
    declaredForAdded: (element, added) => {
      const rules = index.adds(added) ? matching(element, added) : [];
      return rules.length === 0 ? undefined : winning(new Map(), rules, noDeclarations, animating);
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
