import type { DomNode } from "html-to-text";
import { type PlacedLine, coveredTexts } from "./covered-texts.ts";
import { type LayerBox, stickingOut } from "./layer-box.ts";
import type { Cursor, Spot } from "./spot.ts";

/** The texts of a page, and the boxes that may be over them. */
export interface PageLayers {
  begin(box: LayerBox, outer: Spot | undefined): Spot;
  end(spot: Spot): void;
  /** @param isSeen whether the text is visible if no box covers it */
  addText(spot: Spot, node: DomNode, em: number, isSeen: boolean): void;
  breakLine(em: number): void;
  /** Returns whether there is text before this place in the same line. */
  isInLine(): boolean;
  /** Returns the texts under each box. The key undefined has the texts beyond the edge of the page. */
  covered(): Map<Spot | undefined, DomNode[]>;
  /** True if there were more boxes than are compared. */
  readonly isIncomplete: boolean;
}

/** Block characters, which fill their place. */
const blocks = /[\u2580-\u2590\u25A0\u25AC\u2B1B\u2B1C]{3}/;

/** The size of a line and a letter of common text, in font sizes. */
const usual = { line: 1.15, letter: 0.5 };
/** The margin of a page and the width of its text. CSS pixels. */
const page = { margin: 8, width: 684 };
/**
 * Estimates the places of a page's texts and boxes, and finds texts under opaque boxes. Boxes in the normal flow do not
 * overlap, so only those with a position, an offset or a negative margin are compared.
 */
export function layersOf(): PageLayers {
  let at: Cursor = { down: page.margin, margin: 0, line: 0, across: 0 };
  let order = 0;
  let isPulled = false;
  let isIncomplete = false;
  const lines: PlacedLine[] = [];
  const covers: Spot[] = [];

  function endLine(): void {
    at = { ...at, down: at.down + at.line, line: 0, across: 0 };
  }

  function collapse(margin: number): void {
    if (margin < 0) isPulled = true;
    const margins = [at.margin, margin];
    at.margin = Math.max(0, ...margins) + Math.min(0, ...margins);
  }

  function settle(): void {
    at.down += at.margin;
    at.margin = 0;
  }

  function origin(spot: Spot | undefined): number {
    for (let one = spot; one !== undefined; one = one.outer) if (one.box.isPlaced) return one.top;
    return 0;
  }

  return {
    get isIncomplete() {
      return isIncomplete;
    },
    begin: (box, outer) => {
      order += 1;
      const shift = (outer?.shift ?? 0) + box.down;
      const spot: Spot = {
        box,
        outer,
        order,
        depth: (outer?.depth ?? 0) + 1,
        shift,
        content: 0,
        isFilled: false,
        last: order,
        top: 0,
        bottom: 0,
        rowTop: 0,
        rowEnd: 0,
        flow: undefined,
        up: 0,
        ups: undefined,
      };
      if (box.kind === "placed") {
        spot.flow = at;
        const place = at.down + (box.isLine ? 0 : at.line) + Math.max(0, at.margin) + shift;
        const top = box.hasTop ? (box.isFixed ? 0 : origin(outer)) + box.down : place;
        at = { down: top + box.marginTop, margin: 0, line: 0, across: 0 };
        spot.shift = 0;
      } else if (outer?.box.isRow === true || box.kind === "float") {
        if (box.kind === "float") spot.flow = { ...at };
        if (outer?.box.isRow === true) {
          endLine();
          at.down = outer.rowTop;
        }
        at.margin = 0;
        at.down += box.marginTop;
      } else if (box.kind === "block") {
        endLine();
        collapse(box.marginTop);
      } else if (box.kind === "beside") spot.flow = { ...at };
      spot.top = at.down + at.margin + spot.shift;
      if (box.above > 0) {
        settle();
        at.down += box.above;
      }
      spot.rowTop = spot.rowEnd = at.down + (box.isRow ? at.margin : 0);
      return spot;
    },
    end: (spot) => {
      const { box, outer, flow } = spot;
      spot.last = order;
      if (outer !== undefined) outer.content = Math.max(outer.content, spot.content);
      if (box.kind !== "line") {
        endLine();
        if (box.isRow) at.down = Math.max(at.down, spot.rowEnd);
        if (box.below > 0) settle();
        at.down += box.below;
        const inner = at.down + spot.shift - spot.top;
        spot.up = stickingOut(box, outer?.box, inner);
        // The content of a low box overflows, and the next box covers it.
        if (box.isLow && inner > 2 * box.height + 8) {
          isPulled = true;
          at = { down: spot.top - spot.shift + box.height, margin: 0, line: 0, across: 0 };
        }
        const height = box.height === Infinity ? inner : Math.max(inner, box.height || 0);
        if (height > inner) {
          at.down = spot.top - spot.shift + height;
          at.margin = 0;
        }
        spot.bottom = spot.top + height;
      } else spot.bottom = at.down + at.line + spot.shift;
      if (flow !== undefined) {
        at = flow;
        if (box.kind === "beside" && outer?.box.isRow !== true) {
          at.line = Math.max(at.line, spot.bottom - spot.top);
          at.across += Math.max(
            spot.content,
            box.width > 0 && box.width < Infinity ? box.width : 0,
          );
        }
      }
      if (outer?.box.isRow === true && box.kind !== "placed") {
        outer.rowEnd = Math.max(outer.rowEnd, spot.bottom - spot.shift + box.marginBottom);
        at.down = outer.rowTop;
        at.margin = 0;
      } else if (box.kind === "block") collapse(box.marginBottom);
      if (box.isOpaque || box.edge > 0 || spot.isFilled) covers.push(spot);
    },
    addText: (spot, node, em, isSeen) => {
      order += 1;
      settle();
      const text = (node.data ?? "").trim();
      const { length } = text;
      if (blocks.test(text)) spot.isFilled = true;
      const height = em * usual.line;
      const width = length * em * usual.letter;
      const room = widthOf(spot);
      const more = Math.floor((at.across + width) / room);
      const top = at.down + spot.shift;
      at.line = Math.max(at.line, height);
      at.down += more * height;
      at.across = (at.across + width) % room;
      const bottom = at.down + height + spot.shift;
      spot.content = Math.max(spot.content, Math.min(width, room));
      if (isSeen)
        lines.push({ node, spot, order, top, bottom, width: Math.min(width, room), bits: 0 });
    },
    isInLine: () => at.across > 0,
    breakLine: (em) => {
      at.line = Math.max(at.line, em * usual.line);
      endLine();
    },
    covered: () => {
      const { found, isInFull } = coveredTexts(lines, covers, isPulled);
      isIncomplete = !isInFull;
      return found;
    },
  };
}

function widthOf(spot: Spot): number {
  for (let one: Spot | undefined = spot; one !== undefined; one = one.outer)
    if (one.box.width > 0 && one.box.width < Infinity) return Math.min(page.width, one.box.width);
  return page.width;
}
