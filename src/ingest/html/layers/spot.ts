import type { LayerBox } from "./layer-box.ts";

/** The place of an element in the estimated layout of a page. CSS pixels from the top of the page. */
export interface Spot {
  box: LayerBox;
  outer: Spot | undefined;
  order: number;
  depth: number;
  top: number;
  bottom: number;
  /** The offset of the element, with that of the elements around it, from its place in the flow. */
  shift: number;
  /** The width of its longest line. */
  content: number;
  /** The upper and lower end of its row of children. */
  rowTop: number;
  rowEnd: number;
  /** The flow around a box that is outside the normal flow. */
  flow: Cursor | undefined;
  /** The element's text consists of block characters without gaps. */
  isFilled: boolean;
  /** The number of the last text in the element. */
  last: number;
  /** How far its content is moved up, and its place with all boxes around it. */
  up: number;
  ups: number | undefined;
}

/** Where the next box or letter comes. CSS pixels. */
export interface Cursor {
  down: number;
  /** The margin after the last box, which collapses with the next one. */
  margin: number;
  line: number;
  across: number;
}
