import { longhands } from "./properties.ts";
import { inDark, simplified } from "./values.ts";

/** The custom properties of an element, with those of the elements around it. */
export interface Variables {
  own: ReadonlyMap<string, string>;
  outer: Variables | undefined;
}

/** The winning declarations of an element. Values may contain `var()`. */
export type Declared = ReadonlyMap<string, string>;

/** Adds the custom properties of an element to those around it. */
export function variablesOf(
  declared: Declared,
  outer: Variables | undefined,
): Variables | undefined {
  let own: Map<string, string> | undefined;
  for (const [name, value] of declared) {
    const variable = name.startsWith("var --") ? name.slice(4) : name;
    if (variable.startsWith("--")) (own ??= new Map()).set(variable, value);
  }
  return own === undefined ? outer : { own, outer };
}

/** Returns the declarations with the values of their variables. */
export function resolved(
  declared: Declared,
  variables: Variables | undefined,
  isDark: boolean,
): Map<string, string> {
  const style = new Map<string, string>();
  for (const [name, value] of declared) {
    if (!name.startsWith("var ")) {
      style.set(name, simplified(value));
      continue;
    }
    const property = name.slice(4);
    const known = withVariables(value, variables, 0);
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

/** Replaces variables by their values. Undefined if one is not set. Bounded in depth and length. */
function withVariables(
  value: string,
  variables: Variables | undefined,
  depth: number,
): string | undefined {
  if (!value.includes("var(")) return value;
  if (depth > 10 || value.length > 1_000) return undefined;
  // Innermost first.
  const match = /var\(\s*(--[^\s,()]+)\s*(?:,([^()]*(?:\((?:[^()]|\([^()]*\))*\)[^()]*)*))?\)/.exec(
    value,
  );
  if (match === null) return undefined;
  const [whole, name = "", fallback] = match;
  const given = variable(name, variables);
  const own = given === undefined ? undefined : withVariables(given, variables, depth + 1);
  const known =
    own ??
    (fallback === undefined ? undefined : withVariables(fallback.trim(), variables, depth + 1));
  if (known === undefined) return undefined;
  const next = value.slice(0, match.index) + known + value.slice(match.index + whole.length);
  return withVariables(next, variables, depth + 1);
}

/** Returns the value of a variable. Names are compared without case, because values are in lower case. */
function variable(name: string, variables: Variables | undefined): string | undefined {
  for (let scope = variables; scope !== undefined; scope = scope.outer) {
    for (const [own, value] of scope.own)
      if (own.toLowerCase() === name) return value === "initial" ? undefined : value;
  }
  return undefined;
}
