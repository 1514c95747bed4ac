import type { DomNode } from "html-to-text";
import type { Added } from "../css/selectors.ts";
import { type Cascade, cascadeOf } from "./html-cascade.ts";
import {
  addText,
  type Begin,
  beginBox,
  breakLine,
  endBox,
  type Flow,
  flowIn,
} from "./flow/flow.ts";
import { flowBox } from "./flow/flow-box.ts";
import { type ComputedStyle, computedStyleOf, pageStyle } from "./html-computed-style.ts";
import { isSeen } from "./is-seen.ts";
import { createPageChanges, type PageChanges } from "./html-changes.ts";
import { plainLayer } from "./layers/layer-box.ts";
import { type PageLayers, layersOf } from "./layers/layers.ts";
import type { Spot } from "./layers/spot.ts";
import { childrenOf, hasWords, isBlank, isClosedForGood, type Page, pageIn } from "./html-page.ts";
import { isPastEdge } from "./box/offset.ts";
import { type Drawings, drawingsIn } from "./svg/drawings.ts";
import { cellOf, type Columns, columnsOf, drawnRows, isInHiddenColumn } from "./html-table.ts";
import { isDotPicture, isPixel } from "./html-picture.ts";

/** Removes invisible content from a page. */
export interface Visibility {
  /** Removed passages that contain words. */
  readonly removed: number;
  /** The style sheets were too large to read, so invisible content may remain. */
  readonly isIncomplete: boolean;
  /** Removes the invisible content of the element around a page. Returns false if nothing visible remains. */
  clean(element: DomNode): boolean;
}

/** A page with its styles, its estimated layout and the changes that it needs. */
interface JudgedPage extends Page {
  cascade: Cascade;
  layers: PageLayers;
  drawings: Drawings;
  changes: PageChanges;
}

/** The state of the walk in one element. */
interface Place {
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
const skipped = new Set("head title style script template object svg".split(" "));

/**
 * Creates the judge of one page.
 * @param isQuirks true if its styles are read in quirks mode
 */
export function visibility(isQuirks = false): Visibility {
  const changes = createPageChanges();
  let judged: JudgedPage | undefined;
  let removed = 0;

  function judge(top: DomNode, applies: boolean): Place[] | undefined {
    const page = pageIn(top);
    const cascade = cascadeOf(page, applies, isQuirks);
    const drawings = drawingsIn(page, cascade);
    judged = { ...page, cascade, layers: layersOf(), drawings, changes };
    return changedIn(top, judged);
  }

  return {
    get removed() {
      return removed;
    },
    get isIncomplete() {
      return [judged?.cascade, judged?.layers, judged?.drawings].some((one) => one?.isIncomplete);
    },
    clean: (top) => {
      const changed = judge(top, false);
      const counted = removed + changes.takeCount();
      // Text that only one layout or program shows may be hidden in that of the reader.
      const others = judged?.cascade.isUndecided === true ? judge(top, true) : [];
      removed = Math.max(counted, changes.takeCount());
      if (changed === undefined || others === undefined) return false;
      changes.apply(changed, others);
      return true;
    },
  };
}

/** Returns the elements with invisible content. Undefined if nothing is visible. */
function changedIn(top: DomNode, page: JudgedPage): Place[] | undefined {
  // A new computed style for each page, because cached styles live as long as the computed style around them.
  const whole = styleIn(page, page.html, { ...pageStyle, variables: page.cascade.variables });
  let body = styleIn(page, page.body, whole);
  const first = whole.isGone ? undefined : placeIn(page, top, body, undefined);
  if (first === undefined) return undefined;
  const changed: Place[] = [];
  const open: Place[] = [first];
  for (let place = open.at(-1); place !== undefined; place = open.at(-1)) {
    const child = place.children[place.next];
    place.next += 1;
    if (child === undefined) {
      open.pop();
      const outer = open.at(-1);
      leave(page, place, outer);
      if (place.hasLost) changed.push(place);
      // A link without visible content would become a bare URL.
      if (place.hasLost && place.kept.every(isBlank)) {
        if (outer === undefined) return undefined;
        outer.hasLost = true;
      } else outer?.kept.push(place.element);
    } else if (place.isContentGone && child.name !== "summary") {
      if (hasWords(child)) page.changes.countPassage();
      place.hasLost = true;
    } else if (child.type === "text") textIn(page, place, child);
    else if (child.name === undefined || skipped.has(child.name)) {
      place.kept.push(child);
      if (child.name === "svg") drawSvg(page, child, place);
    } else {
      const isOutside = place.element === top || place.element === page.html;
      const inner =
        child === page.html
          ? placeIn(page, child, whole, place.passage, undefined, body)
          : child === page.body
            ? placeIn(page, child, body, place.passage)
            : placeIn(
                page,
                child,
                styleIn(page, child, isOutside ? body : place.css),
                place.passage,
                place.flow,
                undefined,
                place,
              );
      if (child.name === "br") {
        breakLine(place.flow, place.css);
        page.layers.breakLine(place.css.fontSize);
      }
      if (inner === undefined) {
        place.hasLost = true;
        continue;
      }
      if (inner.css.isCover) {
        cover(place, inner.css);
        if (isOutside) body = { ...body, ground: place.css.ground };
      }
      open.push(inner);
      add(page, inner, "before");
    }
  }
  for (const [, nodes] of page.layers.covered()) page.changes.cover(nodes);
  return changed;
}

/** Ends the box of an element whose children were judged. */
function leave(page: JudgedPage, place: Place, outer: Place | undefined): void {
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

function styleIn(page: JudgedPage, element: DomNode, outer: ComputedStyle): ComputedStyle {
  return computedStyleOf(element, page.cascade.declaredFor(element), outer);
}

/** Returns the place of a visible element. Text directly in `html` has the computed style of the body. */
function placeIn(
  page: JudgedPage,
  element: DomNode,
  css: ComputedStyle,
  passage: Place["passage"],
  outer?: Flow,
  text = css,
  around?: Place,
): Place | undefined {
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
  around: Place | undefined,
): boolean {
  const kind = (css.layers ?? plainLayer(element, css)).kind;
  if (kind === "placed") return false;
  const isFirst = around?.kept.every(isBlank) !== false;
  const isInRow = kind === "float" || around?.spot.box.isRow === true;
  return isInRow ? !isFirst : kind !== "block" && page.layers.isInLine();
}

function textIn(page: JudgedPage, place: Place, node: DomNode): void {
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
function cover(place: Place, { ground }: ComputedStyle): void {
  place.css = { ...place.css, ground };
  if (isSeen(place.css)) place.passage = undefined;
}

/** Adds the box that a style sheet puts before or after the content of an element. */
function add(page: JudgedPage, place: Place, added: Added, element = place.element): void {
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
  place: Place,
  texts: readonly DomNode[] = [],
): void {
  if (css.isGone || !css.isVisible) return;
  if (css.isCover) cover(place, css);
  const spot = page.layers.begin(css.layers ?? plainLayer(box, css), place.spot);
  for (const node of texts) page.layers.addText(spot, node, css.fontSize, true);
  page.layers.end(spot);
}

function drawSvg(page: JudgedPage, svg: DomNode, place: Place): void {
  const { visible, hasHidden } = page.drawings.judge(svg, place.css);
  const shown = visible.filter((node) => addText(place.flow, node, place.css) > 0);
  if (hasHidden || shown.length < visible.length) page.changes.countPassage();
  page.changes.keepInDrawing(svg, shown);
  draw(page, svg, styleIn(page, svg, place.css), place, shown);
}
