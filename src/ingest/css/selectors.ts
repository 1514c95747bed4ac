import { type CSSToken, TokenType } from "@csstools/css-tokenizer";
import type { DomNode } from "html-to-text";
import { type Page, attribute, childrenOf } from "../html/html-page.ts";

/** The namespace before a name. */
export const namespace = /(^|[\s>+~,(])\*?\|(?!=)/g;

/** The boxes that a style sheet adds to an element, and the box around the content of a section that opens. */
export type Added = "before" | "after" | "details-content";

/** Returns the selector of the element to which a selector adds a box, and the kind of box. */
export function addedBy(tokens: CSSToken[]): { tokens: CSSToken[]; added: Added | undefined } {
  const last = tokens.at(-1);
  const name = last?.[0] === TokenType.Ident ? last[4].value.toLowerCase() : "";
  const added =
    name === "before" || name === "after" || name === "details-content" ? name : undefined;
  if (added === undefined || tokens.at(-2)?.[0] !== TokenType.Colon)
    return { tokens: withoutFirstLine(tokens), added: undefined };
  const rest = tokens.slice(0, tokens.at(-3)?.[0] === TokenType.Colon ? -3 : -2);
  const isWhole = rest.length > 0 && rest.at(-1)?.[0] !== TokenType.Whitespace;
  return { tokens: isWhole ? rest : [...rest, anyElement], added };
}

const anyElement: CSSToken = [TokenType.Delim, "*", -1, -1, { value: "*" }];

/**
 * Replaces unknown pseudo-classes in `:is()` and `:where()` by one that never applies, since these lists are forgiving
 * (CSS Selectors 4, section 4.2).
 */
export function forgiven(tokens: readonly CSSToken[]): CSSToken[] {
  const open: boolean[] = [];
  return tokens.map((token, index) => {
    const [type] = token;
    if (type === TokenType.Function)
      open.push(/^(?:is|where|matches)$/i.test(token[4].value) && open.at(-1) !== false);
    else if (type === TokenType.OpenParen) open.push(false);
    else if (type === TokenType.CloseParen) open.pop();
    const isPseudo = type === TokenType.Ident && tokens[index - 1]?.[0] === TokenType.Colon;
    if (!isPseudo || open.at(-1) !== true || isKnown(token[4].value.toLowerCase())) return token;
    return [TokenType.Ident, "target", token[2], token[3], { value: "target" }];
  });
}

function isKnown(name: string): boolean {
  return known.test(name) || never.test(name) || undecided.includes(name);
}

/** Removes `::first-line` from a selector, because short text has one line. */
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

/** The states that a reader's action causes. They never apply. */
const states: Record<string, Pseudo> = Object.fromEntries(
  "target target-within focus-within focus-visible autofill fullscreen picture-in-picture xr-overlay active-view-transition has-slotted target-current playing popover-open modal"
    .split(" ")
    .map((name) => [name, () => false]),
);

/** Pseudo-classes that depend on a program or on the content of a form. */
const undecided =
  "default indeterminate valid invalid user-valid user-invalid in-range out-of-range blank muted paused seeking stalled buffering current past future local-link heading".split(
    " ",
  );

/** The matcher only knows form fields. */
const writable = ":is([contenteditable],:is(input,textarea):not([readonly],[disabled]))";

/** Returns the pseudo-classes that the matcher does not have. */
export function pseudosOf(spend: Spend, either: Pseudo): Record<string, Pseudo | string> {
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

/** Selectors that depend on what a reader does, or that match no element. */
const never =
  /^(?:hover|active|focus|focus-within|focus-visible|visited|target|target-within|autofill|fullscreen|picture-in-picture|xr-overlay|active-view-transition|has-slotted|target-current|playing|popover-open|modal|before|after|first-letter|-(?:webkit|moz|ms|o)-.*)$/;
const known =
  /^(?:first-child|last-child|only-child|first-of-type|last-of-type|only-of-type|nth-child|nth-last-child|nth-of-type|nth-last-of-type|empty|root|not|is|where|has|link|any-link|matches|scope|enabled|disabled|required|optional|checked|lang|dir|defined|open|placeholder-shown|read-only|read-write)$/;

/**
 * Returns an index entry for a selector: the required element name and the specificity, or the reason for having none.
 */
export function factsOf(
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
    const weight = depth < whereDepth ? 1 : 0;
    if (type === TokenType.Delim && token[1] === "!") return "invalid";
    if (
      before?.[0] === TokenType.Colon &&
      (type === TokenType.Ident || type === TokenType.Function)
    ) {
      const name = token[4].value.toLowerCase();
      const isElement = tokens[index - 2]?.[0] === TokenType.Colon;
      // Inside brackets it may be negated.
      if (depth === 0 && (isElement || never.test(name))) return "never";
      if (!isKnown(name)) return "invalid";
      if (type === TokenType.Function && name === "where") whereDepth = depth + 1;
      else if (!["is", "not", "has", "matches"].includes(name)) classes += weight;
    } else if (type === TokenType.Hash) {
      ids += weight;
      if (depth === 0) key = `#${token[4].value}`;
    } else if (type === TokenType.Ident && depth === 0 && after(".")) {
      classes += weight;
      if (!key.startsWith("#")) key = `.${token[4].value}`;
    } else if (type === TokenType.Ident && !after(".")) {
      types += weight;
      if (depth === 0) key = token[4].value.toLowerCase();
    } else if (type === TokenType.Ident) classes += weight;
    else if (depth === 0 && (type === TokenType.Whitespace || type === TokenType.Delim)) {
      if (type === TokenType.Whitespace || ">+~".includes(token[1])) key = "*";
    }
    if (type === TokenType.Function || type === TokenType.OpenParen) depth += 1;
    else if (type === TokenType.OpenSquare) {
      classes += weight;
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

/**
 * Returns the view of a page that css-select needs to compare selectors with its elements.
 * @param spend returns false if the work for the page is used up. Elements then seem to have no relatives
 */
export function elementAdapter(page: Page, spend: Spend) {
  const siblings = (node: DomNode): DomNode[] => node.parent?.children ?? [node];
  return {
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
}
