import type { DomNode } from "html-to-text";
import { type Colour, contrast, over } from "../../css/values.ts";
import type { ComputedStyle } from "../html-computed-style.ts";
import { isSeen } from "../is-seen.ts";
import { leastContrast } from "../html-paint.ts";
import type { DrawingPage } from "./drawing-page.ts";
import { type Box, isIn } from "./svg-geometry.ts";
import { type Ink, paintOf } from "./svg-style.ts";

/** The texts of an inline drawing (SVG 2). */
export interface Drawing {
  visible: readonly DomNode[];
  /** Some words of the drawing are not visible. */
  hasHidden: boolean;
}

/** The shapes and texts that were drawn so far, in their order. */
export interface Canvas {
  /** Returns the colour under a box. Undefined if it is unknown, as over a picture. */
  groundAt(box: Box, css: ComputedStyle): Colour | undefined;
  addShape(box: Box, paint: { colour: Colour | undefined; isOpaque: boolean }): void;
  addText(box: Box, node: DomNode): void;
  /** Records that some words are not visible. */
  hide(): void;
  /** Returns the texts over which no later shape was drawn. */
  drawing(): Drawing;
}

/** A painted shape. */
interface Shape {
  box: Box;
  /** The number of texts before it. */
  after: number;
  colour: Colour | undefined;
  isOpaque: boolean;
}

export function createCanvas(page: DrawingPage): Canvas {
  const texts: { box: Box; node: DomNode }[] = [];
  const shapes: Shape[] = [];
  let hasHidden = false;

  /** Returns whether a later shape covers a text. Also true if the work is used up, and the answer is unknown. */
  function isCovered(at: number, box: Box): boolean {
    for (let last = shapes.length - 1; last >= 0; last -= 1) {
      const shape = shapes[last];
      if (shape === undefined || shape.after <= at) return false;
      if (!page.spend(1) || (shape.isOpaque && isIn(box, shape.box))) return true;
    }
    return false;
  }

  return {
    groundAt: (box, css) => {
      const under = shapes.findLast((one) => page.spend(1) && isIn(box, one.box));
      return under === undefined ? css.ground : under.colour;
    },
    addShape: (box, paint) => void shapes.push({ box, after: texts.length, ...paint }),
    addText: (box, node) => void texts.push({ box, node }),
    hide: () => {
      hasHidden = true;
    },
    drawing: () => {
      const visible = texts.filter(({ box }, at) => !isCovered(at, box)).map(({ node }) => node);
      return {
        visible: [...new Set(visible)],
        hasHidden: hasHidden || visible.length < texts.length,
      };
    },
  };
}

/** Returns whether the fill or the stroke of letters differs enough from the colour under them. */
export function isInked(
  css: ComputedStyle,
  ink: Ink,
  ground: Colour | undefined,
  page: DrawingPage,
): boolean {
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
