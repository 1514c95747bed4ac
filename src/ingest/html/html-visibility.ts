import type { DomNode } from "html-to-text";
import { breakLine } from "./flow/flow.ts";
import { cascadeOf } from "./html-cascade.ts";
import { createPageChanges } from "./html-changes.ts";
import { type ComputedStyle, pageStyle } from "./html-computed-style.ts";
import { hasWords, isBlank, pageIn } from "./html-page.ts";
import { layersOf } from "./layers/layers.ts";
import {
  add,
  cover,
  drawSvg,
  type JudgedPage,
  leave,
  type PagePlace,
  placeIn,
  skipped,
  styleIn,
  textIn,
} from "./html-place.ts";
import { drawingsIn } from "./svg/drawings.ts";

/** Removes invisible content from a page. */
export interface Visibility {
  /** Removed passages that contain words. */
  readonly removed: number;
  /** The style sheets were too large to read, so invisible content may remain. */
  readonly isIncomplete: boolean;
  /** Removes the invisible content of the element around a page. Returns false if nothing visible remains. */
  clean(element: DomNode): boolean;
}

/**
 * Creates the judge of one page.
 * @param isQuirks true if its styles are read in quirks mode
 */
export function visibility(isQuirks = false): Visibility {
  const changes = createPageChanges();
  let judged: JudgedPage | undefined;
  let removed = 0;

  function judge(top: DomNode, applies: boolean): PagePlace[] | undefined {
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

/** The styles around the elements of a page. That of the body gets the ground of a box that covers the page. */
interface OuterStyles {
  readonly top: DomNode;
  readonly whole: ComputedStyle;
  body: ComputedStyle;
}

/** Returns the elements with invisible content. Undefined if nothing is visible. */
function changedIn(top: DomNode, page: JudgedPage): PagePlace[] | undefined {
  // A new computed style for each page, because cached styles live as long as the computed style around them.
  const whole = styleIn(page, page.html, { ...pageStyle, variables: page.cascade.variables });
  const styles: OuterStyles = { top, whole, body: styleIn(page, page.body, whole) };
  const first = whole.isGone ? undefined : placeIn(page, top, styles.body, undefined);
  if (first === undefined) return undefined;
  const changed: PagePlace[] = [];
  const open: PagePlace[] = [first];
  for (let place = open.at(-1); place !== undefined; place = open.at(-1)) {
    const child = place.children[place.next];
    place.next += 1;
    if (child !== undefined) {
      const inner = judgeChild(page, place, child, styles);
      if (inner !== undefined) open.push(inner);
      continue;
    }
    open.pop();
    const outer = open.at(-1);
    leave(page, place, outer);
    if (place.hasLost) changed.push(place);
    // A link without visible content would become a bare URL.
    const isEmpty = place.hasLost && place.kept.every(isBlank);
    if (!isEmpty) outer?.kept.push(place.element);
    else if (outer === undefined) return undefined;
    else outer.hasLost = true;
  }
  for (const [, nodes] of page.layers.covered()) page.changes.cover(nodes);
  return changed;
}

/** Judges a child of an element. Returns its place if its own children have to be judged next. */
function judgeChild(
  page: JudgedPage,
  place: PagePlace,
  child: DomNode,
  styles: OuterStyles,
): PagePlace | undefined {
  if (place.isContentGone && child.name !== "summary") {
    if (hasWords(child)) page.changes.countPassage();
    place.hasLost = true;
    return undefined;
  }
  if (child.type === "text") {
    textIn(page, place, child);
    return undefined;
  }
  if (child.name === undefined || skipped.has(child.name)) {
    place.kept.push(child);
    if (child.name === "svg") drawSvg(page, child, place);
    return undefined;
  }
  const isOutside = place.element === styles.top || place.element === page.html;
  const inner = enter(page, place, child, isOutside, styles);
  if (child.name === "br") {
    breakLine(place.flow, place.css);
    page.layers.breakLine(place.css.fontSize);
  }
  if (inner === undefined) {
    place.hasLost = true;
    return undefined;
  }
  if (inner.css.isCover) {
    cover(place, inner.css);
    if (isOutside) styles.body = { ...styles.body, ground: place.css.ground };
  }
  add(page, inner, "before");
  return inner;
}

/** Returns the place of an element. Undefined if none of it is visible. */
function enter(
  page: JudgedPage,
  place: PagePlace,
  child: DomNode,
  isOutside: boolean,
  { whole, body }: OuterStyles,
): PagePlace | undefined {
  if (child === page.html) return placeIn(page, child, whole, place.passage, undefined, body);
  if (child === page.body) return placeIn(page, child, body, place.passage);
  const css = styleIn(page, child, isOutside ? body : place.css);
  return placeIn(page, child, css, place.passage, place.flow, undefined, place);
}
