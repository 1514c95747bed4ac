import type { DomNode } from "html-to-text";
import { type Colour, contrast, over } from "../../css/values.ts";
import { isSeen, type ComputedStyle } from "../html-computed-style.ts";
import { leastContrast } from "../html-paint.ts";
import { attribute, childrenOf } from "../html-page.ts";
import type { DrawingPage } from "./drawing-page.ts";
import {
  anchorOf,
  changes,
  fillOf,
  isConditional,
  isReplaced,
  isSqueezed,
  sizeOf,
} from "./svg-facts.ts";
import {
  type Box,
  intersection,
  combined,
  isIn,
  lengthIn,
  mapped,
  type Matrix,
  scaleOf,
  shapeBox,
  sharesIn,
  transformOf,
  viewOf,
} from "./svg-geometry.ts";
import { type Ink, inkIn, paintOf, withPresentation } from "./svg-style.ts";

/** The texts of an inline drawing (SVG 2). */
export interface Drawing {
  visible: readonly DomNode[];
  /** Some words of the drawing are not visible. */
  hasHidden: boolean;
}

const groups = new Set(["g", "a", "svg", "switch", "text", "tspan", "textpath"]);
const shapes = new Set("rect circle ellipse polygon polyline path image".split(" "));
/** The deepest nesting that is drawn. */
const deepest = 40;
/** The work of drawing an element, in comparisons of two boxes. */
const perElement = 10;
/** Estimated width of a letter, and the parts of a line above and below its base, in font sizes. */
const letter = { width: 0.5, above: 0.7, below: 0.2 };
/** The least visible share of a line's height, and of a text's width. */
const least = { down: 0.35, across: 0.15 };
/** Smaller text is unreadable. CSS pixels. */
const smallest = 3;

/** The state in one element. */
interface Place {
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

/** A painted shape. */
interface Shape {
  box: Box;
  /** The number of texts before it. */
  after: number;
  colour: Colour | undefined;
  isOpaque: boolean;
}

/**
 * Finds the visible texts of a drawing: their place, size, colour, and the shapes over them.
 * @param outer the computed style around the drawing
 * @param fill the inherited `fill`
 */
export function drawingOf(
  svg: DomNode,
  outer: ComputedStyle,
  page: DrawingPage,
  fill = "#000000",
): Drawing {
  const texts: { box: Box; node: DomNode }[] = [];
  const shapesSoFar: Shape[] = [];
  let hasHidden = false;
  /** The end of the last text, in its own coordinates. */
  let cursor = { x: 0, y: 0 };

  function groundAt(box: Box, css: ComputedStyle): Colour | undefined {
    const under = shapesSoFar.findLast((one) => page.spend(1) && isIn(box, one.box));
    return under === undefined ? css.ground : under.colour;
  }

  function placeIn(element: DomNode, around: Place): Place {
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
    if (name === "svg") {
      size = sizeOf(element, style, around);
      const isRoot = around.depth === 0;
      const [x, y] = isRoot
        ? [0, 0]
        : (["x", "y"].map((side) => lengthIn(attribute(element, side), 0) ?? 0) as [
            number,
            number,
          ]);
      const box = { left: x, top: y, right: x + size.width, bottom: y + size.height };
      const isOpen = style.get("overflow-x") === "visible";
      if (!isOpen) view = intersection(view, mapped(matrix, box));
      const inner = combined([1, 0, 0, 1, x, y], viewOf(element, size.width, size.height));
      matrix = combined(matrix, inner);
    }
    const clip = referred(element, style, "clip-path");
    if (clip !== undefined) view = intersection(view, areaOf(clip, matrix, size));
    const mask = referred(element, style, "mask");
    if (mask !== undefined) view = intersection(view, areaOf(mask, matrix, size));
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
        isReplaced(referred(element, style, "filter")),
    };
  }

  function referred(
    element: DomNode,
    style: ReadonlyMap<string, string>,
    name: string,
  ): DomNode | undefined {
    const value = style.get(name) ?? attribute(element, name) ?? "";
    const [, id] = /url\(\s*["']?#([^"')]+)/.exec(value) ?? [];
    return id === undefined ? undefined : page.find(id);
  }

  /** Returns the box around the shapes of a clip or mask. Dark shapes of a mask let nothing through. */
  function areaOf(area: DomNode, matrix: Matrix, size: Place["size"]): Box {
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

  function drawShape(place: Place): void {
    const { element, css, ink, matrix, size } = place;
    const box = shapeBox(element, size);
    if (box === undefined || place.isGone || !css.isVisible) return;
    const colour =
      element.name === "image" ? undefined : paintOf(ink.fill, ink, page.find, css.ground);
    const alpha = (colour?.[3] ?? 1) * ink.fillOpacity * css.opacity;
    if (alpha < 0.5) return;
    const painted = mapped(matrix, box);
    shapesSoFar.push({
      box: painted,
      after: texts.length,
      colour: colour && [colour[0], colour[1], colour[2], 1],
      isOpaque: alpha > 0.9,
    });
  }

  /** Moves the cursor to the explicit place of a text. */
  function moveTo({ element, css, size }: Place): void {
    const length = (name: string, whole: number): number | undefined =>
      lengthIn(attribute(element, name), whole, css.fontSize);
    if (element.name === "text") cursor = { x: 0, y: 0 };
    if (element.name === "textpath") cursor = beginOf(element, size);
    cursor = {
      x: (length("x", size.width) ?? cursor.x) + (length("dx", size.width) ?? 0),
      y: (length("y", size.height) ?? cursor.y) + (length("dy", size.height) ?? 0),
    };
  }

  /** Returns the place of a text on a path. The path is required. */
  function beginOf(element: DomNode, size: Place["size"]): typeof cursor {
    const path = targetOf(element, page);
    const box = path && shapeBox(path, size);
    return box === undefined ? { x: NaN, y: NaN } : { x: box.left, y: box.bottom };
  }

  function drawText(node: DomNode, place: Place): void {
    const { css, ink, matrix, view } = place;
    const text = (node.data ?? "").replace(/\s+/g, " ");
    if (!/[\p{L}\p{N}]/u.test(text)) return;
    const width = text.length * css.fontSize * letter.width;
    const anchor = anchorOf(place.element);
    const left = cursor.x - (anchor === "middle" ? width / 2 : anchor === "end" ? width : 0);
    const box = mapped(matrix, {
      left,
      top: cursor.y - letter.above * css.fontSize,
      right: left + width,
      bottom: cursor.y + letter.below * css.fontSize,
    });
    cursor.x += width;
    const inView = sharesIn(box, view);
    const ground = groundAt(box, css);
    const isShown =
      !place.isGone &&
      css.fontSize * scaleOf(matrix) >= smallest &&
      inView.down >= least.down &&
      inView.across >= least.across &&
      !isSqueezed(place.element, css.fontSize, width) &&
      isInked(css, ink, ground);
    if (isShown) texts.push({ box, node });
    else hasHidden = true;
  }

  function isInked(css: ComputedStyle, ink: Ink, ground: Colour | undefined): boolean {
    const shown = (paint: string, opacity: number): boolean => {
      const colour = paintOf(paint, ink, page.find, ground);
      if (colour === undefined) return true;
      const own: Colour = [colour[0], colour[1], colour[2], colour[3] * opacity];
      return isSeen({ ...css, ink: own, fill: undefined, ground });
    };
    const stroke = paintOf(ink.stroke, ink, page.find, ground);
    const isStroked = stroke === undefined || (stroke[3] > 0.1 && ink.strokeWidth > 0);
    if (isStroked && shown(ink.stroke, 1)) return true;
    // A thick line in the colour of the background covers the letters.
    const isOverdrawn =
      isStroked &&
      stroke !== undefined &&
      ground !== undefined &&
      ink.strokeWidth >= css.fontSize / 8 &&
      contrast(over(stroke, ground), ground) < leastContrast;
    return !isOverdrawn && shown(ink.fill, ink.fillOpacity);
  }

  /** Adds the texts of a page in a drawing. */
  function drawPage(place: Place): void {
    const box = shapeBox(place.element, place.size);
    const area = box && intersection(place.view, mapped(place.matrix, box));
    const isEmpty = area === undefined || area.right - area.left < 10 || area.bottom - area.top < 5;
    const walk = (node: DomNode, css: ComputedStyle, isGone: boolean, depth: number): void => {
      if (!page.spend(perElement) || depth > deepest) return void (hasHidden = true);
      if (node.type === "text" && /[\p{L}\p{N}]/u.test(node.data ?? "")) {
        if (isGone || area === undefined || !isSeen({ ...css, ground: groundAt(area, css) }))
          hasHidden = true;
        else texts.push({ box: area, node });
      }
      if (node.name === undefined || /^(?:script|style|template)$/.test(node.name)) return;
      const own = depth === 0 ? css : page.styleIn(node, css, (declared) => declared);
      for (const child of childrenOf(node)) walk(child, own, isGone || own.isGone, depth + 1);
    };
    walk(place.element, place.css, place.isGone || isEmpty, 0);
  }

  function draw(element: DomNode, around: Place): void {
    const { name = "" } = element;
    if (!page.spend(perElement) || around.depth > deepest) return void (hasHidden = true);
    const isDrawn = groups.has(name) || shapes.has(name) || /^(?:use|foreignobject)$/.test(name);
    if (!isDrawn) return;
    const place = placeIn(element, around);
    if (shapes.has(name)) return drawShape(place);
    if (name === "foreignobject") return drawPage(place);
    if (name === "use") return drawUse(place);
    if (place.isInText) moveTo(place);
    let hasChosen = false;
    for (const child of childrenOf(element)) {
      if (child.type === "text" && place.isInText) drawText(child, place);
      if (child.name === undefined) continue;
      // Only the first child of a switch is drawn that has no unmet condition.
      const isLeftOut: boolean = name === "switch" && (hasChosen || isConditional(child));
      if (isLeftOut) continue;
      draw(child, place);
      hasChosen = true;
    }
  }

  function drawUse(place: Place): void {
    const { element, size } = place;
    const found = targetOf(element, page);
    if (found === undefined) return;
    const [x, y] = ["x", "y"].map((side) => lengthIn(attribute(element, side), size.width) ?? 0);
    const inner = { ...place, matrix: combined(place.matrix, [1, 0, 0, 1, x ?? 0, y ?? 0]) };
    if (found.name !== "symbol") return draw(found, inner);
    for (const child of childrenOf(found)) if (child.name !== undefined) draw(child, inner);
  }

  const everywhere = { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 };
  const ink: Ink = {
    fill,
    fillOpacity: 1,
    stroke: "none",
    strokeWidth: 1,
    current: outer.ink,
  };
  draw(svg, {
    element: svg,
    css: outer,
    ink,
    matrix: [1, 0, 0, 1, 0, 0],
    view: everywhere,
    size: { width: 684, height: 150 },
    depth: 0,
    isInText: false,
    isGone: false,
  });

  const visible: DomNode[] = [];
  for (const [at, { box, node }] of texts.entries()) {
    let isCovered = false;
    for (let last = shapesSoFar.length - 1; last >= 0 && !isCovered; last -= 1) {
      const shape = shapesSoFar[last];
      if (shape === undefined || shape.after <= at) break;
      isCovered = !page.spend(1) || (shape.isOpaque && isIn(box, shape.box));
    }
    hasHidden ||= isCovered;
    if (!isCovered) visible.push(node);
  }
  return { visible: [...new Set(visible)], hasHidden };
}

function targetOf(element: DomNode, { find }: DrawingPage): DomNode | undefined {
  const target = attribute(element, "href") ?? attribute(element, "xlink:href") ?? "";
  return target.startsWith("#") ? find(target.slice(1)) : undefined;
}
