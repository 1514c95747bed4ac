import type { DomNode } from "html-to-text";
import { type Page, attribute } from "../html/html-page.ts";
import type { RuleDeclarations } from "./rule-declarations.ts";
import type { Added } from "./selectors.ts";

export interface Selector {
  matches: (element: DomNode) => boolean;
  specificity: number;
  order: number;
  /** Returns whether an element is a root of the rule's scope. Undefined without a scope. */
  isRoot: ((element: DomNode) => boolean) | undefined;
  rule: RuleDeclarations;
  added: Added | undefined;
}

/** The selectors of a page by a name, class or id that an element needs for a match. */
export interface RuleIndex {
  readonly isEmpty: boolean;
  /** @param key a name, `.class` or `#id`, or `*` */
  add(key: string, selector: Selector): void;
  /** Returns whether a rule adds such a box to any element. */
  adds(added: Added): boolean;
  /** Returns the rules that match an element or a box that they add to it, the weakest first. */
  matching(element: DomNode, added?: Added): RuleDeclarations[];
}

/**
 * Creates an empty index.
 * @param keyOf returns the form in which a key is compared
 * @param spend returns false if the work for the page is used up
 */
export function createRuleIndex(
  page: Page,
  { keyOf, spend }: { keyOf: (name: string) => string; spend: (steps: number) => boolean },
): RuleIndex {
  const byKey = new Map<string, Selector[]>();
  const additions = new Set<Added>();

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

  return {
    get isEmpty() {
      return byKey.size === 0;
    },
    add: (name, selector) => {
      if (selector.added !== undefined) additions.add(selector.added);
      const key = keyOf(name);
      const others = byKey.get(key);
      if (others === undefined) byKey.set(key, [selector]);
      else others.push(selector);
    },
    adds: (added) => additions.has(added),
    matching: (element, added) => {
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
          if (selector.added === added && spend(1) && selector.matches(element))
            found.push(selector);
      const hops = new Map(found.map((selector) => [selector, hopsToRoot(selector, element)]));
      return found
        .sort(
          (a, b) =>
            a.specificity - b.specificity ||
            Number(hops.get(b)) - Number(hops.get(a)) ||
            a.order - b.order,
        )
        .map(({ rule }) => rule);
    },
  };
}
