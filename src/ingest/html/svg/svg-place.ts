import type { DomNode } from "html-to-text";
import type { ComputedStyle } from "../html-computed-style.ts";
import { attribute, childrenOf } from "../html-page.ts";
import type { DrawingPage } from "./drawing-page.ts";
import { changes, fillOf, isConditional, isReplaced, sizeOf } from "./svg-facts.ts";
import {
  type Box,
  combined,
  intersection,
  lengthIn,
  mapped,
  type Matrix,
  shapeBox,
  transformOf,
  viewOf,
} from "./svg-geometry.ts";
import { type Ink, inkIn, withPresentation } from "./svg-style.ts";

/** The state of the drawing in one element. */
export interface Place {
  element: DomNode;
  css: ComputedStyle;
  ink: Ink;
  matrix: Matrix;
  /** The visible area, in pixels of the page. */
  view: Box;
  size: { width: number; height: number };
  depth: number;
  isInText: boolean;
  isGone: boolean;
}

/** Returns the state in an element, from the state around it. */
export function placeIn(element: DomNode, around: Place, page: DrawingPage): Place {
  const { name = "" } = element;
  let style: ReadonlyMap<string, string> = new Map();
  const css = page.styleIn(element, around.css, (declared) => {
    const all = withPresentation(element, declared);
    style = new Map(all);
    if (/url\(/.test(all.get("clip-path") ?? "")) all.delete("clip-path");
    return all;
  });
  const ink = inkIn(around.ink, style);
  const transform = attribute(element, "transform") ?? style.get("transform");
  let matrix = combined(around.matrix, transformOf(transform));
  let { view, size } = around;
  if (name === "svg") ({ view, matrix, size } = viewportOf(element, style, { ...around, matrix }));
  const clip = referred(element, "clip-path", style, page);
  if (clip !== undefined) view = intersection(view, areaOf(clip, { matrix, size }, page));
  const mask = referred(element, "mask", style, page);
  if (mask !== undefined) view = intersection(view, areaOf(mask, { matrix, size }, page));
  return {
    element,
    css,
    ink,
    matrix,
    view,
    size,
    depth: around.depth + 1,
    isInText: around.isInText || name === "text",
    isGone:
      around.isGone ||
      css.isGone ||
      changes(element) ||
      isConditional(element) ||
      isReplaced(referred(element, "filter", style, page)),
  };
}

/** Returns what an `svg` element changes: its own size, its coordinates, and its edge as the limit of the view. */
function viewportOf(
  element: DomNode,
  style: ReadonlyMap<string, string>,
  around: Place,
): Pick<Place, "view" | "matrix" | "size"> {
  const { matrix } = around;
  const size = sizeOf(element, style, around);
  const isRoot = around.depth === 0;
  const [x = 0, y = 0] = isRoot
    ? []
    : ["x", "y"].map((side) => lengthIn(attribute(element, side), 0) ?? 0);
  const box = { left: x, top: y, right: x + size.width, bottom: y + size.height };
  const isOpen = style.get("overflow-x") === "visible";
  const inner = combined([1, 0, 0, 1, x, y], viewOf(element, size.width, size.height));
  return {
    view: isOpen ? around.view : intersection(around.view, mapped(matrix, box)),
    matrix: combined(matrix, inner),
    size,
  };
}

/** Returns the element to which a property such as `mask` refers with `url(#id)`. */
function referred(
  element: DomNode,
  name: string,
  style: ReadonlyMap<string, string>,
  page: DrawingPage,
): DomNode | undefined {
  const value = style.get(name) ?? attribute(element, name) ?? "";
  const [, id] = /url\(\s*["']?#([^"')]+)/.exec(value) ?? [];
  return id === undefined ? undefined : page.find(id);
}

/** Returns the box around the shapes of a clip or mask. Dark shapes of a mask let nothing through. */
function areaOf(
  area: DomNode,
  { matrix, size }: Pick<Place, "matrix" | "size">,
  page: DrawingPage,
): Box {
  let all: Box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const shape of childrenOf(area)) {
    const box = page.spend(1) ? shapeBox(shape, size) : undefined;
    const isDark = area.name === "mask" && /^(?:#0+|black|none)$/.test(fillOf(shape));
    if (box === undefined || isDark) continue;
    const own = mapped(combined(matrix, transformOf(attribute(shape, "transform"))), box);
    all = {
      left: Math.min(all.left, own.left),
      top: Math.min(all.top, own.top),
      right: Math.max(all.right, own.right),
      bottom: Math.max(all.bottom, own.bottom),
    };
  }
  return all;
}

/** Returns the element to which a `use` or `textPath` refers. */
export function targetOf(element: DomNode, { find }: DrawingPage): DomNode | undefined {
  const target = attribute(element, "href") ?? attribute(element, "xlink:href") ?? "";
  return target.startsWith("#") ? find(target.slice(1)) : undefined;
}
