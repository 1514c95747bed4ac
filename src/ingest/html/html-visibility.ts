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
import { type Extent, hasLostWords, isCut } from "./flow/centred.ts";
import { flowBox } from "./flow/flow-box.ts";
import { isSeen, type ComputedStyle, computedStyleOf, pageStyle } from "./html-computed-style.ts";
import { plainLayer } from "./html-cover.ts";
import { type PageLayers, layersOf, type Spot } from "./html-layers.ts";
import { childrenOf, hasWords, isBlank, isClosedForGood, pageIn, unlink } from "./html-page.ts";
import { isPastEdge } from "./html-box.ts";
import { type Drawings, drawingsIn, writeDrawing } from "./svg/drawings.ts";
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
  let cascade: Cascade | undefined;
  let removed = 0;
  /** Pictures whose alternative text would be invisible. */
  const silent = new Set<DomNode>();
  /** Parts of a line of text that are drawn as blocks. */
  const blocks = new Set<DomNode>();
  /** The visible characters of texts that their box clips. */
  const cuts = new Map<DomNode, Extent>();
  let layers: PageLayers = layersOf();
  let drawings: Drawings | undefined;
  /** The visible texts of each inline drawing. */
  const drawn = new Map<DomNode, readonly DomNode[]>();

  function styleIn(element: DomNode, outer: ComputedStyle): ComputedStyle {
    return computedStyleOf(element, (cascade as Cascade).declaredFor(element), outer);
  }

  /** Returns the place of a visible element. Text directly in `html` has the computed style of the body. */
  function placeIn(
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
      (!isBesideOthers(element, css, around) && isPastEdge(element, css));
    if (css.isGone || isInHidden || (name === "img" && (!css.isVisible || isPixel(element)))) {
      if (hasWords(element)) removed += 1;
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
      silent.add(element);
    if (lineParts.has(name) && /^(?:block|table|list-item)$/.test(css.display)) blocks.add(element);
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
          ? drawnRows(element, cascade)
          : childrenOf(element),
      next: 0,
      kept: [],
      flow: begin === undefined ? outer : flowIn(outer, begin),
      begin,
      spot: layers.begin(css.layers ?? plainLayer(element, css), around?.spot),
      columns: name === "table" ? columnsOf(element, css) : around?.columns,
      cells: 0,
      used: 0,
      hasLost: false,
      isContentGone: name === "details" && isContentGone(element, css),
    };
  }

  /** Returns whether a box begins after others in its row or line, and not at the edge. */
  function isBesideOthers(
    element: DomNode,
    css: ComputedStyle,
    around: Place | undefined,
  ): boolean {
    const kind = (css.layers ?? plainLayer(element, css)).kind;
    if (kind === "placed") return false;
    const isFirst = around?.kept.every(isBlank) !== false;
    const isInRow = kind === "float" || around?.spot.box.isRow === true;
    return isInRow ? !isFirst : kind !== "block" && layers.isInLine();
  }

  function textIn(place: Place, node: DomNode): void {
    const { data = "" } = node;
    if (data.trim() === "") {
      if (data.includes("\u00A0")) addText(place.flow, node, place.css);
      place.kept.push(node);
      return;
    }
    const isHidden = place.passage !== undefined;
    const seen = isHidden ? 0 : addText(place.flow, node, place.css);
    layers.addText(place.spot, node, place.css.fontSize, seen > 0);
    if (seen > 0) place.kept.push(node);
    if (seen === data.length) return;
    if (seen > 0) cut(node, { from: 0, to: seen });
    place.hasLost = true;
    const passage = isHidden ? place.passage : place.flow;
    if (passage?.isCounted !== false || !/[\p{L}\p{N}]/u.test(data.slice(seen))) return;
    passage.isCounted = true;
    removed += 1;
  }

  function cut(node: DomNode, { from, to }: Extent): void {
    const known = cuts.get(node) ?? { from, to };
    cuts.set(node, { from: Math.max(from, known.from), to: Math.min(to, known.to) });
  }

  /** Cuts the texts of a centred box, whose place was not known before. Counts one passage. */
  function cutCentred(found: ReadonlyMap<DomNode, Extent>): void {
    const parts = [...found].filter(([node, extent]) => isCut(node, extent));
    for (const [node, extent] of parts) cut(node, extent);
    if (parts.some(([node, extent]) => hasLostWords(node, extent))) removed += 1;
  }

  /** Applies the background of a box that covers its whole parent to the content after it. */
  function cover(place: Place, { ground }: ComputedStyle): void {
    place.css = { ...place.css, ground };
    if (isSeen(place.css)) place.passage = undefined;
  }

  /** Adds the box that a style sheet puts before or after the content of an element. */
  function add(place: Place, added: Added, element = place.element): void {
    const declared = cascade?.declaredForAdded(element, added);
    if (declared === undefined || /^(?:none|normal|)$/.test(declared.get("content") ?? "")) return;
    const box: DomNode = { type: "tag", name: "span", attribs: {}, children: [] };
    const css = computedStyleOf(box, declared, place.css);
    draw(box, css, place);
  }

  function isContentGone(element: DomNode, outer: ComputedStyle): boolean {
    const declared = cascade?.declaredForAdded(element, "details-content");
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
    box: DomNode,
    css: ComputedStyle,
    place: Place,
    texts: readonly DomNode[] = [],
  ): void {
    if (css.isGone || !css.isVisible) return;
    if (css.isCover) cover(place, css);
    const spot = layers.begin(css.layers ?? plainLayer(box, css), place.spot);
    for (const node of texts) layers.addText(spot, node, css.fontSize, true);
    layers.end(spot);
  }

  function drawSvg(svg: DomNode, place: Place): void {
    const { visible = [], hasHidden = false } = drawings?.judge(svg, place.css) ?? {};
    const shown = visible.filter((node) => addText(place.flow, node, place.css) > 0);
    if (hasHidden || shown.length < visible.length) removed += 1;
    const known = drawn.get(svg) ?? shown;
    drawn.set(
      svg,
      known.filter((node) => shown.includes(node)),
    );
    draw(svg, styleIn(svg, place.css), place, shown);
  }

  function clean(top: DomNode): boolean {
    const changes = changesIn(top, false);
    // Text that only one layout or program shows may be hidden in that of the reader.
    const counted = removed;
    removed = 0;
    const others = cascade?.isUndecided === true ? changesIn(top, true) : [];
    removed = Math.max(removed, counted);
    if (changes === undefined || others === undefined) return false;
    // Selectors depend on neighbours, so the changes are applied after all elements are judged.
    for (const [node, { from, to }] of cuts) node.data = node.data?.slice(from, to) ?? "";
    for (const [node] of cuts) if (node.data === "") unlink(node);
    for (const [svg, texts] of drawn) writeDrawing(svg, texts);
    for (const part of blocks) part.name = "div";
    for (const picture of silent) (picture.attribs as Record<string, string>)["alt"] = "";
    for (const { element, kept } of changes) element.children = kept;
    for (const { element, kept } of others) {
      const both = new Set(kept);
      element.children = childrenOf(element).filter((child) => both.has(child));
    }
    return true;
  }

  /** Returns the elements with invisible content. Undefined if nothing is visible. */
  function changesIn(top: DomNode, applies: boolean): Place[] | undefined {
    const page = pageIn(top);
    cascade = cascadeOf(page, applies, isQuirks);
    layers = layersOf();
    drawings = drawingsIn(page, cascade);
    // A new computed style for each page, because cached styles live as long as the computed style around them.
    const whole = styleIn(page.html, { ...pageStyle, variables: cascade.variables });
    let body = styleIn(page.body, whole);
    const first = whole.isGone ? undefined : placeIn(top, body, undefined);
    if (first === undefined) return undefined;
    const changes: Place[] = [];
    const open: Place[] = [first];
    for (let place = open.at(-1); place !== undefined; place = open.at(-1)) {
      const child = place.children[place.next];
      place.next += 1;
      if (child === undefined) {
        open.pop();
        const outer = open.at(-1);
        add(place, "after");
        if (open.length === 0 && page.body.parent === undefined) add(place, "after", page.body);
        const centred = place.begin && endBox(place.begin, outer?.begin);
        if (centred !== undefined) cutCentred(centred);
        layers.end(place.spot);
        if (isClosedForGood(place)) {
          if (place.kept.some(hasWords)) removed += 1;
          place.kept = [];
          place.hasLost = true;
        }
        if (place.hasLost) changes.push(place);
        // A link without visible content would become a bare URL.
        if (place.hasLost && place.kept.every(isBlank)) {
          if (outer === undefined) return undefined;
          outer.hasLost = true;
        } else outer?.kept.push(place.element);
      } else if (place.isContentGone && child.name !== "summary") {
        if (hasWords(child)) removed += 1;
        place.hasLost = true;
      } else if (child.type === "text") textIn(place, child);
      else if (child.name === undefined || skipped.has(child.name)) {
        place.kept.push(child);
        if (child.name === "svg") drawSvg(child, place);
      } else {
        const isOutside = place.element === top || place.element === page.html;
        const inner =
          child === page.html
            ? placeIn(child, whole, place.passage, undefined, body)
            : child === page.body
              ? placeIn(child, body, place.passage)
              : placeIn(
                  child,
                  styleIn(child, isOutside ? body : place.css),
                  place.passage,
                  place.flow,
                  undefined,
                  place,
                );
        if (child.name === "br") {
          breakLine(place.flow, place.css);
          layers.breakLine(place.css.fontSize);
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
        add(inner, "before");
      }
    }
    for (const [, nodes] of layers.covered()) {
      if (nodes.some((node) => cuts.get(node)?.to !== 0 && hasWords(node))) removed += 1;
      for (const node of nodes) cuts.set(node, { from: 0, to: 0 });
    }
    return changes;
  }

  return {
    get removed() {
      return removed;
    },
    get isIncomplete() {
      return [cascade, layers, drawings].some((one) => one?.isIncomplete);
    },
    clean,
  };
}
