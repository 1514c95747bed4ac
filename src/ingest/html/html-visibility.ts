import type { DomNode } from "html-to-text";
import { type Cascade, cascadeOf } from "./html-cascade.ts";
import {
  addText,
  type Begin,
  beginBox,
  breakLine,
  endBox,
  type Flow,
  flowBox,
  flowIn,
} from "./html-flow.ts";
import { isSeen, type Look, lookOf, pageLook } from "./html-look.ts";
import { attribute, childrenOf, pageIn } from "./html-page.ts";
import { lengthOf } from "../css/values.ts";

/** Removes from a page the content that its reader does not see. */
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
  look: Look;
  /** Set in a hidden passage: whether it was counted. */
  passage: { isCounted: boolean } | undefined;
  next: number;
  kept: DomNode[];
  /** The content of the nearest box that cuts it, and the place of this box. */
  flow: Flow | undefined;
  begin: Begin | undefined;
  /** The elements with a layer, which may lie over a covering box. */
  layers: Map<DomNode, number>;
  /** The nodes among `kept` under a covering box, and the number of nodes that were compared with one. */
  covered: Set<DomNode>;
  compared: number;
  /** The columns of the nearest table, and the number of columns before the next cell of this row. */
  columns: Columns | undefined;
  cells: number;
  hasLost: boolean;
}

/** The columns of a table that its `col` elements describe so far. */
interface Columns {
  count: number;
  hidden: Set<number>;
}

const skipped = new Set("head title style script template object svg".split(" "));

/** Creates the judge of one page. */
export function visibility(): Visibility {
  let cascade: Cascade | undefined;
  let removed = 0;
  /** Pictures whose description is hidden where the picture is not drawn. */
  const silent = new Set<DomNode>();
  /** How much is seen of texts that their box cuts. */
  const cuts = new Map<DomNode, number>();

  function lookIn(element: DomNode, outer: Look): Look {
    return lookOf(element, (cascade as Cascade).declaredFor(element), outer);
  }

  /** Returns the place of a visible element. Text directly in `html` has the look of the body. */
  function placeIn(
    element: DomNode,
    look: Look,
    passage: Place["passage"],
    outer?: Flow,
    text = look,
    around?: Place,
  ): Place | undefined {
    const { name = "" } = element;
    // The converter skips these elements. They are not hidden text.
    if (skipped.has(name)) return undefined;
    const isInHidden = around !== undefined && isInHiddenColumn(element, look, around);
    if (look.isGone || isInHidden || (name === "img" && (!look.isVisible || isPixel(element)))) {
      if (hasWords(element)) removed += 1;
      // A picture without words still has its height.
      if (name === "img" && outer !== undefined && !look.isGone)
        endBox(beginBox(outer, look.box ?? flowBox(element, new Map(), look)), undefined);
      return undefined;
    }
    // Cells around pictures have no font size, against gaps.
    if (name === "img" && !isSeen({ ...look, fontSize: pageLook.fontSize })) silent.add(element);
    const box = look.box ?? (outer === undefined ? undefined : flowBox(element, new Map(), look));
    const begin = box && beginBox(outer, box);
    const own = isSeen(text) ? undefined : (passage ?? { isCounted: false });
    return {
      element,
      look,
      passage: own,
      next: 0,
      kept: [],
      flow: box === undefined ? outer : flowIn(outer, box),
      begin,
      layers: new Map(),
      covered: new Set(),
      compared: 0,
      columns: name === "table" ? { count: 0, hidden: new Set() } : around?.columns,
      cells: 0,
      hasLost: false,
    };
  }

  function textIn(place: Place, node: DomNode): void {
    const { data = "" } = node;
    if (data.trim() === "") {
      if (data.includes("\u00A0")) addText(place.flow, data, place.look);
      place.kept.push(node);
      return;
    }
    const isHidden = place.passage !== undefined;
    const seen = isHidden ? 0 : addText(place.flow, data, place.look);
    if (seen > 0) place.kept.push(node);
    if (seen === data.length) return;
    if (seen > 0) cuts.set(node, Math.min(seen, cuts.get(node) ?? seen));
    place.hasLost = true;
    const passage = isHidden ? place.passage : place.flow;
    if (passage?.isCounted !== false || !/[\p{L}\p{N}]/u.test(data.slice(seen))) return;
    passage.isCounted = true;
    removed += 1;
  }

  /** Applies a box over the whole of its parent to the content before it and to the background after it. */
  function cover(place: Place, { cover: kind, ground, layer }: Look): void {
    if (kind === "opaque") {
      const under = place.kept
        .slice(place.compared)
        .filter((node) => !((place.layers.get(node) ?? 0) > layer));
      place.compared = place.kept.length;
      if (under.some(hasWords)) {
        removed += 1;
        place.hasLost = true;
        for (const node of under) place.covered.add(node);
      }
    }
    place.look = { ...place.look, ground };
    if (isSeen(place.look)) place.passage = undefined;
  }

  function clean(top: DomNode): boolean {
    const changes = changesIn(top, false);
    // Text that only one layout or program shows may be hidden in this reader's.
    const counted = removed;
    removed = 0;
    const others = cascade?.isUndecided === true ? changesIn(top, true) : [];
    removed = Math.max(removed, counted);
    if (changes === undefined || others === undefined) return false;
    // Selectors depend on neighbours, so the changes are applied after all elements are judged.
    for (const [node, length] of cuts) node.data = node.data?.slice(0, length) ?? "";
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
    cascade = cascadeOf(page, applies);
    // A look of its own, because the looks within it are kept as long as it is.
    const whole = lookIn(page.html, { ...pageLook });
    let body = lookIn(page.body, whole);
    const first = whole.isGone ? undefined : placeIn(top, body, undefined);
    if (first === undefined) return undefined;
    const changes: Place[] = [];
    const open: Place[] = [first];
    for (let place = open.at(-1); place !== undefined; place = open.at(-1)) {
      const child = place.element.children?.[place.next];
      place.next += 1;
      if (child === undefined) {
        open.pop();
        if (place.covered.size > 0)
          place.kept = place.kept.filter((node) => !place.covered.has(node));
        const outer = open.at(-1);
        if (place.begin !== undefined) endBox(place.begin, outer?.begin);
        if (place.hasLost) changes.push(place);
        // A link without visible content would be a bare address.
        if (place.hasLost && place.kept.every(isBlank)) {
          if (outer === undefined) return undefined;
          outer.hasLost = true;
        } else outer?.kept.push(place.element);
      } else if (child.type === "text") textIn(place, child);
      else if (child.name === undefined || skipped.has(child.name)) place.kept.push(child);
      else {
        const isOutside = place.element === top || place.element === page.html;
        const inner =
          child === page.html
            ? placeIn(child, whole, place.passage, undefined, body)
            : child === page.body
              ? placeIn(child, body, place.passage)
              : placeIn(
                  child,
                  lookIn(child, isOutside ? body : place.look),
                  place.passage,
                  place.flow,
                  undefined,
                  place,
                );
        if (child.name === "br") breakLine(place.flow, place.look);
        if (inner === undefined) {
          place.hasLost = true;
          continue;
        }
        if (inner.look.layer > 0) place.layers.set(child, inner.look.layer);
        if (inner.look.cover !== undefined) {
          cover(place, inner.look);
          if (isOutside) body = { ...body, ground: place.look.ground };
        }
        open.push(inner);
      }
    }
    return changes;
  }

  return {
    get removed() {
      return removed;
    },
    get isIncomplete() {
      return cascade?.isIncomplete === true;
    },
    clean,
  };
}

/** Counts the columns of a table. Returns whether an element is a cell of a hidden one. */
function isInHiddenColumn(element: DomNode, look: Look, around: Place): boolean {
  const { name = "" } = element;
  const { columns } = around;
  if (columns === undefined) return false;
  const spanned = (by: string): number =>
    Math.min(1_000, Math.max(1, Number(attribute(element, by)) || 1));
  if (name === "col" || (name === "colgroup" && !hasColumns(element))) {
    const next = columns.count + spanned("span");
    for (; columns.count < next; columns.count += 1)
      if (!look.isVisible) columns.hidden.add(columns.count);
    return false;
  }
  if (name !== "td" && name !== "th") return false;
  const column = around.cells;
  around.cells += spanned("colspan");
  return columns.hidden.has(column);
}

function hasColumns(group: DomNode): boolean {
  return childrenOf(group).some(({ name }) => name === "col");
}

/** Returns whether a picture is a tracking pixel, which shows nothing to a reader. */
function isPixel(picture: DomNode): boolean {
  return ["width", "height"].some((side) => lengthOf(attribute(picture, side)) <= 1);
}

function isBlank({ type, data, name }: DomNode): boolean {
  return (
    name === "br" ||
    name === "wbr" ||
    type === "comment" ||
    (type === "text" && (data ?? "").trim() === "")
  );
}

function hasWords(element: DomNode): boolean {
  const open: DomNode[] = [element];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "text" && /[\p{L}\p{N}]/u.test(node.data ?? "")) return true;
    for (const child of node.children ?? []) open.push(child);
  }
  return false;
}
