import type { DomNode } from "html-to-text";
import { type LayerBox, stickingOut } from "./html-cover.ts";

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

interface Cursor {
  down: number;
  /** The margin after the last box, which collapses with the next one. */
  margin: number;
  line: number;
  across: number;
}

interface Line {
  node: DomNode;
  spot: Spot;
  order: number;
  top: number;
  bottom: number;
  width: number;
  /** The total width of narrow boxes over it. */
  bits: number;
}

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
/** Limit on compared boxes and pairs. Real pages have ten such boxes. */
const most = { boxes: 300, pairs: 400_000, share: 0.7 };
/** A covering box may leave this share of a line uncovered at its upper and lower edge. */
const slack = 0.4;
/** A box that begins farther to the right does not cover the beginning of a text. CSS pixels. */
const farRight = 60;

/**
 * Estimates the places of a page's texts and boxes, and finds texts under opaque boxes. Boxes in the normal flow do not
 * overlap, so only those with a position, an offset or a negative margin are compared.
 */
export function layersOf(): PageLayers {
  let at: Cursor = { down: page.margin, margin: 0, line: 0, across: 0 };
  let order = 0;
  let isPulled = false;
  let pairs = most.pairs;
  const lines: Line[] = [];
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
      return covers.length > most.boxes || pairs < 0;
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
      const found = new Map<Spot | undefined, DomNode[]>();
      const add = (cover: Spot | undefined, { node }: Line): void => {
        const nodes = found.get(cover);
        if (nodes === undefined) found.set(cover, [node]);
        else nodes.push(node);
      };
      const left = new Set<Line>();
      for (const line of lines)
        if (line.bottom - upOf(line.spot) <= 2) add(undefined, line);
        else left.add(line);
      for (const cover of covers.slice(0, most.boxes)) {
        const area = areaUnder(cover, isPulled);
        if (area === undefined) continue;
        for (const line of left) {
          if ((pairs -= 1) < 0) return found;
          if (line.order >= cover.order && line.order <= cover.last) continue;
          const rest = (line.bottom - line.top) * slack;
          const isUnder =
            area.isSameCell === true ||
            (area.top <= line.top + rest && area.bottom >= line.bottom - rest);
          if (!isUnder || !isOver(cover, line, area)) continue;
          const isWide = area.width >= line.width * most.share && cover.box.right <= farRight;
          line.bits += area.width;
          if (!isWide && line.bits < line.width * most.share) continue;
          add(cover, line);
          left.delete(line);
        }
      }
      return found;
    },
  };
}

function upOf(spot: Spot): number {
  const path: Spot[] = [];
  let at: Spot | undefined = spot;
  for (; at !== undefined && at.ups === undefined; at = at.outer) path.push(at);
  let sum = at?.ups ?? 0;
  for (const one of path.toReversed()) one.ups = sum += one.up;
  return sum;
}

function widthOf(spot: Spot): number {
  for (let one: Spot | undefined = spot; one !== undefined; one = one.outer)
    if (one.box.width > 0 && one.box.width < Infinity) return Math.min(page.width, one.box.width);
  return page.width;
}

interface Area {
  top: number;
  bottom: number;
  width: number;
  /** The box is in a cell of a grid that other boxes may share. */
  isSameCell: boolean;
}

/** Returns the area that a box paints. Undefined if the box is beside the content before it. */
function areaUnder(cover: Spot, isPulled: boolean): Area | undefined {
  const { box, outer } = cover;
  const isSameCell = box.area !== undefined && outer?.box.isGrid === true;
  if (!isSameCell && box.kind !== "placed" && cover.shift === 0 && !isPulled && box.edge === 0) {
    if (box.right + box.marginLeft > -farRight) return undefined;
  }
  let container = outer;
  while (container !== undefined && !container.box.isPlaced) container = container.outer;
  const end = container === undefined || box.isFixed ? Infinity : container.bottom;
  let { top, bottom } = cover;
  if (box.height === Infinity) bottom = end;
  if (!Number.isNaN(box.bottom) && !box.hasTop) {
    top = end - box.bottom - (bottom - cover.top);
    bottom = end - box.bottom;
  }
  const isFull = box.kind === "block" && Number.isNaN(box.width);
  const width = isFull ? Infinity : Number.isNaN(box.width) ? cover.content : box.width;
  return { top: top - box.edge, bottom: bottom + box.edge, width: width + box.edge, isSameCell };
}

/** Returns whether a box is painted over a text, and wide enough for it. */
function isOver(cover: Spot, line: Line, area: Area): boolean {
  const { box } = cover;
  const common = commonOf(cover, line.spot);
  const [over, under] = [pathTo(cover, common), pathTo(line.spot, common)];
  if (area.isSameCell) {
    const cell = under.at(-1);
    return (
      cell !== undefined &&
      common === cover.outer &&
      cell.box.area === box.area &&
      (cell.box.index === box.index ? cell.order < cover.order : cell.box.index < box.index)
    );
  }
  const isBeside = ({ box: { kind }, outer }: Spot): boolean =>
    kind === "beside" || kind === "float" || (outer?.box.isRow === true && kind !== "placed");
  // True for boxes side by side, if the second is not moved over the first.
  const isMovedLeft = box.right + box.marginLeft <= -most.share * line.width;
  const isAcross = box.kind === "placed" && area.width === Infinity;
  if (!isAcross && !isMovedLeft && (under.some(isBeside) || over.some(isBeside)))
    return box.kind === "float" && box.marginBottom < 0 && !under.some(isBeside);
  if (box.kind === "line" && !isMovedLeft) return false;
  const raisedUnder = under.findLast((one) => one.box.isRaised);
  const raisedOver = over.findLast((one) => one.box.isRaised || isBeside(one));
  if (raisedOver === undefined) return false;
  if (raisedUnder === undefined)
    return raisedOver.box.layer >= 0 && (raisedOver.box.isRaised || cover.order > line.order);
  if (raisedOver.box.layer !== raisedUnder.box.layer)
    return raisedOver.box.layer > raisedUnder.box.layer;
  return raisedOver.order > raisedUnder.order;
}

/** Returns the nearest element around both. */
function commonOf(one: Spot, other: Spot): Spot | undefined {
  let [a, b]: (Spot | undefined)[] = [one, other];
  while (a !== b) {
    if (b === undefined || (a !== undefined && a.depth >= b.depth)) a = a?.outer;
    else b = b.outer;
  }
  return a;
}

/** Returns the elements from one up to another, which is left out. */
function pathTo(from: Spot, end: Spot | undefined): Spot[] {
  const path: Spot[] = [];
  for (let one: Spot | undefined = from; one !== undefined && one !== end; one = one.outer)
    path.push(one);
  return path;
}
