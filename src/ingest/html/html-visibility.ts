import type { DomNode } from "html-to-text";
import { type Cascade, cascadeOf } from "./html-cascade.ts";
import { isSeen, type Look, lookOf, pageLook } from "./html-look.ts";
import { attribute, pageIn } from "./html-page.ts";
import { lengthOf } from "./css-values.ts";

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
  /** The elements that lie over a covering box. */
  above: Set<DomNode>;
  /** The nodes among `kept` under a covering box, and the number of nodes that were compared with one. */
  covered: Set<DomNode>;
  compared: number;
  hasLost: boolean;
}

const skipped = new Set("head title style script template object svg".split(" "));

/** Creates the judge of one page. */
export function visibility(): Visibility {
  let cascade: Cascade | undefined;
  let removed = 0;

  function lookIn(element: DomNode, outer: Look): Look {
    return lookOf(element, (cascade as Cascade).declaredFor(element), outer);
  }

  /** Returns the place of a visible element. Text directly in `html` has the look of the body. */
  function placeIn(
    element: DomNode,
    look: Look,
    passage: Place["passage"],
    text = look,
  ): Place | undefined {
    const { name = "" } = element;
    // The converter skips these elements. They are not hidden text.
    if (skipped.has(name)) return undefined;
    if (look.isGone || (name === "img" && (!look.isVisible || isPixel(element)))) {
      if (hasWords(element)) removed += 1;
      return undefined;
    }
    const own = isSeen(text) ? undefined : (passage ?? { isCounted: false });
    return {
      element,
      look,
      passage: own,
      next: 0,
      kept: [],
      above: new Set(),
      covered: new Set(),
      compared: 0,
      hasLost: false,
    };
  }

  function textIn(place: Place, node: DomNode): void {
    if (place.passage === undefined || (node.data ?? "").trim() === "") {
      place.kept.push(node);
      return;
    }
    place.hasLost = true;
    if (place.passage.isCounted || !/[\p{L}\p{N}]/u.test(node.data ?? "")) return;
    place.passage.isCounted = true;
    removed += 1;
  }

  /** Applies a box over the whole of its parent to the content before it and to the background after it. */
  function cover(place: Place, { cover: kind, ground }: Look): void {
    if (kind === "opaque") {
      const under = place.kept.slice(place.compared).filter((node) => !place.above.has(node));
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
    const page = pageIn(top);
    cascade = cascadeOf(page);
    const whole = lookIn(page.html, pageLook);
    let body = lookIn(page.body, whole);
    const first = whole.isGone ? undefined : placeIn(top, body, undefined);
    if (first === undefined) return false;
    // Selectors depend on neighbours, so the changes are applied after all elements are judged.
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
        if (place.hasLost) changes.push(place);
        // A link without visible content would be a bare address.
        if (place.hasLost && place.kept.every(isBlank)) {
          if (outer === undefined) return false;
          outer.hasLost = true;
        } else outer?.kept.push(place.element);
      } else if (child.type === "text") textIn(place, child);
      else if (child.name === undefined || skipped.has(child.name)) place.kept.push(child);
      else {
        const isOutside = place.element === top || place.element === page.html;
        const inner =
          child === page.html
            ? placeIn(child, whole, place.passage, body)
            : child === page.body
              ? placeIn(child, body, place.passage)
              : placeIn(child, lookIn(child, isOutside ? body : place.look), place.passage);
        if (inner === undefined) {
          place.hasLost = true;
          continue;
        }
        if (inner.look.isAbove) place.above.add(child);
        if (inner.look.cover !== undefined) {
          cover(place, inner.look);
          if (isOutside) body = { ...body, ground: place.look.ground };
        }
        open.push(inner);
      }
    }
    for (const { element, kept } of changes) element.children = kept;
    return true;
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
