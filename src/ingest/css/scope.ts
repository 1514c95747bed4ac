import { type CSSToken, TokenType } from "@csstools/css-tokenizer";
import { opens, splitAtCommas, textOf, tokensOf } from "./tokens.ts";

/** The part of a page for the rules in `@scope` (CSS Cascade 6, section 3.5). */
export interface StyleScope {
  /** The selectors of its roots. */
  roots: CSSToken[][];
  /** The same as one selector. */
  root: string;
  /** The condition that is added to the last element of a selector. */
  condition: CSSToken[];
}

/** Returns the scope of a rule, also of one in another scope. Undefined for the whole page. */
export function scopeOf(prelude: CSSToken[]): StyleScope | undefined {
  const [roots, end] = groupsOf(prelude);
  if (roots === undefined) return undefined;
  const root = `:is(${listOf(roots)})`;
  const isIn = `:where(${root},${root} *)`;
  if (end === undefined) return { roots, root, condition: tokensOf(isIn) };
  const limits = end.map((limit) => {
    const text = textOf(limit);
    return /:scope\b/i.test(text) ? text.replace(/:scope\b/gi, root) : `${root} ${text}`;
  });
  const limit = `:is(${limits.join(",")})`;
  // Another root within the limit begins its own scope.
  const again = `:where(${limit} ${root},${limit} ${root} *)`;
  const isOut = `:where(${limit},${limit} *):not(${again})`;
  return { roots, root, condition: tokensOf(`${isIn}:not(${isOut})`) };
}

const listOf = (selectors: readonly CSSToken[][]): string => selectors.map(textOf).join(",");

/** Returns the lists of selectors in brackets: the roots, and after `to` the limits. */
function groupsOf(prelude: readonly CSSToken[]): CSSToken[][][] {
  const groups: CSSToken[][] = [];
  let open = 0;
  for (const token of prelude) {
    if (token[0] === TokenType.CloseParen || token[0] === TokenType.CloseSquare) open -= 1;
    if (open > 0) groups.at(-1)?.push(token);
    if (opens(token[0]) && ++open === 1) groups.push([]);
  }
  return groups.map(splitAtCommas);
}

/** Adds the condition of a scope to a selector, before a pseudo-element at its end. */
export function inScope(selector: CSSToken[], { condition }: StyleScope): CSSToken[] {
  const withPseudoElement =
    /^(.*?)(:{1,2}(?:before|after|details-content|first-l(?:ine|etter)))$/is.exec(textOf(selector));
  if (withPseudoElement === null) return [...selector, ...condition];
  return tokensOf(`${withPseudoElement[1] ?? ""}${textOf(condition)}${withPseudoElement[2] ?? ""}`);
}
