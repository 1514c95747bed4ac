import type { DomNode } from "html-to-text";
import { isAway, isBoxGone, away } from "./html-box.ts";
import { longhands } from "./css-properties.ts";
import {
  type Colour,
  colourOf,
  contrast,
  filtered,
  lengthOf,
  over,
  partsOf,
  shareOf,
} from "./css-values.ts";
import { scaleOf } from "./html-scale.ts";
import type { Declared } from "./html-cascade.ts";

/** The style of an element's text that decides whether a reader sees it. */
export interface Look {
  /** The element and its content are hidden. */
  isGone: boolean;
  /** CSS pixels. */
  fontSize: number;
  /** The factor of `zoom` and `transform`. */
  scale: number;
  opacity: number;
  isVisible: boolean;
  ink: Colour;
  /** `-webkit-text-fill-color`, which overrides `color`. */
  fill: Colour | undefined;
  /** Undefined if a picture or an unsupported background is behind the text. */
  ground: Colour | undefined;
  /** `text-indent`, in pixels. */
  indent: number;
  letterSpacing: number;
  lineHeight: string;
  whiteSpace: string;
  /** The text is drawn in a form other than its colour. */
  isPainted: boolean;
  /** The filters that change colours, with the background that they leave alone. */
  filter: { value: string; ground: Colour | undefined } | undefined;
  variables: Variables | undefined;
}

interface Variables {
  own: ReadonlyMap<string, string>;
  outer: Variables | undefined;
}

/** Smaller text is unreadable. CSS pixels. */
const smallest = 3;
/** Text with less contrast is invisible. On white, #eee has 1.16, and #ccc, a grey that is hard to read, has 1.6. */
const leastContrast = 1.2;
const leastOpacity = 0.06;

export const pageLook: Look = {
  isGone: false,
  fontSize: 16,
  scale: 1,
  opacity: 1,
  isVisible: true,
  ink: [0, 0, 0, 1],
  fill: undefined,
  ground: [255, 255, 255, 1],
  indent: 0,
  letterSpacing: 0,
  lineHeight: "normal",
  whiteSpace: "normal",
  isPainted: false,
  filter: undefined,
  variables: undefined,
};

/** Cached looks by the look of the parent element, because pages repeat themselves and hostile ones do so often. */
const looksIn = new WeakMap<Look, Map<string, Look>>();

/**
 * Computes the look of an element.
 * @param outer the look of the parent element
 */
export function lookOf(element: DomNode, declared: Declared, outer: Look): Look {
  if (declared.size === 0 && !isButton(element)) return outer;
  let signature = element.name ?? "";
  for (const [name, value] of declared) signature += `;${name}:${value}`;
  let looks = looksIn.get(outer);
  if (looks === undefined) looksIn.set(outer, (looks = new Map<string, Look>()));
  let look = looks.get(signature);
  if (look === undefined) looks.set(signature, (look = newLook(element, declared, outer)));
  return look;
}

function newLook(element: DomNode, declared: Declared, outer: Look): Look {
  const variables = variablesOf(declared, outer.variables);
  const style = resolved(declared, variables);
  const inherited = (name: string): string | undefined => {
    const value = style.get(name);
    return value === undefined || /^(?:inherit|unset|revert|revert-layer)$/.test(value)
      ? undefined
      : value;
  };
  const fontSize = fontSizeOf(inherited("font-size"), outer.fontSize);
  const ink = inkOf(inherited("color"), outer.ink);
  const visibility = inherited("visibility");
  const fill = inherited("-webkit-text-fill-color");
  const indent = inherited("text-indent");
  const spacing = inherited("letter-spacing");
  const opacity = outer.opacity * opacityOf(style);
  const ground = groundOf(style, outer.ground, ink);
  const look: Look = {
    isGone: false,
    fontSize,
    scale: outer.scale * scaleOf(style),
    opacity,
    isVisible:
      visibility === undefined ? outer.isVisible : !/^(?:hidden|collapse)$/.test(visibility),
    ink,
    fill: fill === undefined ? outer.fill : fill === "initial" ? undefined : inkOf(fill, ink),
    ground: isButton(element) ? undefined : ground,
    indent: indent === undefined ? outer.indent : lengthOf(indent, fontSize) || 0,
    letterSpacing: spacing === undefined ? outer.letterSpacing : lengthOf(spacing, fontSize) || 0,
    lineHeight: inherited("line-height") ?? outer.lineHeight,
    whiteSpace: inherited("white-space") ?? outer.whiteSpace,
    isPainted: isPainted(style, outer.isPainted, ground),
    filter: colourFilter(style.get("filter"), outer),
    variables,
  };
  look.isGone =
    opacity < leastOpacity ||
    look.scale * 16 < 1 ||
    isAway(style, fontSize) ||
    isBoxGone(element, style, look);
  return look;
}

/** Returns whether a reader sees text with this look. */
export function isSeen({ fontSize, scale, isVisible, ink, fill, ...look }: Look): boolean {
  if (!isVisible || fontSize * scale < smallest) return false;
  if (look.indent <= away.back || look.letterSpacing <= -fontSize / 2) return false;
  if (look.isPainted) return true;
  const plain = fill ?? ink;
  // A background within the filter is changed with the text.
  const isAlone = look.filter !== undefined && look.filter.ground === look.ground;
  const colour = isAlone ? filtered(plain, look.filter?.value ?? "") : plain;
  if (colour[3] * look.opacity < leastOpacity) return false;
  if (look.ground === undefined) return true;
  return contrast(over(colour, look.ground, look.opacity), look.ground) >= leastContrast;
}

/** Returns whether an element is a form control, which has a background of its own. */
function isButton({ name }: DomNode): boolean {
  return name === "button" || name === "select" || name === "textarea";
}

function variablesOf(declared: Declared, outer: Variables | undefined): Variables | undefined {
  let own: Map<string, string> | undefined;
  for (const [name, value] of declared) {
    const variable = name.startsWith("var --") ? name.slice(4) : name;
    if (variable.startsWith("--")) (own ??= new Map()).set(variable, value);
  }
  return own === undefined ? outer : { own, outer };
}

function resolved(declared: Declared, variables: Variables | undefined): Map<string, string> {
  const style = new Map<string, string>();
  for (const [name, value] of declared) {
    if (!name.startsWith("var ")) {
      style.set(name, value);
      continue;
    }
    const property = name.slice(4);
    const known = withVariables(value, variables, 0);
    // CSS Variables 1, section 3.1: invalid at computed-value time, and therefore unset.
    const said =
      known === undefined ? [] : longhands({ name: property, value: known, isImportant: false });
    if (said.length === 0) style.delete(property);
    for (const [one, given] of said) style.set(one, given);
  }
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
    for (const [own, value] of scope.own) if (own.toLowerCase() === name) return value;
  }
  return undefined;
}

const namedSizes: Readonly<Record<string, number>> = {
  "xx-small": 9,
  "x-small": 10,
  small: 13,
  medium: 16,
  initial: 16,
  large: 18,
  "x-large": 24,
  "xx-large": 32,
  "xxx-large": 48,
};

function fontSizeOf(value: string | undefined, outer: number): number {
  if (value === undefined) return outer;
  if (value === "smaller") return outer / 1.2;
  if (value === "larger") return outer * 1.2;
  const size = namedSizes[value] ?? lengthOf(value, outer, outer);
  return Number.isNaN(size) || size < 0 ? outer : size;
}

function inkOf(value: string | undefined, outer: Colour): Colour {
  if (value === "initial") return pageLook.ink;
  return colourOf(value) ?? outer;
}

function opacityOf(style: ReadonlyMap<string, string>): number {
  const filter = style.get("filter") ?? "";
  const [, faded] = /\bopacity\(\s*([^)]*)\)/.exec(filter) ?? [];
  const [, blur] = /\bblur\(\s*([^)]*)\)/.exec(filter) ?? [];
  if (lengthOf(blur) >= 8) return 0;
  const mask = style.get("mask-image") ?? "none";
  if (/gradient\(/.test(mask) && !/\b(?:url|image|image-set|element)\(/.test(mask)) {
    const colours = coloursIn(mask);
    if (colours.length > 0 && colours.every(([, , , alpha]) => alpha < leastOpacity)) return 0;
  }
  const shares = [shareOf(style.get("opacity")), shareOf(faded?.trim())];
  return shares.reduce(
    (all, share) => all * (Number.isNaN(share) ? 1 : Math.min(1, Math.max(0, share))),
    1,
  );
}

function colourFilter(value: string | undefined, outer: Look): Look["filter"] {
  if (value === undefined || !/\b(?:invert|brightness|contrast)\(/.test(value)) return outer.filter;
  const ground = outer.filter === undefined ? outer.ground : outer.filter.ground;
  return { value: `${outer.filter?.value ?? ""} ${value.slice(0, 200)}`.slice(-500), ground };
}

function groundOf(
  style: ReadonlyMap<string, string>,
  outer: Colour | undefined,
  ink: Colour,
): Colour | undefined {
  if (style.get("mix-blend-mode") !== undefined) return undefined;
  const given = style.get("background-color");
  const colour = given === "currentcolor" ? ink : colourOf(given);
  const own =
    colour === undefined || colour[3] === 0
      ? outer
      : colour[3] === 1
        ? colour
        : outer && over(colour, outer);
  const image = style.get("background-image") ?? "none";
  if (/\burl\(|image(?:-set)?\(|element\(|paint\(/.test(image)) return undefined;
  if (!/gradient\(/.test(image)) return own;
  const colours = coloursIn(image);
  const [first] = colours;
  // A gradient between nearly equal colours counts as one colour.
  const isPlain =
    first !== undefined &&
    colours.every((one) => one[3] === 1 && contrast(one, first) < leastContrast);
  return isPlain ? first : undefined;
}

function coloursIn(value: string): Colour[] {
  return value
    .slice(0, 1_000)
    .split(/[\s,]+(?![^()]*\)(?:[^()]*\)))|\bgradient\(/)
    .flatMap((part) => partsOf(part.replace(/^[a-z-]*gradient\(/, "")))
    .map((part) => colourOf(part.replace(/,$/, "")) ?? colourOf(part.replace(/[,)]+$/, "")))
    .filter((colour) => colour !== undefined);
}

/** Returns whether text is visible without its own colour: by a clipped picture, a shadow or an outline. */
function isPainted(
  style: ReadonlyMap<string, string>,
  outer: boolean,
  ground: Colour | undefined,
): boolean {
  if (style.get("background-clip") === "text")
    return /url\(|gradient\(/.test(style.get("background-image") ?? "") || outer;
  const shadow = style.get("text-shadow") ?? "none";
  const stroke = style.get("-webkit-text-stroke-width") ?? "";
  for (const paint of [shadow, stroke]) {
    const isThere = partsOf(paint).some((part) => lengthOf(part.replace(/,$/, "")) > 0);
    if (!isThere) continue;
    const colours = coloursIn(paint).filter(([, , , alpha]) => alpha > leastOpacity);
    if (
      colours.some(
        (one) => ground === undefined || contrast(over(one, ground), ground) >= leastContrast,
      )
    )
      return true;
  }
  return outer;
}
