import { type Registered, fits } from "./registered.ts";
import { longhands } from "./properties.ts";
import { inDark, simplified } from "./values.ts";

/** The state that all variables of a page share. */
interface PageVariables {
  registered: ReadonlyMap<string, Registered>;
  /** Counts steps. Returns false if the page has used its share. */
  spend: (steps: number) => boolean;
}

/** The custom properties of an element, with those of the elements around it. Their names are in lower case. */
export interface Variables {
  own: ReadonlyMap<string, string>;
  outer: Variables | undefined;
  page: PageVariables;
}

/** The winning declarations of an element. Values may contain `var()`. */
export type Declared = ReadonlyMap<string, string>;

/** Returns the variables around a page. */
export function noVariables(page: PageVariables): Variables {
  return { own: new Map(), outer: undefined, page };
}

/** Adds the custom properties of an element to those around it. */
export function variablesOf(
  declared: Declared,
  outer: Variables | undefined,
): Variables | undefined {
  if (outer === undefined) return undefined;
  let own: Map<string, string> | undefined;
  for (const [name, value] of declared) {
    const variable = name.startsWith("var --") ? name.slice(4) : name;
    // Names are compared without case, because values are in lower case.
    if (variable.startsWith("--")) (own ??= new Map()).set(variable.toLowerCase(), value);
  }
  return own === undefined ? outer : { own, outer, page: outer.page };
}

/**
 * Returns the declarations with the values of their variables.
 * @param isOwn true if the innermost variables are those of this element
 */
export function resolved(
  declared: Declared,
  variables: Variables | undefined,
  { isDark, isOwn }: { isDark: boolean; isOwn: boolean },
): Map<string, string> {
  const style = new Map<string, string>();
  for (const [name, value] of declared) {
    if (!name.startsWith("var ")) {
      style.set(name, simplified(value));
      continue;
    }
    const property = name.slice(4);
    const known = withVariables(value, { variables, isOwn }, 0);
    // CSS Variables 1, section 3.1: invalid at computed-value time, and therefore unset.
    const said =
      known === undefined
        ? []
        : longhands({ name: property, value: known.trim(), isImportant: false });
    if (said.length === 0) style.delete(property);
    for (const [one, given] of said) style.set(one, simplified(given));
  }
  if (isDark) for (const [name, value] of style) style.set(name, inDark(value));
  return style;
}

interface Known {
  variables: Variables | undefined;
  isOwn: boolean;
}

/** Replaces variables by their values. Undefined if one is not set. Bounded in depth and length. */
function withVariables(value: string, known: Known, depth: number): string | undefined {
  if (!value.includes("var(")) return value;
  if (depth > 10 || value.length > 1_000) return undefined;
  // Innermost first.
  const match = /var\(\s*(--[^\s,()]+)\s*(?:,([^()]*(?:\((?:[^()]|\([^()]*\))*\)[^()]*)*))?\)/.exec(
    value,
  );
  if (match === null) return undefined;
  const [whole, name = "", fallback] = match;
  const given = variable(name, known);
  const own = given === undefined ? undefined : withVariables(given, known, depth + 1);
  const found =
    own ?? (fallback === undefined ? undefined : withVariables(fallback.trim(), known, depth + 1));
  if (found === undefined) return undefined;
  const next = value.slice(0, match.index) + found + value.slice(match.index + whole.length);
  return withVariables(next, known, depth + 1);
}

/** Returns the value of a variable. */
function variable(name: string, { variables, isOwn }: Known): string | undefined {
  const rule = variables?.page.registered.get(name);
  let scope = rule?.inherits === false && !isOwn ? undefined : variables;
  for (; scope?.page.spend(1) === true; scope = scope.outer) {
    const value = scope.own.get(name);
    if (value === "initial") break;
    if (value !== undefined && fits(value, rule)) return value;
    if (rule?.inherits === false && value !== "inherit") break;
  }
  return rule?.initial;
}
