import type { DomNode } from "html-to-text";
import type { ComputedStyle } from "../html-computed-style.ts";
import { isSeen } from "../is-seen.ts";
import { attribute, childrenOf } from "../html-page.ts";
import type { DrawingPage } from "./drawing-page.ts";
import { type Drawing, createCanvas, isInked } from "./svg-canvas.ts";
import { anchorOf, isConditional, isSqueezed } from "./svg-facts.ts";
import {
  combined,
  intersection,
  lengthIn,
  mapped,
  scaleOf,
  shapeBox,
  sharesIn,
} from "./svg-geometry.ts";
import { type Place, placeIn, targetOf } from "./svg-place.ts";
import { type Ink, paintOf } from "./svg-style.ts";

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
  const canvas = createCanvas(page);
  /** The end of the last text, in its own coordinates. */
  let cursor = { x: 0, y: 0 };

  function drawShape(place: Place): void {
    const { element, css, ink, matrix, size } = place;
    const box = shapeBox(element, size);
    if (box === undefined || place.isGone || !css.isVisible) return;
    const colour =
      element.name === "image" ? undefined : paintOf(ink.fill, ink, page.find, css.ground);
    const alpha = (colour?.[3] ?? 1) * ink.fillOpacity * css.opacity;
    if (alpha < 0.5) return;
    canvas.addShape(mapped(matrix, box), {
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
    const ground = canvas.groundAt(box, css);
    const isShown =
      !place.isGone &&
      css.fontSize * scaleOf(matrix) >= smallest &&
      inView.down >= least.down &&
      inView.across >= least.across &&
      !isSqueezed(place.element, css.fontSize, width) &&
      isInked(css, ink, ground, page);
    if (isShown) canvas.addText(box, node);
    else canvas.hide();
  }

  /** Adds the texts of a page in a drawing. */
  function drawPage(place: Place): void {
    const box = shapeBox(place.element, place.size);
    const area = box && intersection(place.view, mapped(place.matrix, box));
    const isEmpty = area === undefined || area.right - area.left < 10 || area.bottom - area.top < 5;
    const walk = (node: DomNode, css: ComputedStyle, isGone: boolean, depth: number): void => {
      if (!page.spend(perElement) || depth > deepest) return canvas.hide();
      if (node.type === "text" && /[\p{L}\p{N}]/u.test(node.data ?? "")) {
        const isHidden =
          isGone || area === undefined || !isSeen({ ...css, ground: canvas.groundAt(area, css) });
        if (isHidden) canvas.hide();
        else canvas.addText(area, node);
      }
      if (node.name === undefined || /^(?:script|style|template)$/.test(node.name)) return;
      const own = depth === 0 ? css : page.styleIn(node, css, (declared) => declared);
      for (const child of childrenOf(node)) walk(child, own, isGone || own.isGone, depth + 1);
    };
    walk(place.element, place.css, place.isGone || isEmpty, 0);
  }

  function draw(element: DomNode, around: Place): void {
    const { name = "" } = element;
    if (!page.spend(perElement) || around.depth > deepest) return canvas.hide();
    const isDrawn = groups.has(name) || shapes.has(name) || /^(?:use|foreignobject)$/.test(name);
    if (!isDrawn) return;
    const place = placeIn(element, around, page);
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
  return canvas.drawing();
}
