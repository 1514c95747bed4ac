import { type Keyframe, animatedValues } from "./keyframes.ts";
import { type Declaration, longhands } from "./properties.ts";
import type { Declared } from "./variables.ts";

/** Declarations of a rule or style attribute for properties that can hide text, with and without `!important`. */
export interface RuleDeclarations {
  normal: ReadonlyMap<string, string>;
  important: ReadonlyMap<string, string>;
  /** The rank of the rule's layer. */
  layer: number;
}

/** The declarations of an element without a style attribute. */
export const noDeclarations: RuleDeclarations = {
  normal: new Map(),
  important: new Map(),
  layer: 0,
};

/** Splits the declarations of a rule or style attribute by importance, with shorthands in their parts. */
export function byImportance(
  declarations: readonly Declaration[],
  layer: number,
): RuleDeclarations {
  const normal = new Map<string, string>();
  const important = new Map<string, string>();
  for (const one of declarations) {
    const values = one.isImportant ? important : normal;
    // A value with `var()` is expanded when the variable is known.
    const [name, value] = [`var ${one.name}`, inEnvironment(one.value)];
    const longs: [string, string][] = value.includes("var(")
      ? [[name, value]]
      : longhands({ ...one, value });
    for (const [long, given] of longs) {
      values.delete(long);
      values.set(long, given);
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

/**
 * Applies rules and a style attribute to the weaker declarations of an element.
 * @param rules the rules that match it, the weakest first
 * @param spend returns false if the work for the page is used up
 */
export function winning(
  declared: Map<string, string>,
  rules: readonly RuleDeclarations[],
  own: RuleDeclarations,
  {
    keyframes,
    spend,
  }: { keyframes: ReadonlyMap<string, readonly Keyframe[]>; spend: (steps: number) => boolean },
): Declared {
  const apply = (values: ReadonlyMap<string, string>): void => {
    if (!spend(values.size)) return;
    for (const [name, value] of values) {
      // The value of an earlier layer or rule remains.
      if (value === "revert-layer" && declared.has(name)) continue;
      // Inserted at the end again, because the order matters if a shorthand uses a variable.
      declared.delete(name);
      declared.set(name, value);
    }
  };
  // Important declarations of an earlier layer override those of a later one.
  const layered = rules.toSorted((a, b) => a.layer - b.layer);
  const reversed = rules.toSorted((a, b) => b.layer - a.layer);
  for (const { normal } of layered) apply(normal);
  apply(own.normal);
  if (keyframes.size > 0) apply(animatedValues(declared, keyframes, spend));
  for (const { important } of reversed) apply(important);
  apply(own.important);
  return declared;
}
