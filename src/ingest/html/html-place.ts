import type { DomNode } from "html-to-text";
import type { Added } from "../css/selectors.ts";
import { isPastEdge } from "./box/offset.ts";
import { addText, type Begin, beginBox, endBox, type Flow, flowIn } from "./flow/flow.ts";
import { flowBox } from "./flow/flow-box.ts";
import type { Cascade } from "./html-cascade.ts";
import type { PageChanges } from "./html-changes.ts";
import { type ComputedStyle, computedStyleOf, pageStyle } from "./html-computed-style.ts";
import { childrenOf, hasWords, isBlank, isClosedForGood, type Page } from "./html-page.ts";
import { isDotPicture, isPixel } from "./html-picture.ts";
import { cellOf, type Columns, columnsOf, drawnRows, isInHiddenColumn } from "./html-table.ts";
import { isSeen } from "./is-seen.ts";
import { plainLayer } from "./layers/layer-box.ts";
import type { PageLayers } from "./layers/layers.ts";
import type { Spot } from "./layers/spot.ts";
import type { Drawings } from "./svg/drawings.ts";

/** A page with its styles, its estimated layout and the changes that it needs. */
export interface JudgedPage extends Page {
  cascade: Cascade;
  layers: PageLayers;
  drawings: Drawings;
  changes: PageChanges;
}

/** The state of the walk in one element. */
export interface PagePlace {
  element: DomNode;
  css: ComputedStyle;
  /** Set within a hidden passage. `isCounted` is true after the passage was counted. */
  passage: { isCounted: boolean } | undefined;
  /** The children in the order in which they are drawn. */
  children: readonly DomNode[];
  next: number;
  kept: DomNode[];
  /** The flow in the nearest box that clips its content, and the place of this box in it. */
  flow: Flow | undefined;
  begin: Begin | undefined;
  /** The place in the estimated layout of the whole page. */
  spot: Spot;
  /** The columns of the nearest table, and the number of columns before the next cell of this row. */
  columns: Columns | undefined;
  cells: number;
  used: number;
  hasLost: boolean;
  /** The content of this section is hidden, except for its title. */
  isContentGone: boolean;
}

/** Elements that are parts of a line of text, unless their style changes this. */
const lineParts = new Set("span font b strong em i u small big label".split(" "));
/** Elements that the converter skips. They are not hidden text. */
export const skipped = new Set("head title style script template object svg".split(" "));

/** Ends the box of an element whose children were judged. */
export function leave(page: JudgedPage, place: PagePlace, outer: PagePlace | undefined): void {
  add(page, place, "after");
  if (outer === undefined && page.body.parent === undefined) add(page, place, "after", page.body);
  const centred = place.begin && endBox(place.begin, outer?.begin);
  if (centred !== undefined) page.changes.cutCentred(centred);
  page.layers.end(place.spot);
  if (!isClosedForGood(place)) return;
  if (place.kept.some(hasWords)) page.changes.countPassage();
  place.kept = [];
  place.hasLost = true;
}

export function styleIn(page: JudgedPage, element: DomNode, outer: ComputedStyle): ComputedStyle {
  return computedStyleOf(element, page.cascade.declaredFor(element), outer);
}

/** Returns the place of a visible element. Text directly in `html` has the computed style of the body. */
export function placeIn(
  page: JudgedPage,
  element: DomNode,
  css: ComputedStyle,
  passage: PagePlace["passage"],
  outer?: Flow,
  text = css,
  around?: PagePlace,
): PagePlace | undefined {
  const { name = "" } = element;
  // The converter skips these elements. They are not hidden text.
  if (skipped.has(name)) return undefined;
  const isInHidden =
    (around !== undefined && isInHiddenColumn(element, css, around)) ||
    (!isBesideOthers(page, element, css, around) && isPastEdge(element, css));
  if (css.isGone || isInHidden || (name === "img" && (!css.isVisible || isPixel(element)))) {
    if (hasWords(element)) page.changes.countPassage();
    // A picture without words still has its height.
    if (name === "img" && outer !== undefined && !css.isGone)
      endBox(
        beginBox(outer, css.box ?? flowBox(element, new Map(), css), around?.begin),
        around?.begin,
      );
    return undefined;
  }
  // Cells around pictures have a font size of 0, to avoid gaps.
  if (
    name === "img" &&
    (!isSeen({ ...css, fontSize: pageStyle.fontSize }) || isDotPicture(element))
  )
    page.changes.silence(element);
  if (lineParts.has(name) && /^(?:block|table|list-item)$/.test(css.display))
    page.changes.makeBlock(element);
  const box = css.box ?? (outer === undefined ? undefined : flowBox(element, new Map(), css));
  const begin = box && beginBox(outer, box, around?.begin, cellOf(element, css.display));
  // In a list, a browser draws only the options.
  const isList = name === "select" || name === "optgroup";
  const own = isSeen(text) && !isList ? undefined : (passage ?? { isCounted: false });
  return {
    element,
    css,
    passage: own,
    children:
      name === "table" || css.display === "table"
        ? drawnRows(element, page.cascade)
        : childrenOf(element),
    next: 0,
    kept: [],
    flow: begin === undefined ? outer : flowIn(outer, begin),
    begin,
    spot: page.layers.begin(css.layers ?? plainLayer(element, css), around?.spot),
    columns: name === "table" ? columnsOf(element, css) : around?.columns,
    cells: 0,
    used: 0,
    hasLost: false,
    isContentGone: name === "details" && isContentGone(page, element, css),
  };
}

/** Returns whether a box begins after others in its row or line, and not at the edge. */
function isBesideOthers(
  page: JudgedPage,
  element: DomNode,
  css: ComputedStyle,
  around: PagePlace | undefined,
): boolean {
  const kind = (css.layers ?? plainLayer(element, css)).kind;
  if (kind === "placed") return false;
  const isFirst = around?.kept.every(isBlank) !== false;
  const isInRow = kind === "float" || around?.spot.box.isRow === true;
  return isInRow ? !isFirst : kind !== "block" && page.layers.isInLine();
}

export function textIn(page: JudgedPage, place: PagePlace, node: DomNode): void {
  const { data = "" } = node;
  if (data.trim() === "") {
    if (data.includes("\u00A0")) addText(place.flow, node, place.css);
    place.kept.push(node);
    return;
  }
  const isHidden = place.passage !== undefined;
  const seen = isHidden ? 0 : addText(place.flow, node, place.css);
  page.layers.addText(place.spot, node, place.css.fontSize, seen > 0);
  if (seen > 0) place.kept.push(node);
  if (seen === data.length) return;
  if (seen > 0) page.changes.cut(node, { from: 0, to: seen });
  place.hasLost = true;
  const passage = isHidden ? place.passage : place.flow;
  if (passage?.isCounted !== false || !/[\p{L}\p{N}]/u.test(data.slice(seen))) return;
  passage.isCounted = true;
  page.changes.countPassage();
}

/** Applies the background of a box that covers its whole parent to the content after it. */
export function cover(place: PagePlace, { ground }: ComputedStyle): void {
  place.css = { ...place.css, ground };
  if (isSeen(place.css)) place.passage = undefined;
}

/** Adds the box that a style sheet puts before or after the content of an element. */
export function add(
  page: JudgedPage,
  place: PagePlace,
  added: Added,
  element = place.element,
): void {
  const declared = page.cascade.declaredForAdded(element, added);
  if (declared === undefined || /^(?:none|normal|)$/.test(declared.get("content") ?? "")) return;
  const box: DomNode = { type: "tag", name: "span", attribs: {}, children: [] };
  const css = computedStyleOf(box, declared, place.css);
  draw(page, box, css, place);
}

function isContentGone(page: JudgedPage, element: DomNode, outer: ComputedStyle): boolean {
  const declared = page.cascade.declaredForAdded(element, "details-content");
  if (declared === undefined) return false;
  const css = computedStyleOf(
    { type: "tag", name: "div", attribs: {}, children: [] },
    declared,
    outer,
  );
  return css.isGone || !isSeen(css);
}

/** Adds a box with visible texts. */
function draw(
  page: JudgedPage,
  box: DomNode,
  css: ComputedStyle,
  place: PagePlace,
  texts: readonly DomNode[] = [],
): void {
  if (css.isGone || !css.isVisible) return;
  if (css.isCover) cover(place, css);
  const spot = page.layers.begin(css.layers ?? plainLayer(box, css), place.spot);
  for (const node of texts) page.layers.addText(spot, node, css.fontSize, true);
  page.layers.end(spot);
}

export function drawSvg(page: JudgedPage, svg: DomNode, place: PagePlace): void {
  const { visible, hasHidden } = page.drawings.judge(svg, place.css);
  const shown = visible.filter((node) => addText(place.flow, node, place.css) > 0);
  if (hasHidden || shown.length < visible.length) page.changes.countPassage();
  page.changes.keepInDrawing(svg, shown);
  draw(page, svg, styleIn(page, svg, place.css), place, shown);
}
